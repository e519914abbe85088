import DNG
import Foundation
import FrameStream
import GStreamer
import GscapElements
import RawImage
import TemporaryFolders
import Testing

/// `dngsrc` and the properties of `dngenc` in pipelines.
@Suite(.timeLimit(.minutes(10))) struct PlaybackTests {
    private let folder: TemporaryFolder

    init() throws {
        try GscapPlugin.register()
        folder = try TemporaryFolder()
    }

    /// Writes frames of a small camera as DNG files, whose DefaultCrop is `crop`, and returns the frames.
    private func store(_ count: Int = 3, crop: PixelRectangle? = nil) throws -> [Mosaic] {
        try (0..<count).map { number in
            let format = MosaicFormat(width: 63, height: 40, pattern: .gbrg, bitDepth: 12)
            var metadata = FrameMetadata(bitDepth: 12)
            metadata.blackLevel = [250, 252, 254, 256]
            metadata.iso = 200
            metadata.exposureTime = 0.25
            let codes = (0..<format.codeCount).map { UInt16(256 + ($0 * 31 + number * 7) % 3800) }
            let mosaic = try Mosaic(format: format, metadata: metadata, codes: codes)
            var writer = DNGWriter()
            writer.defaultCrop = crop
            let data = try writer.encode(mosaic: codes.span, format: format, metadata: metadata)
            try write(data, "frame-\(number).dng")
            return mosaic
        }
    }

    /// Writes a frame with a digital zoom of 2, and returns its DefaultCrop.
    private func storeZoomedFile() throws -> PixelRectangle {
        let mosaic = try #require(try store(1).first)
        var (metadata, writer) = (mosaic.metadata, DNGWriter())
        (metadata.details.focalLengthIn35mm, metadata.details.digitalZoomRatio) = (52, 2)
        let crop = PixelRectangle(width: 63, height: 40, zoomedBy: 2)
        writer.defaultCrop = crop
        let codes = mosaic.codes
        try write(writer.encode(mosaic: codes.span, format: mosaic.format, metadata: metadata), "frame-0.dng")
        return crop
    }

    private func write(_ data: DNGData, _ name: String) throws {
        let bytes = data.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Data($0) } }
        try bytes.write(to: folder.url.appending(path: name))
    }

    private func buffers(_ text: String) throws -> [(bytes: [UInt8], metadata: FrameMetadata?)] {
        let pipeline = try Pipeline(parsing: text + " ! appsink name=out sync=false")
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        try pipeline.setState(.playing)
        defer { _ = try? pipeline.setState(.null) }
        var found: [(bytes: [UInt8], metadata: FrameMetadata?)] = []
        while let buffer = sink.nextSample(timeout: .seconds(20))?.buffer {
            let bytes = buffer.withValues(of: UInt8.self) { values in values.indices.map { values[$0] } }
            found.append((bytes, buffer.frameMetadata))
        }
        return found
    }

    /// Frames are whole pictures: the digital zoom of a file, whose crop shows it, does not hold for them.
    @Test func aZoomedFilePlaysAsAWhole() throws {
        _ = try storeZoomedFile()
        let found = try buffers("dngsrc location=\(folder.url.path)/*.dng").compactMap(\.metadata)
        #expect(found.map(\.details.focalLengthIn35mm) == [26] && found.map(\.details.digitalZoomRatio) == [1])
    }

    /// A photo made of a zoomed file inherits its crop, and states the zoom and the focal length of that crop.
    @Test func aPhotoOfAZoomedFileShowsTheSameCrop() throws {
        let crop = try storeZoomedFile()
        let photo = try #require(try buffers("dngsrc location=\(folder.url.path)/*.dng ! dngenc").first)
        let file = try DNGFile(bytes: photo.bytes)
        let details = try file.mosaic().metadata.details
        #expect(details.focalLengthIn35mm == 52 && details.digitalZoomRatio == 2)
        #expect(try #require(file.main).defaultCrop == crop)
    }

    /// Browsers name downloads so.
    @Test func aFileWithBracketsInItsNamePlays() throws {
        _ = try store(1)
        try FileManager.default.moveItem(
            at: folder.url.appending(path: "frame-0.dng"), to: folder.url.appending(path: "frame[1].dng"))
        #expect(try buffers("dngsrc location=\(folder.path("frame[1].dng"))").count == 1)
    }

    @Test func filesPlayInOrderWithTheirMetadata() throws {
        let frames = try store()
        let found = try buffers("dngsrc location=\(folder.url.path)/*.dng")
        #expect(found.count == 3)
        for (frame, buffer) in zip(frames, found) {
            let codes = stride(from: 0, to: buffer.bytes.count, by: 2).map {
                UInt16(buffer.bytes[$0]) | UInt16(buffer.bytes[$0 + 1]) << 8
            }
            // Each row of 63 codes is padded to 64, a multiple of 4 bytes.
            let rows = (0..<40).allSatisfy { row in
                codes[row * 64..<row * 64 + 63] == frame.codes[row * 63..<row * 63 + 63]
            }
            #expect(rows)
            #expect(buffer.metadata?.iso == frame.metadata.iso)
            #expect(buffer.metadata?.blackLevel == frame.metadata.blackLevel)
        }
    }

    @Test func aBurstOfFilesIsFused() throws {
        _ = try store()
        let found = try buffers(
            "dngsrc location=\(folder.url.path)/*.dng ! rawshutter captures=1 frames=3 ! rawfusion ! dngenc")
        let file = try DNGFile(bytes: try #require(found.first).bytes)
        #expect(file.main?.kind == .linear)
        #expect(file.metadata.sensorDigests.count == file.metadata.fusedFrames)
        #expect(file.verify().isEmpty)
    }

    /// The tags of the files, such as the crop to show, reach fused photos and frames that are stored again.
    @Test(arguments: ["! rawshutter captures=1 frames=3 ! rawfusion ", ""])
    func photosInheritTheTagsOfTheirFiles(_ elements: String) throws {
        let crop = PixelRectangle(left: 5, top: 3, width: 50, height: 30)
        _ = try store(crop: crop)
        let found = try buffers("dngsrc location=\(folder.url.path)/*.dng \(elements)! dngenc")
        let file = try DNGFile(bytes: try #require(found.first).bytes)
        #expect(file.main?.defaultCrop == crop)
        #expect(file.verify().isEmpty)
    }

    /// The finished picture has the crop that the DNG beside it has.
    @Test(arguments: ["! rawshutter captures=1 frames=3 ! rawfusion ", ""])
    func picturesShowTheCropOfTheirFiles(_ elements: String) throws {
        let text = "dngsrc location=\(folder.url.path)/*.dng \(elements)! rawdevelop ! video/x-raw,format=RGBA"
        _ = try store(crop: PixelRectangle(left: 0, top: 0, width: 63, height: 40))
        let whole = try buffers(text)
        _ = try store(crop: PixelRectangle(left: 6, top: 4, width: 50, height: 30))
        let part = try buffers(text)
        let (picture, shown) = (try #require(whole.first), try #require(part.first))
        #expect(picture.bytes.count == 63 * 40 * 4 && shown.bytes.count == 50 * 30 * 4)
        let isSame = (0..<30).allSatisfy { row in
            let start = ((row + 4) * 63 + 6) * 4
            return shown.bytes[row * 200..<(row + 1) * 200].elementsEqual(picture.bytes[start..<start + 200])
        }
        #expect(isSame)
    }

    /// As its DNG does, the picture of a zoomed file shows the crop, and states the zoom.
    @Test func aPictureOfAZoomedFileShowsTheZoom() throws {
        _ = try storeZoomedFile()
        let picture = try #require(try buffers("dngsrc location=\(folder.url.path)/*.dng ! rawdevelop").first)
        let details = try #require(picture.metadata).details
        #expect(details.focalLengthIn35mm == 52 && details.digitalZoomRatio == 2)
    }

    @Test func goesUpAndDownAHundredTimes() throws {
        _ = try store(1)
        let pipeline = try Pipeline(parsing: "dngsrc location=\(folder.url.path)/*.dng ! fakesink async=false")
        let states = [Element.State.null, .ready, .paused, .playing]
        for round in 0..<100 { try pipeline.setState(states[round * 7 % 4]) }
        for from in states {
            for to in states {
                try pipeline.setState(from)
                try pipeline.setState(to)
            }
        }
        try pipeline.setState(.null)
    }

    @Test(arguments: ["", "location=/no/such/*.dng", "location=/etc/hostname"])
    func badLocationsAreReported(property: String) async throws {
        let pipeline = try Pipeline(parsing: "dngsrc \(property) ! fakesink")
        let messages = pipeline.bus.messages()
        _ = try? pipeline.setState(.playing)
        for await message in messages {
            guard case .error(let error) = message.kind else { continue }
            #expect(!error.message.isEmpty)
            break
        }
        try pipeline.setState(.null)
    }

    @Test(arguments: [
        ("compression=none", DNGCompression.none, 16), ("compression=jpeg-xl", .jpegXL, 16), ("", .jpeg, 12),
        ("bit-depth=9", .jpeg, 9), ("predictor=6", .jpeg, 12),
        ("compression=jpeg-xl quality=0.8", .jpegXL, 16), ("predictor=0", .jpeg, 12),
    ])
    func dngencPropertiesSelectTheStorage(property: String, compression: DNGCompression, bits: Int) throws {
        let found = try buffers(
            "gscapsensorsrc is-live=false num-buffers=1 ! video/x-bayer,format=rggb12le,width=320,height=240 "
                + "! rawunpack ! dngenc preview-size=100 \(property)")
        let file = try DNGFile(bytes: try #require(found.first).bytes)
        #expect(file.main?.compression == compression)
        #expect(file.main?.bitsPerSample == bits)
        #expect(file.images.first?.width == 100 && file.images.first?.height == 75)
        #expect(file.verify().isEmpty)
    }
}
