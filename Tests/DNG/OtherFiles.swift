import DNG
import PhotoMetadata
import RawImage

/// Small valid files of the kinds that other programs write and `DNGWriter` does not.
enum OtherFiles {
    enum Kind: String, CaseIterable {
        case bigTIFF, xTrans, monochrome, fourColors, wideIntegers, original, profiles
    }

    static func file(_ kind: Kind) throws -> [UInt8] {
        switch kind {
        case .bigTIFF: BigTIFFCopy.of(try TestFiles.file(.look))
        case .xTrans: xTrans()
        case .monochrome: monochrome()
        case .fourColors: fourColors()
        case .wideIntegers: wideIntegers()
        case .original: try original()
        case .profiles: profiles()
        }
    }

    private static let matrix: [Int32] = [9, 10, -3, 10, 0, 1, -4, 10, 12, 10, 2, 10, 0, 1, 2, 10, 6, 10]

    private static func raw(_ width: Int, _ height: Int, bits: Int, isBigEndian: Bool = false) -> HandmadeDNG {
        var dng = HandmadeDNG.bayer(width: width, height: height, bits: bits, isBigEndian: isBigEndian)
        dng.tags[50_707] = .bytes([1, 4, 0, 0])
        dng.tags[50_708] = .text("A camera")
        dng.tags[50_721] = .signedRationals(matrix)
        dng.tags[50_728] = .rationals([1, 2, 1, 1, 2, 3])
        return dng
    }

    private static func linear(_ samples: Int, bits: Int, isBigEndian: Bool = false) -> HandmadeDNG {
        var dng = raw(8, 8, bits: bits, isBigEndian: isBigEndian)
        dng.tags[258] = .shorts([UInt16](repeating: UInt16(bits), count: samples))
        dng.tags[262] = .shorts([34_892])
        dng.tags[277] = .shorts([UInt16(samples)])
        (dng.tags[33_421], dng.tags[33_422]) = (nil, nil)
        return dng
    }

    private static func xTrans() -> [UInt8] {
        var dng = raw(12, 12, bits: 16)
        (dng.tags[33_421], dng.tags[33_422]) = (
            .shorts([6, 6]), .bytes(XTransPattern.standard.planes.map { UInt8($0) })
        )
        dng.tags[50_717] = .longs([40_000])
        let codes = (0..<144).map { UInt16($0 * 250) }
        dng.tags[51_111] = .bytes(
            RawDigest(samples: codes, width: 12, height: 12, planes: 1, inBytes: false).bytes)
        dng.parts = [dng.bytes(codes)]
        return dng.file
    }

    private static func monochrome() -> [UInt8] {
        var dng = linear(1, bits: 16, isBigEndian: true)
        dng.parts = [dng.bytes((0..<64).map { UInt16($0 * 1000) })]
        return dng.file
    }

    /// A file of cyan, magenta, yellow and green filters.
    private static func fourColors() -> [UInt8] {
        var dng = linear(4, bits: 16)
        let matrix: [Int32] = [1, 1, 0, 0, 1, 1, 1, 0, 1, 0, 1, 0]
        dng.tags[50_721] = .signedRationals(matrix.flatMap { [$0, 2] })
        dng.tags[50_728] = .rationals([1, 2, 1, 1, 2, 3, 1, 1])
        dng.tags[50_778] = .shorts([23])
        dng.parts = [dng.bytes((0..<256).map { UInt16($0 * 250) })]
        return dng.file
    }

    private static func wideIntegers() -> [UInt8] {
        var dng = raw(8, 8, bits: 32)
        dng.tags[50_714] = .longs([1 << 24])
        dng.parts = [(0..<64).flatMap { [0, 0, 0, UInt8($0 * 4)] }]
        return dng.file
    }

    private static func original() throws -> [UInt8] {
        let bytes = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 / 700) }
        return try HandmadeCameraRaw().onDisk(bytes, name: "DSC_0001.NEF") { path in
            var writer = DNGWriter()
            writer.previewSide = 16
            let mosaic = try TestPictures.mosaic(16, 16)
            return try writer.encode(mosaic: mosaic.codes.span, format: mosaic.format, metadata: mosaic.metadata)
                .embedding(OriginalRawFile(path: path)).bytes
        }
    }

    // MARK: Camera profiles

    /// Returns a DCP file with a matrix, a tone curve, tables and an exposure offset.
    static func profile(_ name: String, isBigEndian: Bool = false) -> [UInt8] {
        var bytes = HandmadeDNG(
            isBigEndian: isBigEndian,
            tags: [
                50_721: .signedRationals(matrix), 50_778: .shorts([21]), 50_936: .text(name),
                50_937: .longs([2, 2, 1]), 50_938: .floats([0, 1, 1, 0, 0.8, 1, 10, 1, 1, -10, 0.9, 1]),
                50_940: .floats([0, 0, 0.25, 0.5, 1, 1]), 50_981: .longs([1, 1, 2]),
                50_982: .floats([5, 1.1, 1, 0, 1, 0.9]), 51_109: .signedRationals([1, 2]), 51_110: .longs([1]),
            ]
        ).file
        bytes[2...3] = isBigEndian ? [0x43, 0x52] : [0x52, 0x43]
        return bytes
    }

    private static func profiles() -> [UInt8] {
        let extras = [profile("Warm"), profile("Cold", isBigEndian: true)]
        func photo(_ offsets: [Int]) -> [UInt8] {
            var dng = raw(8, 8, bits: 8)
            dng.parts = [(0..<64).map { UInt8($0 * 4) }]
            dng.tags[50_933] = .longs(offsets.map { UInt32($0) })
            return dng.file
        }
        let size = photo([0, 0]).count
        return photo([size, size + extras[0].count]) + extras.flatMap(\.self)
    }
}
