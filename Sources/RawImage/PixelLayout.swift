internal import PixelMemory

/// The order of the samples of a pixel in memory. A fourth sample is padding or alpha.
package enum PixelOrder: Sendable, Hashable, CaseIterable {
    case rgb
    case bgr
    case rgbx
    case bgrx

    /// The number of samples per pixel.
    package var count: Int {
        switch self {
        case .rgb, .bgr: 3
        case .rgbx, .bgrx: 4
        }
    }

    /// The offsets of red, green and blue in a pixel, in samples.
    package var offsets: (red: Int, green: Int, blue: Int) {
        switch self {
        case .rgb, .rgbx: (0, 1, 2)
        case .bgr, .bgrx: (2, 1, 0)
        }
    }
}

/// The memory layout of a rendered picture.
package struct PixelLayout: Sendable, Hashable {
    /// Width in pixels.
    package let width: Int
    /// Height in pixels.
    package let height: Int
    /// The order of the samples of a pixel.
    package let order: PixelOrder
    /// The distance between the starts of rows, in samples.
    package let stride: Int

    /// Creates a layout whose rows have no padding unless `stride` is given.
    package init(width: Int, height: Int, order: PixelOrder, stride: Int? = nil) {
        self.width = width
        self.height = height
        self.order = order
        self.stride = stride ?? width * order.count
    }

    /// The smallest number of samples in memory: the last row needs no padding.
    package var sampleCount: Int { height == 0 ? 0 : stride * (height - 1) + width * order.count }

    /// Returns the indices of the samples of rows, from the first row's start to the end of the last row's pixels.
    package func samples(of rows: Range<Int>) -> Range<Int> {
        if rows.isEmpty { return 0..<0 }
        return rows.lowerBound * stride..<(rows.upperBound - 1) * stride + width * order.count
    }

    /// Returns the red, green and blue samples of all pixels without padding; throws if `samples` has too few.
    package func packed(_ samples: Span<UInt8>) throws(GscapError) -> [UInt8] {
        try check(count: samples.count)
        return copy(samples)
    }

    /// Returns the red, green and blue samples of all pixels without padding; throws if `samples` has too few.
    package func packed(_ samples: Span<UInt16>) throws(GscapError) -> [UInt16] {
        try check(count: samples.count)
        return copy(samples)
    }

    /// Throws unless the size and the stride are valid and memory of `count` samples is large enough.
    package func check(count: Int) throws(GscapError) {
        let sides = 1...MosaicFormat.maximumSide
        guard sides.contains(width), sides.contains(height), stride >= width * order.count,
            stride <= 8 * MosaicFormat.maximumSide, count >= sampleCount
        else {
            throw GscapError(
                .badFormat,
                "a buffer of \(count) samples is too small for a picture of \(width)×\(height) with rows of \(stride)")
        }
    }

    // Specialised for the two sample types above: a generic function called from another module would be slow.
    private func copy<Sample: BitwiseCopyable>(_ samples: Span<Sample>) -> [Sample] {
        let (red, green, blue) = order.offsets
        let (step, rowCount) = (order.count, width * Picture.channels)
        return samples.withView { samples in
            [Sample](fillingLarge: height * rowCount) { target in
                // Each band writes only its own rows.
                concurrentBands(rows: height, of: 64) { rows in
                    for row in rows {
                        let (source, target) = (samples + row * stride, target + row * rowCount)
                        if order == .rgb {
                            target.update(from: source, count: rowCount)
                            continue
                        }
                        for pixel in 0..<width {
                            target[Picture.channels * pixel] = source[step * pixel + red]
                            target[Picture.channels * pixel + 1] = source[step * pixel + green]
                            target[Picture.channels * pixel + 2] = source[step * pixel + blue]
                        }
                    }
                }
            }
        }
    }
}
