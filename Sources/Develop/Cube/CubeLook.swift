/// A look in a `.cube` file (Adobe's Cube LUT format): curves (a 1D table), a 3D table, or curves and then a 3D table.
///
/// It maps display-referred sRGB-encoded colours to others. `RAWFilter.cubeLook` applies it to rendered pictures.
public struct CubeLook: Sendable, Hashable {
    /// The title in the file; empty if it has none.
    public let title: String
    let curves: Curves?
    let cube: Cube?

    /// Curves of red, green and blue, as evenly spaced samples over the input range.
    struct Curves: Sendable, Hashable {
        let samples: [SIMD3<Float>]
        let domain: Domain
    }

    /// A 3D table: output colours at the points of an even grid over the input range. Red varies fastest.
    struct Cube: Sendable, Hashable {
        let side: Int
        let colors: [SIMD3<Float>]
        let domain: Domain
    }

    /// The range of input values that a table covers; values outside are clamped to it.
    struct Domain: Sendable, Hashable {
        var lowest = SIMD3<Float>(repeating: 0)
        var highest = SIMD3<Float>(repeating: 1)

        /// Returns the position of a colour in the range, each component from 0 to 1.
        func position(_ color: SIMD3<Float>) -> SIMD3<Float> {
            ((color - lowest) / (highest - lowest)).clamped(lowerBound: .zero, upperBound: .one)
        }
    }

    /// The valid numbers of samples along each axis of a 3D table.
    public static let cubeSides = 2...256
    /// The valid numbers of samples of the curves.
    public static let curveSizes = 2...65_536

    /// Reads the text of a `.cube` file; errors name the line.
    public init(text: [UInt8]) throws(GscapError) {
        var parser = CubeParser(text)
        (title, curves, cube) = try parser.parse()
    }

    /// Returns the colour that the look maps a colour to, with components from 0 to 1.
    public func color(for color: SIMD3<Float>) -> SIMD3<Float> {
        var color = color
        if let curves { color = curves.color(for: color) }
        if let cube { color = cube.color(for: color) }
        return color.clamped(lowerBound: .zero, upperBound: .one)
    }
}

extension CubeLook.Curves {
    /// Interpolates linearly between the two nearest samples of each curve.
    func color(for color: SIMD3<Float>) -> SIMD3<Float> {
        let last = samples.count - 1
        let position = domain.position(color) * Float(last)
        var result = SIMD3<Float>()
        for channel in 0..<3 {
            let lower = min(Int(position[channel]), last)
            let (low, high) = (samples[lower][channel], samples[min(lower + 1, last)][channel])
            result[channel] = low + (high - low) * (position[channel] - Float(lower))
        }
        return result
    }
}

extension CubeLook.Cube {
    /// Interpolates in the tetrahedron, one of six of the cell, that contains the colour. Its corners lie on the path
    /// from the cell's lowest to its highest corner that steps along the axes by descending fraction.
    func color(for color: SIMD3<Float>) -> SIMD3<Float> {
        let position = domain.position(color) * Float(side - 1)
        // The last cell also holds its upper boundary.
        let (red, green, blue) = (
            min(Int(position.x), side - 2), min(Int(position.y), side - 2), min(Int(position.z), side - 2)
        )
        let fraction = position - SIMD3(Float(red), Float(green), Float(blue))
        let base = (blue * side + green) * side + red
        let (x, y, z) = (fraction.x, fraction.y, fraction.z)
        let (toRed, toGreen, toBlue) = (1, side, side * side)
        // The axes by descending fraction: the step to the next grid point, and the fraction.
        let (first, second): (Int, Int)
        let (most, middle, least): (Float, Float, Float)
        if x >= y {
            if y >= z {
                (first, second, most, middle, least) = (toRed, toGreen, x, y, z)
            } else if x >= z {
                (first, second, most, middle, least) = (toRed, toBlue, x, z, y)
            } else {
                (first, second, most, middle, least) = (toBlue, toRed, z, x, y)
            }
        } else if x >= z {
            (first, second, most, middle, least) = (toGreen, toRed, y, x, z)
        } else if y >= z {
            (first, second, most, middle, least) = (toGreen, toBlue, y, z, x)
        } else {
            (first, second, most, middle, least) = (toBlue, toGreen, z, y, x)
        }
        let low = colors[base] * (1 - most) + colors[base + first] * (most - middle)
        let high =
            colors[base + first + second] * (middle - least) + colors[base + toRed + toGreen + toBlue] * least
        return low + high
    }
}
