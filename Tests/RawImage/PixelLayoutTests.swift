import RawImage
import Testing

/// Tests that the red, green and blue samples of a picture are copied from memory of any layout.
@Suite struct PixelLayoutTests {
    @Test(arguments: PixelOrder.allCases, [(1, 1), (3, 2), (33, 65), (64, 129), (7, 200)])
    func paddingIsRemoved(order: PixelOrder, size: (width: Int, height: Int)) throws {
        for padding in [0, 5] {
            let layout = PixelLayout(
                width: size.width, height: size.height, order: order, stride: size.width * order.count + padding)
            let words = (0..<layout.sampleCount).map { UInt16(truncatingIfNeeded: $0 &* 40_503) }
            let bytes = words.map { UInt8(truncatingIfNeeded: $0 >> 4) }
            let (red, green, blue) = order.offsets
            let indices = (0..<size.height).flatMap { row in
                (0..<size.width).flatMap { column in
                    [red, green, blue].map { row * layout.stride + column * order.count + $0 }
                }
            }
            #expect(try layout.packed(words.span) == indices.map { words[$0] })
            #expect(try layout.packed(bytes.span) == indices.map { bytes[$0] })
        }
    }

    @Test func rowsEndWithTheirLastPixel() {
        let layout = PixelLayout(width: 3, height: 4, order: .bgr, stride: 12)
        #expect(layout.sampleCount == 45)
        #expect(layout.samples(of: 0..<4) == 0..<45)
        #expect(layout.samples(of: 1..<2) == 12..<21)
        #expect(layout.samples(of: 2..<2).isEmpty)
    }

    @Test(arguments: [
        PixelLayout(width: 0, height: 4, order: .rgb), PixelLayout(width: 4, height: 0, order: .rgb),
        PixelLayout(width: 4, height: 4, order: .rgb, stride: 11), PixelLayout(width: 4, height: 5, order: .rgb),
        PixelLayout(width: 70_000, height: 1, order: .rgb),
    ])
    func invalidLayoutsAreRefused(_ layout: PixelLayout) {
        let samples = [UInt8](repeating: 0, count: 48)
        #expect(throws: RawImageError.self) { try layout.packed(samples.span) }
    }
}
