import PictureFiles
import RawImage
import Testing

/// Tests that a JPEG encoded directly from memory of any layout is the file of the same picture without padding.
@Suite struct JPEGLayoutTests {
    // The heights are those of one piece, of several with a short last one, and of a single row.
    @Test(arguments: PixelOrder.allCases, [(34, 18), (33, 300), (1, 1), (7, 257), (130, 1)])
    func theFileIsTheSame(order: PixelOrder, size: (width: Int, height: Int)) throws {
        for (padding, quality) in [(0, 0.97), (3, 0.97), (17, 0.5)] {
            let layout = PixelLayout(
                width: size.width, height: size.height, order: order, stride: size.width * order.count + padding)
            let pixels = (0..<layout.sampleCount).map { UInt8(truncatingIfNeeded: $0 &* 37 ^ $0 >> 3) }
            var encoding = PictureEncoding(.jpeg)
            encoding.quality = quality
            encoding.metadata = FrameMetadata()
            let picture = try Picture(
                width: size.width, height: size.height, color: .sRGB, samples: .bytes(layout.packed(pixels.span)))
            let expected = try encoding.encode(picture)
            let isSame = try encoding.encodeJPEG(pixels.span, layout: layout, color: .sRGB) == expected
            #expect(isSame)
            // A buffer may also end with the padding of the last row.
            let padded = pixels + [UInt8](repeating: 9, count: padding)
            let isSameWithPadding = try encoding.encodeJPEG(padded.span, layout: layout, color: .sRGB) == expected
            #expect(isSameWithPadding)
        }
    }

    @Test func shortMemoryIsRefused() {
        let layout = PixelLayout(width: 16, height: 16, order: .bgrx)
        let pixels = [UInt8](repeating: 0, count: layout.sampleCount - 1)
        #expect(throws: PictureFileError.self) {
            try PictureEncoding(.jpeg).encodeJPEG(pixels.span, layout: layout, color: .sRGB)
        }
    }

    @Test func progressCancelsTheEncoding() {
        let layout = PixelLayout(width: 64, height: 1200, order: .bgrx)
        let pixels = [UInt8](repeating: 80, count: layout.sampleCount)
        do throws(PictureFileError) {
            _ = try PictureEncoding(.jpeg).encodeJPEG(pixels.span, layout: layout, color: .sRGB) { _ in false }
            Issue.record("the encoding was not cancelled")
        } catch {
            #expect(error.code == .cancelled)
        }
    }
}
