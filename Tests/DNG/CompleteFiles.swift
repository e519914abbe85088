import DNG
import RawImage

/// Small files of `DNGWriter` with everything that a file can contain.
enum CompleteFiles {
    enum Kind: CaseIterable {
        case mosaic, uncompressedMosaic, jpegXLMosaic, linear, lossyLinear
        /// A mosaic with the camera's own raw file in it.
        case embeddedOriginal
        /// A copy of `mosaic` by the transcoder, with other bits a sample.
        case convertedMosaic
    }

    static func file(_ kind: Kind) throws -> [UInt8] {
        var writer = DNGWriter()
        writer.recipe = Recipe(
            exposure: 0.5, sharpness: 1,
            gainTableMap: try GainTableMap(
                rows: 3, columns: 5, tableLength: 4, weights: [0.125, 0.5, 0.125, 0, 0.25],
                gains: (0..<60).map { 1 + Float($0) / 32 }),
            toneCurve: try ToneCurve(points: [SIMD2(0, 0), SIMD2(0.25, 0.5), SIMD2(1, 1)]), name: "Evening")
        writer.furtherPreviews = [try DNGPreview(width: 24, height: 16, rgb: noise(24 * 16 * 3))]
        writer.mattes = [
            try Matte(kind: .sky, width: 24, height: 16, shares: noise(24 * 16)),
            try Matte(kind: .skin, instance: "1", width: 16, height: 16, shares: noise(256)),
        ]
        writer.depthMap = try DepthMap(
            width: 24, height: 16, bitDepth: 8, codes: noise(24 * 16).map(UInt16.init), scale: .linear,
            measure: .opticalAxis, near: 1, far: 9)
        switch kind {
        case .mosaic: return try mosaic(writer).bytes
        case .uncompressedMosaic:
            writer.storage = .uncompressed
            return try mosaic(writer).bytes
        case .jpegXLMosaic:
            writer.storage = .jpegXL()
            return try mosaic(writer).bytes
        case .linear: return try linear(writer)
        case .lossyLinear:
            writer.storage = .lossyJPEG(quality: 0.9)
            return try linear(writer)
        case .embeddedOriginal:
            let photo = try mosaic(writer)
            return try HandmadeCameraRaw().onDisk(noise(2000), name: "DSC_0001.NEF") { path in
                try photo.embedding(OriginalRawFile(path: path), serial: "0042").bytes
            }
        case .convertedMosaic:
            var transcoder = DNGTranscoder()
            transcoder.bitDepth = 14
            return try transcoder.encode(DNGFile(mosaic(writer))).data.bytes
        }
    }

    private static func mosaic(_ writer: DNGWriter) throws -> DNGData {
        var mosaic = try TestPictures.mosaic(64, 48)
        describe(&mosaic.metadata, width: 64, height: 48)
        return try writer.encode(mosaic: mosaic.codes.span, format: mosaic.format, metadata: mosaic.metadata)
    }

    private static func linear(_ writer: DNGWriter) throws -> [UInt8] {
        var photo = try TestPictures.linear(48, 36)
        describe(&photo.metadata, width: 48, height: 36)
        return try writer.encode(photo)
    }

    private static func noise(_ count: Int) -> [UInt8] {
        var dice = Dice(seed: UInt64(count))
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: dice.next() >> 20) }
    }

    private static func describe(_ metadata: inout FrameMetadata, width: Int, height: Int) {
        metadata.details.artist = "A photographer"
        metadata.details.location = Location(latitude: 48.1, longitude: -11.5, altitude: 500)
        if let map = try? ShadingMap(
            area: PixelGrid(top: 0, left: 0, bottom: height, right: width, rowPitch: 1, columnPitch: 1), rows: 3,
            columns: 2, spacing: GainTableMap.RelativePoint(down: 0.5, across: 1),
            origin: GainTableMap.RelativePoint(down: 0, across: 0), gains: [1, 1.5, 1.25, 1, 2, 3])
        {
            metadata.lens.shading = [map]
        }
    }
}
