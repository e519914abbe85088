import DNG
import LosslessJPEG
import RawImage

/// Small valid files of each kind.
enum TestFiles {
    enum Kind: CaseIterable {
        case losslessTiles, deflatedFloats, lossyJPEG, jpegXL, look, mattes
    }

    static func file(_ kind: Kind) throws -> [UInt8] {
        switch kind {
        case .losslessTiles: try losslessTiles()
        case .deflatedFloats: deflatedFloats()
        case .lossyJPEG: lossyJPEG()
        case .jpegXL: jpegXL()
        case .look: look()
        case .mattes: mattes()
        }
    }

    private static func bayer(width: Int, height: Int, bits: Int, version: [UInt8]) -> HandmadeDNG {
        var dng = HandmadeDNG.bayer(width: width, height: height, bits: bits, isBigEndian: true)
        dng.tags[50_706] = .bytes(version)
        dng.tags[50_707] = .bytes(version)
        dng.tags[50_708] = .text("A camera")
        dng.tags[50_721] = .signedRationals([1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1])
        dng.tags[50_728] = .rationals([1, 2, 1, 1, 1, 2])
        return dng
    }

    private static func losslessTiles() throws -> [UInt8] {
        var dng = bayer(width: 20, height: 16, bits: 12, version: [1, 1, 0, 0])
        (dng.tags[259], dng.tags[278]) = (.shorts([7]), nil)
        (dng.tags[322], dng.tags[323]) = (.shorts([16]), .shorts([16]))
        dng.tags[50_712] = .shorts((0..<64).map { UInt16($0 * 1000) })
        dng.tags[50_717] = .longs([63_000])
        dng.tags[50_715] = .signedRationals((0..<40).map { $0 % 2 == 1 ? 1 : $0 })
        dng.isTiled = true
        var dice = Dice(seed: 5)
        dng.parts = try (0..<2).map { _ in
            let samples = (0..<256).map { UInt16($0 / 8 + Int.random(in: 0..<8, using: &dice)) }
            let frame = LosslessJPEGFrame(width: 8, height: 16, components: 2, precision: 12, predictor: 7)
            return try TestCodecs.losslessJPEG(samples, frame)
        }
        return dng.file
    }

    private static func deflatedFloats() -> [UInt8] {
        var dng = bayer(width: 6, height: 4, bits: 16, version: [1, 4, 0, 0])
        (dng.tags[259], dng.tags[317], dng.tags[339]) = (.shorts([8]), .shorts([3]), .shorts([3]))
        dng.parts = [TestCodecs.deflated((0..<48).map { UInt8($0) })]
        return dng.file
    }

    private static func lossyJPEG() -> [UInt8] {
        var dng = bayer(width: 8, height: 8, bits: 8, version: [1, 4, 0, 0])
        dng.tags[258] = .shorts([8, 8, 8])
        (dng.tags[259], dng.tags[262], dng.tags[277]) = (.shorts([34_892]), .shorts([34_892]), .shorts([3]))
        (dng.tags[33_421], dng.tags[33_422]) = (nil, nil)
        dng.parts = [TestCodecs.colorJPEG]
        return dng.file
    }

    private static func jpegXL() -> [UInt8] {
        var dng = bayer(width: 8, height: 8, bits: 16, version: [1, 7, 0, 0])
        dng.tags[259] = .shorts([52_546])
        dng.parts = [TestCodecs.jpegXL16]
        return dng.file
    }

    /// Returns the bytes of a file with tone curve, gain map, opcodes, Exif and GPS.
    private static func look() -> [UInt8] {
        func words(_ numbers: [UInt32]) -> [UInt8] {
            numbers.flatMap { number in (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        }
        func doubles(_ numbers: [Double]) -> [UInt8] {
            words(numbers.flatMap { [UInt32($0.bitPattern >> 32), UInt32(truncatingIfNeeded: $0.bitPattern)] })
        }
        func floats(_ numbers: [Float]) -> [UInt8] { words(numbers.map(\.bitPattern)) }
        var dng = bayer(width: 2, height: 2, bits: 8, version: [1, 4, 0, 0])
        dng.parts = [[1, 2, 3, 4]]
        dng.tags[50_940] = .floats([0, 0, 0.5, 0.75, 1, 1])
        dng.tags[52_525] = .undefined(
            words([1, 2]) + doubles([1, 0.5, 0, 0]) + words([2]) + floats([0.3, 0.3, 0.3, 0, 0.1, 1, 2, 1, 2]))
        let gains = words([0, 0, 2, 2, 0, 1, 1, 1, 1, 2]) + doubles([1, 1, 0, 0]) + words([1]) + floats([1, 2])
        let warp = words([1]) + doubles([1, 0, 0, 0, 0, 0, 0.5, 0.5])
        dng.tags[51_009] = .undefined(words([1, 9, 0x0103_0000, 1, UInt32(gains.count)]) + gains)
        dng.tags[51_022] = .undefined(words([1, 1, 0x0103_0000, 1, UInt32(warp.count)]) + warp)
        dng.children[34_665] = [
            .directory(isBigEndian: true, [33_434: .rationals([1, 60]), 36_867: .text("2026:01:01 00:00:00")])
        ]
        dng.children[34_853] = [
            .directory(isBigEndian: true, [2: .rationals([1, 1, 2, 1, 3, 1]), 4: .rationals([1, 1, 2, 1, 3, 1])])
        ]
        return dng.file
    }

    private static func mattes() -> [UInt8] {
        var dng = bayer(width: 4, height: 4, bits: 8, version: [1, 1, 0, 0])
        dng.parts = [[UInt8](repeating: 9, count: 16)]
        dng.tags[51_177] = .shorts([1])
        var matte = HandmadeDNG.bayer(width: 2, height: 2, bits: 8, isBigEndian: true)
        matte.tags[254] = .longs([65_540])
        matte.tags[262] = .shorts([52_527])
        matte.tags[52_526] = .text("sky")
        matte.tags[52_536] = .longs([1, 1, 4, 4])
        matte.parts = [[1, 2, 3, 4]]
        var depth = HandmadeDNG.bayer(width: 2, height: 2, bits: 16, isBigEndian: true)
        depth.tags[254] = .longs([8])
        depth.tags[262] = .shorts([51_177])
        depth.parts = [[1, 2, 3, 4, 5, 6, 7, 8]]
        dng.children[330] = [matte, depth]
        return dng.file
    }
}
