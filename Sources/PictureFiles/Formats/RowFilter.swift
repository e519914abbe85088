internal import Kernels

/// Predictors that make rows of samples easier to deflate.
enum RowFilter {
    /// Filters rows for PNG, each preceded by its filter type: Sub, Up or Paeth, whichever has the smallest sum of
    /// absolute differences. `bytes` starts with the row above the first one.
    static func png(_ bytes: [UInt8], rowBytes: Int, pixelBytes: Int) -> [UInt8] {
        let rows = bytes.count / rowBytes - 1
        var result = [UInt8](repeating: 0, count: rows * (rowBytes + 1))
        var candidates = [[UInt8]](repeating: [UInt8](repeating: 0, count: rowBytes), count: 3)
        unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            for row in 0..<rows {
                let (above, now) = unsafe (start + row * rowBytes, start + (row + 1) * rowBytes)
                let sums = unsafe [
                    filterSub(now, step: pixelBytes, count: rowBytes, into: &candidates[0]),
                    filterUp(now, above: above, count: rowBytes, into: &candidates[1]),
                    filterPaeth(now, above: above, step: pixelBytes, count: rowBytes, into: &candidates[2]),
                ]
                let best = sums[2] < min(sums[0], sums[1]) ? 2 : sums[1] < sums[0] ? 1 : 0
                let offset = row * (rowBytes + 1)
                result[offset] = [1, 2, 4][best]
                result.replaceSubrange(offset + 1..<offset + 1 + rowBytes, with: candidates[best])
            }
        }
        return result
    }

    /// Applies TIFF's horizontal differencing (predictor 2) to rows of `rowCount` bytes; `step` is the samples per
    /// pixel.
    static func differences(_ bytes: [UInt8], rowCount: Int, step: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: bytes.count)
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe result.withUnsafeMutableBufferPointer { result in
                guard let from = bytes.baseAddress, let to = result.baseAddress else { return }
                for start in stride(from: 0, to: bytes.count, by: rowCount) {
                    unsafe Kernels.differences(ofBytes: from + start, step: step, count: rowCount, into: to + start)
                }
            }
        }
        return result
    }

    /// Applies TIFF's horizontal differencing (predictor 2) to rows of `rowCount` 16-bit words; `step` is the samples
    /// per pixel.
    static func differences(_ words: [UInt16], rowCount: Int, step: Int) -> [UInt16] {
        var result = [UInt16](repeating: 0, count: words.count)
        unsafe words.withUnsafeBufferPointer { words in
            unsafe result.withUnsafeMutableBufferPointer { result in
                guard let from = words.baseAddress, let to = result.baseAddress else { return }
                for start in stride(from: 0, to: words.count, by: rowCount) {
                    unsafe Kernels.differences(ofWords: from + start, step: step, count: rowCount, into: to + start)
                }
            }
        }
        return result
    }

    /// Applies TIFF's floating-point predictor (3) to rows of half floats: the high bytes of a row, then its low bytes,
    /// each as the difference from the byte `step` before it.
    static func halfDifferences(_ bits: [UInt16], rowCount: Int, step: Int) -> [UInt8] {
        var split = [UInt8](repeating: 0, count: bits.count * 2)
        unsafe bits.withUnsafeBufferPointer { bits in
            unsafe split.withUnsafeMutableBufferPointer { split in
                guard let from = bits.baseAddress, let to = split.baseAddress else { return }
                for start in stride(from: 0, to: bits.count, by: rowCount) {
                    unsafe splitBytePlanes(from + start, count: rowCount, into: to + start * 2)
                }
            }
        }
        return differences(split, rowCount: rowCount * 2, step: step)
    }

    /// Applies OpenEXR's ZIP predictor to words: all even bytes, then all odd bytes, each as the difference from the
    /// byte before it.
    static func exr(_ words: [UInt16]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: words.count * 2)
        unsafe words.withUnsafeBufferPointer { words in
            guard let start = words.baseAddress else { return }
            unsafe predictEXRBytes(start, count: words.count, into: &result)
        }
        return result
    }

    /// Separates each row of RGB pixels into its blue, green and red samples, the order of OpenEXR's channels.
    static func planes(_ pixels: [UInt16], width: Int) -> [UInt16] {
        var result = [UInt16](repeating: 0, count: pixels.count)
        unsafe pixels.withUnsafeBufferPointer { pixels in
            unsafe result.withUnsafeMutableBufferPointer { result in
                guard let from = pixels.baseAddress, let to = result.baseAddress else { return }
                for row in 0..<pixels.count / (width * 3) {
                    for channel in 0..<3 {
                        let target = unsafe to + (row * 3 + 2 - channel) * width
                        unsafe plane(channel, of: from + row * width * 3, count: width, into: target)
                    }
                }
            }
        }
        return result
    }

    /// Returns words as big-endian bytes.
    static func bigEndian(_ words: [UInt16]) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: words.count * 2) { target, filled in
            filled = words.count * 2
            guard let target = target.baseAddress else { return }
            unsafe storeBigEndian(words, count: words.count, to: target)
        }
    }

    /// Returns words as little-endian bytes.
    static func littleEndian(_ words: [UInt16]) -> [UInt8] {
        unsafe words.withUnsafeBytes { unsafe Array($0) }
    }
}
