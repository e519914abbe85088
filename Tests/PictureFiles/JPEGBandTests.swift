import CTurboJPEG
import PictureCodecs
import PictureFiles
import RawImage
import Testing

/// Tests that the division into bands and pieces, which are encoded in parallel, does not change the decoded JPEG.
@Suite("Bands of a JPEG")
struct JPEGBandTests {
    private let width = 33

    private func rgb(_ height: Int) -> [UInt8] {
        (0..<height * width * 3).map { UInt8(truncatingIfNeeded: ($0 / 3 % width &* 5 &+ $0 / 99 &* 3) ^ $0 % 3 &* 40) }
    }

    // The heights are those of more than eight pieces (the restart markers wrap around), of one row more than whole
    // pieces, and of less than one piece.
    @Test(arguments: [1153, 1152, 257, 128, 129, 5], [0.5, 0.97])
    func showTheSame(height: Int, quality: Double) throws {
        let pixels = rgb(height)
        var encoding = PictureEncoding(.jpeg)
        encoding.quality = quality
        let chroma: JPEGCompressor.Chroma = quality < 0.9 ? .halved : .full
        let compressor = try JPEGCompressor()
        let single = try unsafe pixels.withUnsafeBufferPointer { pixels -> [UInt8] in
            guard let start = pixels.baseAddress else { return [] }
            return try unsafe compressor.compress(
                start, width: width, height: height, stride: width * 3, quality: Int((quality * 100).rounded()),
                chroma: chroma)
        }
        let expected = try decoded(single, height)
        let pieces = try encoding.encodeJPEG(width: width, height: height, color: .sRGB) { rows, pieceHeight, take in
            for piece in rows.parts(of: pieceHeight) {
                take(pixels.span.extracting(piece.lowerBound * width * 3..<piece.upperBound * width * 3))
            }
        }
        let isSame = try decoded(pieces.flatMap(\.self), height) == expected
        #expect(isSame)
        let whole = try JPEGBands.compress(rgb: pixels, width: width, height: height, quality: Int(quality * 100))
        let isAlike = try decoded(whole, height) == expected
        #expect(isAlike)
    }

    private func decoded(_ jpeg: [UInt8], _ height: Int) throws -> [UInt8] {
        guard let decoder = unsafe tjInitDecompress() else { throw GscapError(.noMemory, "no decoder") }
        defer { unsafe tjDestroy(decoder) }
        var pixels = [UInt8](repeating: 0, count: width * height * 3)
        let result = unsafe tjDecompress2(
            decoder, jpeg, UInt(jpeg.count), &pixels, Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue), 0)
        #expect(result == 0, "\(unsafe String(cString: tjGetErrorStr2(decoder)))")
        return pixels
    }
}
