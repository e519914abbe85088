internal import RawImage

extension LightLevels {
    /// How bright a picture gets: the pixels' largest numbers, and their mean.
    init(of picture: Picture) {
        let sums = codedBands(rows: picture.height, of: 64) { rows in
            var counts = [Int](repeating: 0, count: Self.steps)
            let codes = picture.codes(rows, maximum: Self.steps - 1)
            for pixel in stride(from: 0, to: codes.count, by: Picture.channels) {
                counts[Int(max(codes[pixel], codes[pixel + 1], codes[pixel + 2]))] += 1
            }
            return counts
        }
        let transfer = picture.color.transfer
        let light = (0..<Self.steps).map { step in
            transfer.light(Double(step) / Double(Self.steps - 1)) * PictureColor.Transfer.paperWhite
        }
        let counts = (0..<Self.steps).map { step in sums.reduce(0) { $0 + $1[step] } }
        let total = zip(counts, light).reduce(0) { $0 + Double($1.0) * $1.1 }
        brightest = light[counts.lastIndex { $0 > 0 } ?? 0]
        average = total / Double(max(1, counts.reduce(0, +)))
    }

    private static let steps = 4096
}
