import RawImage
import Testing

@testable import Cameras

/// The brightness of frames as cameras store them.
@Suite struct RawBrightnessTests {
    /// The levels of a frame of 64×48 codes, whose left half has one code and whose right half another.
    private func levels(_ layout: CodeLayout, _ bitDepth: Int, left: Int, right: Int) throws -> [Double] {
        let codes = BayerDialect.CodeFormat(pattern: .rggb, bitDepth: bitDepth, layout: layout)
        var row: [UInt8] = []
        for column in 0..<64 {
            let code = column < 32 ? left : right
            switch layout {
            case .bytes: row.append(UInt8(code))
            case .littleEndian: row += [UInt8(code & 255), UInt8(code >> 8)]
            case .bigEndian: row += [UInt8(code >> 8), UInt8(code & 255)]
            // The upper bits of each code, and after every fourth or second the lower bits of those before.
            case .mipi10: row += [UInt8(code >> 2)] + (column % 4 == 3 ? [0] : [])
            case .mipi12: row += [UInt8(code >> 4)] + (column % 2 == 1 ? [0] : [])
            default: row += [UInt8(code >> 6)] + (column % 4 == 3 ? [0, 0, 0] : [])
            }
        }
        let bytes = [[UInt8]](repeating: row, count: 48).flatMap(\.self)
        let measured = RawBrightness(
            unsafe bytes.span.bytes, codes, width: 64, height: 48, stride: row.count, black: 0)
        return try #require(measured).levels
    }

    @Test(arguments: [
        (CodeLayout.bytes, 8), (.littleEndian, 12), (.bigEndian, 12), (.mipi10, 10), (.mipi12, 12), (.mipi14, 14),
    ])
    func theLevelsAreThoseOfTheCodes(_ layout: CodeLayout, _ bitDepth: Int) throws {
        let white = 1 << bitDepth
        let levels = try levels(layout, bitDepth, left: white / 8, right: white / 2)
        #expect(abs(levels[0] - 0.125) < 0.005 && abs(levels[1] - 0.125) < 0.005)
        #expect(abs(levels[3] - 0.5) < 0.005 && abs(levels[4] - 0.5) < 0.005)
    }

    @Test func aFrameWithTooFewBytesHasNoBrightness() {
        let codes = BayerDialect.CodeFormat(pattern: .rggb, bitDepth: 8, layout: .bytes)
        let none: [UInt8] = []
        let brightness = RawBrightness(unsafe none.span.bytes, codes, width: 64, height: 48, stride: 64, black: 0)
        #expect(brightness == nil)
    }
}
