import DNG
import RawImage
import Testing

/// Mosaics with patterns of 2×4 and 4×2 pixels: those that repeat a Bayer pattern are Bayer mosaics, others are
/// interpolated.
@Suite(.timeLimit(.minutes(10))) struct LongPatternTests {
    private static let twisted: [UInt8] = [0, 1, 1, 2, 1, 0, 2, 1]
    private static let levels: [UInt16] = [100, 200, 300]

    /// Creates a mosaic of an even colour.
    private func file(_ sides: [UInt16], _ colors: [UInt8], area: [UInt32]? = nil) throws -> DNGFile {
        var dng = HandmadeDNG.bayer(width: 12, height: 10, bits: 16)
        (dng.tags[33_421], dng.tags[33_422]) = (.shorts(sides), .bytes(colors))
        let (rows, columns) = (Int(sides[0]), Int(sides[1]))
        let (top, left) = (Int(area?[0] ?? 0), Int(area?[1] ?? 0))
        let codes = (0..<120).map { index in
            let (row, column) = ((index / 12 - top + rows) % rows, (index % 12 - left + columns) % columns)
            return Self.levels[Int(colors[row * columns + column])]
        }
        if let area { dng.tags[50_829] = .longs(area) }
        dng.parts = [dng.bytes(codes)]
        return try DNGFile(bytes: dng.file)
    }

    @Test(arguments: [[2, 4], [4, 2]] as [[UInt16]], [nil, [1, 1, 10, 12]] as [[UInt32]?])
    func evenColoursStayEven(sides: [UInt16], area: [UInt32]?) throws {
        let file = try file(sides, Self.twisted, area: area)
        #expect(file.main?.kind == .longPattern)
        let photo = try file.linearImage()
        let expected: [UInt16] = Self.levels + [65_535]
        for pixel in 0..<120 {
            let values = Array(photo.values[(pixel * 4)..<(pixel * 4 + 4)])
            #expect(values == expected)
        }
        #expect(DNGSummary(file).images[0].contains { $0.label == "pattern" && $0.text.contains("interpolated") })
    }

    @Test func aRepeatedBayerPatternIsBayer() throws {
        let wide = try file([2, 4], [0, 1, 0, 1, 1, 2, 1, 2])
        let high = try file([4, 2], [1, 2, 0, 1, 1, 2, 0, 1])
        #expect(wide.main?.pattern == .rggb && high.main?.pattern == .gbrg)
        #expect(try wide.mosaic().codes.count == 120)
    }
}
