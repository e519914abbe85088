internal import RawImage

extension Picture {
    /// Returns the picture rotated and mirrored according to an Exif orientation, so that it is shown upright by
    /// readers that do not get an orientation.
    func upright(from orientation: Int) throws(GscapError) -> Picture {
        if orientation <= 1 || orientation > 8 { return self }
        let swaps = orientation > 4
        let size = swaps ? (width: height, height: width) : (width: width, height: height)
        // Returns the coordinates, in this picture, of the pixel at (x, y) in the result.
        func source(_ x: Int, _ y: Int) -> (x: Int, y: Int) {
            switch orientation {
            case 2: (width - 1 - x, y)
            case 3: (width - 1 - x, height - 1 - y)
            case 4: (x, height - 1 - y)
            case 5: (y, x)
            case 6: (y, height - 1 - x)
            case 7: (width - 1 - y, height - 1 - x)
            default: (width - 1 - y, x)
            }
        }
        func turned<Number>(_ values: [Number]) -> [Number] {
            var result = values
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let from = source(x, y)
                    for channel in 0..<Self.channels {
                        result[(y * size.width + x) * 3 + channel] = values[(from.y * width + from.x) * 3 + channel]
                    }
                }
            }
            return result
        }
        let samples: Samples =
            switch samples {
            case .bytes(let values): .bytes(turned(values))
            case .words(let values): .words(turned(values))
            case .halves(let values): .halves(turned(values))
            }
        return try GscapError.recoding(
            as: .badPicture, try Picture(width: size.width, height: size.height, color: color, samples: samples))
    }
}
