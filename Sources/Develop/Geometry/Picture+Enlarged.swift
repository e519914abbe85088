internal import RawImage

extension Picture {
    /// Returns the picture with its sides enlarged, by linear interpolation between its pixels.
    func enlarged(width: Int, height: Int) throws(GscapError) -> Picture {
        guard width != self.width || height != self.height else { return self }
        let across = LinearAxis(length: self.width, count: width)
        let down = LinearAxis(length: self.height, count: height)
        let larger: Samples =
            switch samples {
            case .bytes(let values):
                .bytes(Self.enlarged(values, across, down, Float.init) { UInt8($0.rounded()) })
            case .words(let values):
                .words(Self.enlarged(values, across, down, Float.init) { UInt16($0.rounded()) })
            case .halves(let values):
                .halves(Self.enlarged(values, across, down, Float.init) { Float16($0) })
            }
        return try GscapError.checking { () throws(GscapError) in
            try Picture(width: width, height: height, color: color, samples: larger)
        }
    }

    /// Interpolates rows, and then columns, which takes only the mean of two samples for each.
    private static func enlarged<Sample>(
        _ source: [Sample], _ across: LinearAxis, _ down: LinearAxis, _ decode: (Sample) -> Float,
        _ encode: (Float) -> Sample
    ) -> [Sample] {
        let length = across.length * channels
        var larger: [Sample] = []
        larger.reserveCapacity(across.pairs.count * down.pairs.count * channels)
        var line = [Float](repeating: 0, count: length)
        for row in down.pairs {
            let (upper, lower) = (row.first * length, row.second * length)
            for index in 0..<length {
                let above = decode(source[upper + index])
                line[index] = above + (decode(source[lower + index]) - above) * row.weight
            }
            for column in across.pairs {
                for channel in 0..<channels {
                    let left = line[column.first * channels + channel]
                    larger.append(encode(left + (line[column.second * channels + channel] - left) * column.weight))
                }
            }
        }
        return larger
    }
}

/// The two pixels of a side between whose centres the centre of each pixel of the enlarged side lies.
private struct LinearAxis {
    let length: Int
    /// The pixels, and the weight of the second.
    let pairs: [(first: Int, second: Int, weight: Float)]

    init(length: Int, count: Int) {
        self.length = length
        pairs = (0..<count).map { pixel in
            let centre = (Double(pixel) + 0.5) * Double(length) / Double(count) - 0.5
            let first = min(max(Int(centre.rounded(.down)), 0), length - 1)
            return (first, min(first + 1, length - 1), Float(min(max(centre - Double(first), 0), 1)))
        }
    }
}
