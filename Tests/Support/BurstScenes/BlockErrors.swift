package import RawImage

/// The mean squared errors of a picture in blocks of 64×64 pixels; the last block of a row or column is shifted to lie
/// within the picture, and so overlaps its neighbour.
package struct BlockErrors {
    package static let side = 64

    /// The mean squared errors of the blocks, row by row.
    package let values: [Double]
    package let columns: Int

    /// Computes the mean squared differences of a picture's values from those of `truth`, by block.
    package init(_ values: [Float], truth: [Float], width: Int, height: Int) {
        let (tops, lefts) = (Self.starts(height), Self.starts(width))
        columns = lefts.count
        self.values = tops.flatMap { top in
            lefts.map { left in
                var sum = 0.0
                for row in top..<top + Self.side {
                    for position in row * width + left..<row * width + left + Self.side {
                        let error = Double(values[position] - truth[position])
                        sum += error * error
                    }
                }
                return sum / Double(Self.side * Self.side)
            }
        }
    }

    private static func starts(_ size: Int) -> [Int] {
        Array(stride(from: 0, to: size - side, by: side)) + [size - side]
    }
}

extension RandomBurst {
    /// Returns the noise-free red, green and blue signals of the frame with this index at all pixels, clipped at white.
    package func truths(frame index: Int) -> [[Float]] {
        (0..<3).map { color in signals(color: color)[index].map { min($0, 1) } }
    }

    /// Returns the mean squared errors of a photo's blocks, summed over the colours, in squared codes of a frame.
    package func blockErrors(_ photo: LinearImage, _ truths: [[Float]]) -> [Double] {
        let range = Float(metadata.whiteLevel - metadata.blackLevel[0])
        let colors = truths.enumerated().map { color, truth in
            let values = (0..<width * height).map { position in
                let index = position / width * photo.format.stride + 4 * (position % width) + color
                return Float(photo.values[index]) / 65_535 * range
            }
            return BlockErrors(values, truth: truth.map { $0 * range }, width: width, height: height).values
        }
        return colors[0].indices.map { colors[0][$0] + colors[1][$0] + colors[2][$0] }
    }
}
