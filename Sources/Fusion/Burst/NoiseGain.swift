internal import Demosaic
internal import Glibc
internal import RawImage

/// How much less noise a merged mosaic has than its reference, measured where the picture is flat.
enum NoiseGain {
    /// Blocks to a side of the picture that are looked at.
    private static let blocks = 64
    /// Cells to a side of a block.
    private static let side = 8
    /// A block is flat when the first green varies as noise does, times this; where it varies less it is clipped.
    private static let flatness = 0.6...1.2
    /// Fewer flat blocks tell nothing.
    private static let leastBlocks = 16

    /// The gain in dB of the variance; nil where nothing is flat. The merged codes are `scale` times as large.
    ///
    /// The first green says which blocks are flat and the second is measured: were they the same, blocks whose noise is
    /// small by chance would be chosen.
    static func measured(_ reference: Mosaic, _ merged: [UInt16], scale: Double) -> Double? {
        let format = reference.format
        let greens = (0..<4).filter { format.pattern.planes[$0] == 1 }
        let noise = CodeNoise(reference.metadata, format.pattern, gain: 1)
        let (columns, rows) = (format.width / 2 / side, format.height / 2 / side)
        guard columns > 0, rows > 0 else { return nil }
        var (before, after, count) = (0.0, 0.0, 0)
        for row in stride(from: 0, to: rows, by: max(1, rows / blocks)) {
            for column in stride(from: 0, to: columns, by: max(1, columns / blocks)) {
                let corner = Corner(x: column * side * 2, y: row * side * 2)
                let first = spread(reference.codes, format.stride, corner, place: greens[0])
                let signal = first.mean - reference.metadata.blackLevel[greens[0]]
                let expected = noise.variance(at: SIMD4(repeating: Float(signal)))[greens[0]]
                guard signal > 0, flatness.contains(first.variance / Double(expected)) else { continue }
                before += spread(reference.codes, format.stride, corner, place: greens[1]).variance
                after += spread(merged, format.width, corner, place: greens[1]).variance / (scale * scale)
                count += 1
            }
        }
        guard count >= leastBlocks, before > 0, after > 0 else { return nil }
        return 10 * log10(before / after)
    }

    private struct Corner {
        var x: Int
        var y: Int
    }

    /// The mean of a block's codes at one place of the cell, and their variance around the plane that fits them.
    private static func spread(
        _ codes: [UInt16], _ stride: Int, _ corner: Corner, place: Int
    ) -> (mean: Double, variance: Double) {
        var (sum, squares, across, down) = (0.0, 0.0, 0.0, 0.0)
        let middle = Double(side - 1) / 2
        for row in 0..<side {
            let start = (corner.y + 2 * row + place / 2) * stride + corner.x + place % 2
            for column in 0..<side {
                let code = Double(codes[start + 2 * column])
                sum += code
                squares += code * code
                across += code * (Double(column) - middle)
                down += code * (Double(row) - middle)
            }
        }
        let count = Double(side * side)
        // The sum of the squares of the distances from the middle.
        let moment = count * Double(side * side - 1) / 12
        let rest = squares - sum * sum / count - (across * across + down * down) / moment
        return (sum / count, max(rest, 0) / (count - 3))
    }
}
