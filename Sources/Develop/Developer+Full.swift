internal import Fusion
internal import Kernels
public import RawImage

extension Developer {
    /// Develops a mosaic at its full size: demosaic, colour and curve in one pass over memory.
    ///
    /// The mosaic must be at least 2×2, and `output` of the same size. Runs on all cores unless `cores` is 1.
    public func develop(
        _ codes: Span<UInt16>, format: MosaicFormat, into bytes: inout MutableSpan<UInt8>, output: DisplayFormat,
        cores: Int? = nil
    ) throws(DevelopError) {
        try DevelopError.checking { () throws(RawImageError) in try format.checkDemosaic(count: codes.count) }
        try output.check(count: bytes.count)
        guard output.width == format.width, output.height == format.height else {
            throw DevelopError(
                .badOutput,
                "the picture is \(output.width)×\(output.height), its mosaic \(format.width)×\(format.height): "
                    + "make them alike or ask for a preview")
        }
        let plan = try DevelopError.checking { () throws(RawImageError) in
            try DemosaicPlan(metadata, pattern: format.pattern, method: .fast)
        }
        unsafe codes.withUnsafeBufferPointer { codes in
            unsafe bytes.withUnsafeMutableBufferPointer { bytes in
                PixelWriter.with(output.layout) { writer in
                    guard let source = codes.baseAddress, let target = bytes.baseAddress else { return }
                    // All stay in place until the last band is done, and each band writes rows of its own.
                    nonisolated(unsafe) let (from, to, writer) = unsafe (source, target, writer)
                    concurrentBands(rows: format.height, of: Demosaic.bandHeight, cores: cores) { rows in
                        var lines = unsafe DemosaicLines(
                            codes: from, format: format, plan: plan, keepsExcess: false)
                        let display = unsafe DisplayRow(matrix: matrix, width: format.width, writer: writer)
                        unsafe lines.forEach(in: rows) { row, colors in
                            unsafe display.write(
                                colors, bytesPerPixel: output.layout.bytes, to: to + row * output.stride)
                        }
                    }
                }
            }
        }
    }
}

/// Turns demosaiced rows into display pixels.
@safe
private struct DisplayRow: ~Copyable {
    private let matrix: Matrix3
    private let width: Int
    private let writer: PixelWriter
    private let indices: UnsafeMutablePointer<UInt16>

    init(matrix: Matrix3, width: Int, writer: PixelWriter) {
        self.matrix = matrix
        self.width = width
        self.writer = writer
        unsafe indices = .allocate(capacity: 3 * (width / 2 + 1))
    }

    deinit { unsafe indices.deallocate() }

    func write(_ colors: DemosaicedRow, bytesPerPixel: Int, to bytes: UnsafeMutablePointer<UInt8>) {
        let length = width / 2 + 1
        let (red, green, blue) = unsafe (indices, indices + length, indices + 2 * length)
        for phase in 0..<2 {
            let half = unsafe phase == 0 ? colors.even : colors.odd
            let count = (width + 1 - phase) / 2
            unsafe mixColors(
                half.red, half.green, half.blue, redShares: SIMD3(matrix.rows.0), greenShares: SIMD3(matrix.rows.1),
                blueShares: SIMD3(matrix.rows.2), count: count, redIndices: red, greenIndices: green, blueIndices: blue)
            unsafe writer.write(
                red: red, green: green, blue: blue, count: count, step: 2,
                to: bytes + phase * bytesPerPixel)
        }
    }
}
