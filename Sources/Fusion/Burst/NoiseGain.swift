internal import Demosaic
internal import Glibc
internal import PixelMemory
internal import RawImage

/// The noise reduction of a merged mosaic against its reference, measured in flat areas.
enum NoiseGain {
    /// The least number of blocks that are sampled in a row or column of the picture, where it has that many; about
    /// twice as many at most.
    private static let blocks = 64
    /// The quads (2×2 pixels) in a row or column of a block.
    private static let side = 8
    /// The ratios of measured to expected variance of the first green plane at which a block counts as flat; a lower
    /// ratio means clipping.
    private static let flatness = 0.6...1.2
    /// The fewest flat blocks for a reliable result.
    private static let leastBlocks = 16

    /// Returns the reduction of the noise variance in dB; nil if too few blocks are flat. The merged codes above black
    /// are `scale` times as large as the reference's.
    ///
    /// The first green plane selects the flat blocks and the second is measured: selecting and measuring the same plane
    /// would favour blocks whose noise is low by chance.
    static func measured(_ reference: Mosaic, _ merged: [UInt16], scale: Double) -> Double? {
        let width = reference.format.width
        var (before, after, count) = (0.0, 0.0, 0)
        merged.withView { merged in
            reference.codes.withView { codes in
                forEachFlatBlock(of: codes, reference.format, reference.metadata) { corner, position, variance in
                    before += variance
                    after += spread(merged, width, corner, position: position).variance / (scale * scale)
                    count += 1
                    return true
                }
            }
        }
        guard count >= leastBlocks, before > 0, after > 0 else { return nil }
        return 10 * log10(before / after)
    }

    /// Returns the reduction if no frame was merged: 0 dB, because the merged codes are the reference's, or nil if too
    /// few blocks are flat. It measures no more blocks than it needs.
    static func unmerged(
        _ codes: MemoryView<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata
    ) -> Double? {
        var (variances, count) = (0.0, 0)
        forEachFlatBlock(of: codes, format, metadata) { _, _, variance in
            variances += variance
            count += 1
            return count < leastBlocks || variances == 0
        }
        return count >= leastBlocks && variances > 0 ? 0 : nil
    }

    /// Calls `body` with each flat block's corner, the CFA position of the second green plane and that plane's
    /// variance, until it returns false.
    private static func forEachFlatBlock(
        of codes: MemoryView<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata,
        _ body: (_ corner: Corner, _ position: Int, _ variance: Double) -> Bool
    ) {
        let black = metadata.blackLevel
        let greens = (0..<4).filter { format.pattern.planes[$0] == 1 }
        let noise = CodeNoise(metadata, format.pattern, gain: 1)
        let (columns, rows) = (format.width / 2 / side, format.height / 2 / side)
        guard columns > 0, rows > 0 else { return }
        for row in stride(from: 0, to: rows, by: max(1, rows / blocks)) {
            for column in stride(from: 0, to: columns, by: max(1, columns / blocks)) {
                let corner = Corner(x: column * side * 2, y: row * side * 2)
                let first = spread(codes, format.stride, corner, position: greens[0])
                let signal = first.mean - black[greens[0]]
                let expected = noise.variance(at: SIMD4(repeating: Float(signal)))[greens[0]]
                guard signal > 0, flatness.contains(first.variance / Double(expected)) else { continue }
                let second = spread(codes, format.stride, corner, position: greens[1])
                if !body(corner, greens[1], second.variance) { return }
            }
        }
    }

    private struct Corner {
        var x: Int
        var y: Int
    }

    /// Returns the mean of a block's codes at one CFA position, and their variance around the fitted plane.
    private static func spread(
        _ codes: MemoryView<UInt16>, _ stride: Int, _ corner: Corner, position: Int
    ) -> (mean: Double, variance: Double) {
        var (sum, squares, across, down) = (0.0, 0.0, 0.0, 0.0)
        let middle = Double(side - 1) / 2
        for row in 0..<side {
            let start = (corner.y + 2 * row + position / 2) * stride + corner.x + position % 2
            for column in 0..<side {
                let code = Double(codes[start + 2 * column])
                sum += code
                squares += code * code
                across += code * (Double(column) - middle)
                down += code * (Double(row) - middle)
            }
        }
        let count = Double(side * side)
        // The sum of squared distances from the centre, along one axis.
        let moment = count * Double(side * side - 1) / 12
        let rest = squares - sum * sum / count - (across * across + down * down) / moment
        return (sum / count, max(rest, 0) / (count - 3))
    }
}
