import DNG
import RawImage
import Testing

/// Pictures whose shorter side has fewer cells than a pixel of their preview covers. The fault: the preview was made
/// from memory behind the picture.
struct ElongatedPictureTests {
    @Test(arguments: [(4000, 2), (2, 65534), (65534, 100), (65535, 1), (1, 65535), (1, 1)])
    func thePreviewIsOfThePicture(width: Int, height: Int) throws {
        let format = MosaicFormat(width: width, height: height, pattern: .rggb, bitDepth: 12)
        let codes = [UInt16](repeating: 1000, count: format.codeCount)
        let data = try DNGWriter().encode(
            mosaic: codes.span, format: format, metadata: FrameMetadata(bitDepth: 12))
        let bytes = data.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
        let preview = try DNGFile(bytes: bytes).preview()
        let levels = Set(preview.rgb)
        #expect((levels.max() ?? 255) - (levels.min() ?? 0) <= 2, "one colour: \(levels.sorted())")
    }
}
