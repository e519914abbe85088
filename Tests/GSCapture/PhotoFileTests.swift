import DNG
import Foundation
import GSCapture
import GSCaptureFoundation
import GscapElements
import RawImage
import Testing

/// Tests of the files that delivered photos become.
@Suite(.timeLimit(.minutes(10)), .serialized) struct PhotoFileTests {
    /// Takes a photo of two frames in these formats with the simulated camera; an odd width pads the rows of pixels.
    private func take(
        raw: Set<RAWPhotoFormat> = [], processed: Set<ProcessedPhotoFormat> = []
    ) async throws -> [PhotoFormat: Photo] {
        let (session, output) = (CaptureSession(), PhotoOutput())
        try session.add(CaptureDeviceInput(device: .simulated(width: 322, height: 240, framesPerSecond: 30)))
        output.isProRAWEnabled = true
        output.processedFormats = processed
        try session.add(output)
        try await session.startRunning()
        var settings = PhotoSettings(raw: raw, processed: processed)
        settings.frames = 2
        let photos = try await output.capturePhoto(with: settings).photos
        await session.stopRunning()
        #expect(photos.allSatisfy { $0.error == nil })
        return Dictionary(photos.map { ($0.format, $0) }) { first, _ in first }
    }

    /// Calls `body` with a new folder, which is removed afterwards.
    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gscap-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func code(_ body: () throws -> Void) -> CaptureError.Code? {
        do { try body() } catch { return (error as? CaptureError)?.code }
        return nil
    }

    // MARK: - Uncompressed photos

    @Test(arguments: [ProcessedPhotoFormat.uncompressed, .uncompressed16])
    func anUncompressedPhotoHasPixelsAndATIFF(format: ProcessedPhotoFormat) async throws {
        let photo = try #require(try await take(processed: [format])[.processed(format)])
        let pixels = try #require(photo.pixelBuffer)
        let isWide = format == .uncompressed16
        #expect(pixels.pixelFormat == (isWide ? .rgba64 : .rgb))
        #expect(pixels.colorimetry == "sRGB")
        #expect(pixels.bytesPerRow == (isWide ? pixels.width * 8 : (pixels.width * 3 + 3) & ~3))
        #expect(photo.pixelSize?.width == pixels.width)
        let bytes = pixels.withPixels { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
        #expect(bytes.count >= pixels.bytesPerRow * (pixels.height - 1))
        #expect(pixels.data == Data(bytes))

        let file = try #require(photo.fileBytes())
        let tiff = try TIFFHeader(file)
        #expect(try tiff.number(256) == pixels.width)
        #expect(try tiff.number(257) == pixels.height)
        #expect(try tiff.number(258) == (isWide ? 16 : 8))
        #expect(try tiff.number(259) == 1, "the TIFF is compressed")
        #expect(try tiff.text(700).contains("xmp:CreatorTool"))
        // The first two pixels; the TIFF has no alpha.
        let first = isWide ? Array(bytes[0..<6] + bytes[8..<14]) : Array(bytes[0..<6])
        #expect(try tiff.pixels(first.count) == first)
        try withFolder { folder in
            let path = folder.appendingPathComponent("photo.\(photo.format.fileExtension)").path
            #expect(path.hasSuffix(".tif"))
            let size = try photo.write(to: path)
            #expect(size == file.count)
            #expect(FileManager.default.contents(atPath: path) == Data(file))
        }
    }

    @Test func compressedPhotosHaveNoPixels() async throws {
        for photo in try await take(raw: [.proRAW], processed: [.jpeg]).values { #expect(photo.pixelBuffer == nil) }
    }

    /// An appsink behind another pixel format is not taken for a format of its own.
    @Test func onlyTheFormatsOfUncompressedPhotosAreRecognized() throws {
        for (caps, format) in [
            ("format=RGB", PhotoFormat.processed(.uncompressed)),
            ("format=RGBA64_LE", .processed(.uncompressed16)), ("format=BGRx", .other("bin")),
        ] {
            let plan = try PipelinePlan(
                reading: """
                    gscapsensorsrc ! rawunpack ! rawshutter ! rawfusion ! rawdevelop ! video/x-raw,\(caps) ! appsink
                    """)
            #expect(plan.branches.map(\.format) == [format])
        }
    }

    // MARK: - Data and URL

    @Test func dataAndBytesAreEqual() async throws {
        let photos = try await take(raw: [.proRAW], processed: [.jpeg, .uncompressed])
        #expect(photos.count == 3)
        for photo in photos.values {
            let bytes = try #require(photo.fileBytes())
            #expect(photo.fileDataRepresentation() == Data(bytes))
            try withFolder { folder in
                let url = folder.appendingPathComponent("a photo.\(photo.format.fileExtension)")
                let size = try photo.write(to: url)
                #expect(size == bytes.count)
                #expect(try Data(contentsOf: url) == Data(bytes))
                #expect(code { try photo.write(to: url) } == .cannotWrite)
                try photo.write(to: url, replacing: true)
            }
            let page = try #require(URL(string: "https://example.org/photo.dng"))
            #expect(code { try photo.write(to: page) } == .cannotWrite)
        }
    }

    // MARK: - Customizer

    /// A customizer of fixed answers; nil leaves a part of the file as it is.
    private struct Customizer: PhotoFileCustomizer {
        var compression: ProRAWCompression?
        var thumbnailSide: Int?
        var details: (@Sendable (DescriptiveMetadata) -> DescriptiveMetadata)?

        func replacementCompression(
            for photo: Photo, default compression: ProRAWCompression, maximumBitDepth: Int
        ) -> ProRAWCompression {
            #expect(maximumBitDepth == 12)
            return self.compression ?? compression
        }

        func replacementMetadata(for photo: Photo, default details: DescriptiveMetadata) -> DescriptiveMetadata {
            self.details?(details) ?? details
        }

        func replacementThumbnailLongestSide(for photo: Photo) -> Int? { thumbnailSide }
    }

    private func place(_ details: DescriptiveMetadata) -> DescriptiveMetadata {
        var details = details
        details.location = Location(latitude: 47.4, longitude: 8.5, altitude: 400)
        details.title = "Morning <by> the lake"
        return details
    }

    @Test func fewerBitsMakeASmallerFileOfTheSamePhoto() async throws {
        let photo = try #require(try await take(raw: [.proRAW])[.raw(.proRAW)])
        let original = try #require(photo.fileBytes())
        #expect(try photo.fileBytes(with: Customizer()) == original)
        let small = try photo.fileBytes(with: Customizer(compression: ProRAWCompression(bitDepth: 10)))
        #expect(small.count < original.count)
        let (before, after) = (try DNGFile(bytes: original), try DNGFile(bytes: small))
        #expect(after.main?.bitsPerSample == 10)
        #expect(after.main?.compression == .jpeg)
        #expect(after.main?.width == before.main?.width)
        #expect(after.metadata.receipt == before.metadata.receipt)
        #expect(abs(after.recipe.exposure - before.recipe.exposure) < 1e-6)
        #expect((after.recipe.gainTableMap == nil) == (before.recipe.gainTableMap == nil))
        #expect(after.metadata.details == before.metadata.details)
        #expect(after.metadata.fusion == before.metadata.fusion)
        #expect(after.metadata.exposureTime == before.metadata.exposureTime)
        #expect(after.metadata.wallClock == before.metadata.wallClock)
        #expect(after.images.map(\.kind) == before.images.map(\.kind))
        #expect(try after.linearImage().values.count == before.linearImage().values.count)
        #expect(try photo.fileDataRepresentation(with: Customizer(compression: .init(bitDepth: 10))) == Data(small))
    }

    @Test func aQualityBelowOneIsLossyWhateverTheBitDepth() async throws {
        let photo = try #require(try await take(raw: [.proRAW])[.raw(.proRAW)])
        let compression = ProRAWCompression(bitDepth: 7, quality: 0.9)
        #expect(compression.warning?.contains("ignored") == true)
        #expect(ProRAWCompression(bitDepth: 10).warning == nil)
        #expect(ProRAWCompression(quality: 0.9).warning == nil)
        let file = try DNGFile(bytes: try photo.fileBytes(with: Customizer(compression: compression)))
        #expect(file.main?.compression == .lossyJPEG)
        #expect(file.main?.bitsPerSample == 8)
        // A new preview of half the size.
        let preview = try #require(file.images.first { $0.kind == .preview })
        #expect(preview.width < file.main?.width ?? 0)
    }

    @Test func theDescriptionAndThePreviewAreReplaced() async throws {
        let photos = try await take(raw: [.proRAW, .bayer])
        for format in [RAWPhotoFormat.proRAW, .bayer] {
            let photo = try #require(photos[.raw(format)])
            let before = try DNGFile(bytes: try #require(photo.fileBytes()))
            let placed = try photo.fileBytes(with: Customizer(thumbnailSide: 64) { place($0) })
            let file = try DNGFile(bytes: placed)
            #expect(file.metadata.details.title == "Morning <by> the lake")
            #expect(abs((file.metadata.details.location?.latitude ?? 0) - 47.4) < 1e-4)
            #expect(file.xmp?.contains("Morning") == true)
            #expect(file.metadata.fusion == before.metadata.fusion)
            #expect(file.main?.bitsPerSample == before.main?.bitsPerSample)
            let preview = try #require(file.images.first { $0.kind == .preview })
            #expect(max(preview.width, preview.height) == 64)
        }
    }

    /// A location and a title that are removed are nowhere in the new file.
    @Test func theLocationIsRemoved() async throws {
        let photo = try #require(try await take(raw: [.proRAW])[.raw(.proRAW)])
        let placed = try StoredDNG(try photo.fileBytes(with: Customizer { place($0) }))
        #expect(placed.details.location != nil)
        var conversion = DNGConversion()
        conversion.details = placed.details
        conversion.details?.location = nil
        conversion.details?.title = ""
        let bytes = try placed.converted(by: conversion)
        let file = try DNGFile(bytes: bytes)
        #expect(file.metadata.details.location == nil)
        #expect(file.metadata.details.title.isEmpty)
        let containsTitle = String(decoding: bytes, as: UTF8.self).contains("Morning")
        #expect(!containsTitle)
    }

    @Test func changesThatAFileCannotStoreAreRefused() async throws {
        let photos = try await take(raw: [.proRAW], processed: [.jpeg, .uncompressed])
        let raw = try #require(photos[.raw(.proRAW)])
        for compression in [
            ProRAWCompression(bitDepth: 7), .init(bitDepth: 13), .init(quality: -0.1), .init(quality: .nan),
        ] {
            #expect(
                code { _ = try raw.fileBytes(with: Customizer(compression: compression)) } == .cannotCustomize)
        }
        #expect(code { _ = try raw.fileBytes(with: Customizer(thumbnailSide: 0)) } == .cannotCustomize)
        let jpeg = try #require(photos[.processed(.jpeg)])
        #expect(code { _ = try jpeg.fileBytes(with: Customizer(thumbnailSide: 64)) } == .cannotCustomize)
        #expect(code { _ = try jpeg.fileBytes(with: Customizer { place($0) }) } == .cannotCustomize)
        #expect(try jpeg.fileBytes(with: Customizer()) == jpeg.fileBytes())
        let uncompressed = try #require(photos[.processed(.uncompressed)])
        let tiff = try TIFFHeader(try uncompressed.fileBytes(with: Customizer { place($0) }))
        #expect(try tiff.text(270).hasPrefix("Morning <by> the lake"))
    }

    @Test func aCustomizedFileIsWrittenOnce() async throws {
        let photo = try #require(try await take(raw: [.proRAW])[.raw(.proRAW)])
        try withFolder { folder in
            let url = folder.appendingPathComponent("photo.dng")
            let customizer = Customizer(compression: ProRAWCompression(bitDepth: 8))
            let size = try photo.write(to: url, customizedBy: customizer)
            #expect(try DNGFile(path: url.path).byteCount == size)
            #expect(code { try photo.write(to: url, customizedBy: customizer) } == .cannotWrite)
        }
    }
}
