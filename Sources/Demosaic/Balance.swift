package import RawImage

/// How the codes of a picture become white-balanced light: black is 0, and each colour of the scene's white that just
/// fills the sensor in its strongest colour is 1.
package struct Balance: Sendable, Hashable {
    /// The code of no light at each place of the cell, or of red, green, blue and alpha.
    package let black: SIMD4<Float>
    /// Light a code above black.
    package let gain: SIMD4<Float>

    /// The balance of a mosaic's four places in reading order.
    package init(_ metadata: FrameMetadata, pattern: BayerPattern) throws(RawImageError) {
        try self.init(metadata, planes: pattern.planes)
    }

    /// The balance of a linear photo's red, green, blue and (meaningless) alpha.
    package init(linear metadata: FrameMetadata) throws(RawImageError) {
        try self.init(metadata, planes: [0, 1, 2, 1])
    }

    private init(_ metadata: FrameMetadata, planes: [Int]) throws(RawImageError) {
        if let problem = metadata.problem { throw RawImageError(.badMetadata, problem) }
        let sensitivity = metadata.relativeSensitivity
        var black = SIMD4<Float>()
        var gain = SIMD4<Float>()
        for place in 0..<4 {
            let level = metadata.blackLevel[place]
            let range = metadata.whiteLevel - level
            guard abs(level) <= 65_536, (1...131_072).contains(range) else {
                throw RawImageError(
                    .badMetadata, "blackLevel \(level) and whiteLevel \(metadata.whiteLevel) do not suit 16-bit codes")
            }
            black[place] = Float(level)
            gain[place] = Float(1 / (range * sensitivity[planes[place]]))
        }
        self.black = black
        self.gain = gain
    }

    /// The lowest code at each place whose light reaches 1.
    package var fullCodes: [UInt16] {
        (0..<4).map { place in
            let code = (black[place] + 1 / gain[place]).rounded(.up)
            return UInt16(max(0, min(65_535, code)))
        }
    }
}

extension FrameMetadata {
    /// The camera's response to the scene's white, largest 1; `neutral` must hold positive numbers.
    package var relativeSensitivity: SIMD3<Double> {
        let relative = neutral / neutral.max()
        return relative.clamped(lowerBound: SIMD3(repeating: 1 / 64), upperBound: SIMD3(repeating: 1))
    }
}
