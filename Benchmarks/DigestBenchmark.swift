import DNG
import GscapElements
import RawImage

/// Measures how much the comparison with the digests of the receipt adds to decoding, verifying and converting a DNG of
/// 12 megapixels. Without, decoding and converting compare nothing, and verifying compares NewRawImageDigest.
enum DigestBenchmark {
    private static let rounds = 7

    /// Prints the share of the digests for a Bayer and a linear DNG.
    static func run(width: Int, height: Int) throws {
        let mosaic = try mosaic(width: width, height: height)
        let bayer = try DNGFile(
            DNGWriter().encode(mosaic: mosaic.codes.span, format: mosaic.format, metadata: mosaic.metadata))
        try compare("Bayer", bayer)
        let format = LinearFormat(width: width, height: height)
        let codes = mosaic.codes
        let values = (0..<format.valueCount).map { $0 & 3 == 3 ? UInt16.max : codes[$0 / 4] &* 16 }
        var metadata = mosaic.metadata
        metadata.whiteLevel = 65_535
        try compare("linear", DNGFile(DNGWriter().encode(linear: values.span, format: format, metadata: metadata)))
    }

    private static func compare(_ kind: String, _ file: DNGFile) throws {
        var unchecked = file
        unchecked.checksDigests = false
        func decode(_ file: DNGFile) throws {
            if file.main?.kind == .bayer { _ = try file.mosaic() } else { _ = try file.linearImage() }
        }
        for (name, work) in [
            ("decoding", decode), ("converting", { _ = try DNGConversion().encode($0) }),
            ("verifying", { _ = $0.verification() }),
        ] as [(String, (DNGFile) throws -> Void)] {
            var least = (with: Double.infinity, without: Double.infinity)
            for _ in 0..<rounds {
                // A file's comparisons are remembered, so each round opens it again.
                let fresh = file.reopened()
                least.with = min(least.with, try Cost.of { try work(fresh) }.wall)
                least.without = min(least.without, try Cost.of { try work(unchecked) }.wall)
            }
            let share = 100 * (least.with / least.without - 1)
            print(
                "\(name) a \(kind) DNG, with receipt : without: \((1000 * least.with).onePlace) ms : "
                    + "\((1000 * least.without).onePlace) ms, \(share.onePlace) % more")
        }
    }

    /// A mosaic of a gradient with noise.
    private static func mosaic(width: Int, height: Int) throws -> Mosaic {
        let format = MosaicFormat(width: width, height: height, pattern: .rggb, bitDepth: 12)
        var state: UInt64 = 1
        let codes = (0..<format.codeCount).map { index -> UInt16 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt16(256 + index % width * 3000 / width + Int(state >> 60))
        }
        return try Mosaic(format: format, metadata: FrameMetadata(bitDepth: 12), codes: codes)
    }
}
