import Demosaic
import Develop
import KernelTypes
import Kernels
import KernelsBaseline
import KernelsV3
import RawImage
import Testing

/// Tests of previews as luma and subsampled chroma.
@Suite struct SubsampledPreviewTests {
    private let developer: PreviewRenderer

    init() throws { developer = try PreviewRenderer(metadata: TestCamera.metadata) }

    private func scene(_ row: Int, _ column: Int) -> SIMD3<Double> {
        SIMD3(Double(row * 7 % 23) / 23, Double(column * 5 % 31) / 31, Double((row + 2 * column) % 17) / 17)
    }

    /// The picture is the preview in RGB, converted by the formulas of BT.709, at even and odd sizes.
    @Test(arguments: [(62, 46), (61, 45), (1, 1), (2, 1), (1, 2), (3, 5), (40, 131)])
    func theMatrixIsThatOfTheStandard(_ size: (Int, Int)) throws {
        let (width, height) = size
        let mosaic = try TestCamera.mosaic(124, 262, .grbg, scene)
        let photo = try Demosaic.linear(mosaic)
        let linear = try PreviewRenderer(metadata: photo.metadata)
        let output = SubsampledFormat(width: width, height: height)
        var bytes = [UInt8](repeating: 99, count: output.byteCount)
        var span = bytes.mutableSpan
        try developer.preview(mosaic.codes.span, format: mosaic.format, into: &span, output: output, cores: 1)
        try expectEqual(bytes, try developer.preview(mosaic, width, height))
        var again = [UInt8](repeating: 99, count: output.byteCount)
        span = again.mutableSpan
        try developer.preview(mosaic.codes.span, format: mosaic.format, into: &span, output: output)
        #expect(again == bytes)
        span = bytes.mutableSpan
        try linear.develop(photo.values.span, format: photo.format, into: &span, output: output)
        try expectEqual(bytes, try linear.develop(photo, width, height))
    }

    @Test func aBufferThatIsTooSmallIsRefused() throws {
        let mosaic = try TestCamera.mosaic(20, 20, .rggb, scene)
        let output = SubsampledFormat(width: 10, height: 10)
        // Rows of 12 and 8 bytes.
        #expect(output.byteCount == 12 * 10 + 2 * 8 * 5)
        var bytes = [UInt8](repeating: 0, count: output.byteCount - 1)
        var span = bytes.mutableSpan
        #expect(throws: DevelopError.self) {
            try developer.preview(mosaic.codes.span, format: mosaic.format, into: &span, output: output)
        }
        #expect(throws: DevelopError.self) {
            try developer.preview(
                mosaic.codes.span, format: mosaic.format, into: &span, output: SubsampledFormat(width: 21, height: 2))
        }
    }

    /// Compares a picture with one in RGB. Luma has an error of up to 0.9 levels by its weights of 8 bits.
    private func expectEqual(_ bytes: [UInt8], _ picture: DisplayPicture) throws {
        let (width, height) = (picture.format.width, picture.format.height)
        let (stride, chromaStride) = ((width + 3) & ~3, ((width + 1) / 2 + 3) & ~3)
        let (blue, red) = (stride * 2 * ((height + 1) / 2), (stride * 2 + chromaStride) * ((height + 1) / 2))
        for row in 0..<height {
            for column in 0..<width {
                let luma = ycbcr(picture[row, column])[0]
                #expect(abs(Double(bytes[row * stride + column]) - luma) < 1.4)
            }
        }
        func pixel(_ row: Int, _ column: Int) -> SIMD3<Double> {
            picture[min(row, height - 1), max(0, min(column, width - 1))]
        }
        for row in 0..<(height + 1) / 2 {
            for column in 0..<(width + 1) / 2 {
                var sum = SIMD3<Double>()
                for line in [2 * row, 2 * row + 1] {
                    sum += pixel(line, 2 * column - 1) + pixel(line, 2 * column + 1) + 2 * pixel(line, 2 * column)
                }
                let expected = ycbcr(sum / 8)
                #expect(abs(Double(bytes[blue + row * chromaStride + column]) - expected[1]) < 1.5)
                #expect(abs(Double(bytes[red + row * chromaStride + column]) - expected[2]) < 1.5)
            }
        }
    }

    /// Luma and chroma of a colour by BT.709, limited range.
    private func ycbcr(_ color: SIMD3<Double>) -> SIMD3<Double> {
        let luma = 0.2126 * color.x + 0.7152 * color.y + 0.0722 * color.z
        return SIMD3(
            16 + 219 / 255 * luma, 128 + 224 / 255 * (color.z - luma) / 1.8556,
            128 + 224 / 255 * (color.x - luma) / 1.5748)
    }

    @Test(.enabled(if: hasWideVectors)) func theKernelsAgree() {
        let rows = (0..<2).map { row in
            (0..<400).map { index in UInt32(truncatingIfNeeded: (index + 977 * row) &* 2_654_435_761) }
        }
        var results: [[UInt8]] = []
        for isWide in [false, true] {
            var luma = [UInt8](repeating: 0, count: 399)
            var (blue, red) = ([UInt8](repeating: 0, count: 199), [UInt8](repeating: 0, count: 199))
            let toLuma = unsafe isWide ? KernelsV3.storeVideoLuma : KernelsBaseline.storeVideoLuma
            let toChroma = unsafe isWide ? KernelsV3.storeVideoChroma : KernelsBaseline.storeVideoChroma
            unsafe toLuma(rows[0], 399, &luma)
            unsafe rows[0].withUnsafeBufferPointer { upper in
                unsafe rows[1].withUnsafeBufferPointer { lower in
                    guard let upper = upper.baseAddress, let lower = lower.baseAddress else { return }
                    unsafe toChroma(upper + 1, lower + 1, 199, &blue, &red)
                }
            }
            results.append(luma + blue + red)
        }
        #expect(results[0] == results[1])
    }
}
