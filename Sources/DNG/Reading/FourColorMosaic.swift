internal import RawImage

/// A mosaic of four colours in a 2×2 pattern, and its interpolation to four samples a pixel.
///
/// Each colour is interpolated bilinearly on its own, as its samples are at every second pixel of every second row.
struct FourColorMosaic {
    let width: Int
    let height: Int
    /// The colour planes, 0 to 3, of the 2×2 cell at the top left.
    let planes: [Int]

    /// Returns four interleaved samples for each pixel, in the order of the planes.
    func interpolated(_ codes: [UInt16]) -> [UInt16] {
        unsafe codes.withUnsafeBufferPointer { codes in
            unsafe [UInt16](
                large: width * height * 4,
                inRanges: { values, target in
                    guard let codes = codes.baseAddress else { return }
                    // Ranges start and end at pixel boundaries, of four values each.
                    for pixel in values.lowerBound / 4..<values.upperBound / 4 {
                        unsafe interpolate(codes, row: pixel / width, column: pixel % width, target + pixel * 4)
                    }
                })
        }
    }

    /// Stores the four samples of a pixel: its own code, and the means of the codes beside, above and below, and at the
    /// corners. Outside the mosaic, it is mirrored at its first and last rows and columns.
    private func interpolate(
        _ codes: UnsafePointer<UInt16>, row: Int, column: Int, _ target: UnsafeMutablePointer<UInt16>
    ) {
        let left = column > 0 ? column - 1 : min(1, width - 1)
        let right = column < width - 1 ? column + 1 : max(column - 1, 0)
        let above = unsafe codes + (row > 0 ? row - 1 : min(1, height - 1)) * width
        let below = unsafe codes + (row < height - 1 ? row + 1 : max(row - 1, 0)) * width
        let line = unsafe codes + row * width
        let position = (row & 1) * 2 + column & 1
        unsafe target[planes[position]] = line[column]
        unsafe target[planes[position ^ 1]] = Self.mean(line[left], line[right])
        unsafe target[planes[position ^ 2]] = Self.mean(above[column], below[column])
        let corners = unsafe UInt32(above[left]) + UInt32(above[right]) + UInt32(below[left]) + UInt32(below[right])
        unsafe target[planes[position ^ 3]] = UInt16((corners + 2) / 4)
    }

    private static func mean(_ one: UInt16, _ other: UInt16) -> UInt16 { UInt16((UInt32(one) + UInt32(other) + 1) / 2) }
}
