internal import PictureCodecs
internal import RawImage

extension ContentLightLevel {
    /// Measures the content light level of a picture: the maximum and the mean, in cd/m², of the pixels' largest
    /// components.
    init(of picture: Picture) {
        let sums = encodedBands(rows: picture.height, of: 64) { rows in
            var counts = [Int](repeating: 0, count: Self.steps)
            let codes = picture.codes(rows, maximum: Self.steps - 1)
            for pixel in stride(from: 0, to: codes.count, by: Picture.channels) {
                counts[Int(max(codes[pixel], codes[pixel + 1], codes[pixel + 2]))] += 1
            }
            return counts
        }
        let transfer = picture.color.transfer
        let luminance = (0..<Self.steps).map { step in
            transfer.linearValue(Double(step) / Double(Self.steps - 1)) * PictureColor.Transfer.diffuseWhite
        }
        let counts = (0..<Self.steps).map { step in sums.reduce(0) { $0 + $1[step] } }
        let total = zip(counts, luminance).reduce(0) { $0 + Double($1.0) * $1.1 }
        maxCLL = luminance[counts.lastIndex { $0 > 0 } ?? 0]
        maxFALL = total / Double(max(1, counts.reduce(0, +)))
    }

    private static let steps = 4096
}
