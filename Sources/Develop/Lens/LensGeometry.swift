internal import RawImage

/// The size and optical centre of a photo, and the units of Lensfun's models: a distortion model's distance 1 is half
/// of the shorter side of the images that it was measured with, a vignetting model's their half diagonal.
struct LensGeometry {
    let width: Int
    let height: Int
    /// The optical centre in columns and rows, where 0 is the centre of the first pixel.
    let centre: SIMD2<Double>
    /// A pixel in distances of distortion models.
    let pixel: Double
    /// A pixel in distances of vignetting models.
    let vignettingPixel: Double

    /// Creates the geometry of a photo. `cropRatio` is the crop factor of the images that the lens was measured with,
    /// divided by the camera's; `aspectRatio` is that of those images. `shift` is the optical centre relative to the
    /// middle, in shorter sides.
    init(width: Int, height: Int, cropRatio: Double, aspectRatio: Double, shift: SIMD2<Double>) {
        self.width = width
        self.height = height
        let sides = SIMD2(Double(max(1, width - 1)), Double(max(1, height - 1)))
        let halfDiagonal = (sides * sides).sum().squareRoot() / 2
        centre = sides / 2 + shift * sides.min() / 2
        vignettingPixel = cropRatio / halfDiagonal
        pixel = vignettingPixel * (aspectRatio * aspectRatio + 1).squareRoot()
    }

    /// The optical centre as fractions of the photo's sides.
    var relativeCentre: GainTableMap.RelativePoint {
        GainTableMap.RelativePoint(down: centre.y / Double(height), across: centre.x / Double(width))
    }

    /// The optical centre as fractions of the photo's sides, for shading maps: their 0 is the edge of the first pixel.
    var relativeShadingCentre: GainTableMap.RelativePoint {
        GainTableMap.RelativePoint(
            down: (centre.y + 0.5) / Double(height), across: (centre.x + 0.5) / Double(width))
    }

    /// Returns the distance in pixels, from a centre, of the farthest corner: the unit of `LensWarp` and of radial
    /// shading maps.
    func farthest(from centre: GainTableMap.RelativePoint) -> Double {
        let far = SIMD2(
            max(centre.across, 1 - centre.across) * Double(width), max(centre.down, 1 - centre.down) * Double(height))
        return (far * far).sum().squareRoot()
    }

    /// Returns the part of the recorded image, as a factor of its size, that fills the whole corrected one: the largest
    /// for which no pixel of the corrected image lies outside the recorded one. Nil if the corrections leave less than
    /// half of the image.
    func filling(_ ratios: [RadialPolynomial]) -> Double? {
        let edge = border
        func isFilled(_ factor: Double) -> Bool {
            edge.allSatisfy { offset in
                let distance = (offset * offset).sum().squareRoot() * factor * pixel
                return ratios.allSatisfy { contains(centre + offset * factor * $0(distance)) }
            }
        }
        let (least, most, step) = (0.5, 2.0, 1.0 / 512)
        guard isFilled(least) else { return nil }
        var inside = least
        while inside + step <= most, isFilled(inside + step) { inside += step }
        var outside = inside + step
        for _ in 0..<20 {
            let middle = (inside + outside) / 2
            if isFilled(middle) { inside = middle } else { outside = middle }
        }
        return inside
    }

    private func contains(_ position: SIMD2<Double>) -> Bool {
        // A thousandth of a pixel is allowed for rounding.
        let slack = 1e-3
        return position.x >= -slack && position.y >= -slack && position.x <= Double(width - 1) + slack
            && position.y <= Double(height - 1) + slack
    }

    /// Points all along the border of the corrected image, relative to the optical centre.
    private var border: [SIMD2<Double>] {
        let (right, bottom) = (Double(width - 1), Double(height - 1))
        return stride(from: 0.0, through: 1, by: 1.0 / 16).flatMap { part in
            let (across, down) = (right * part, bottom * part)
            return [SIMD2(across, 0), SIMD2(across, bottom), SIMD2(0, down), SIMD2(right, down)].map { $0 - centre }
        }
    }
}
