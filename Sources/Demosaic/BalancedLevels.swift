package import RawImage

/// The conversion of codes to white-balanced linear values, (code - black) · gain. Black is 0; 1 in all colours is the
/// scene's white that just saturates the sensor in its most sensitive colour.
package struct BalancedLevels: Sendable, Hashable {
    /// Black level of the four positions in the CFA cell, or of red, green, blue and alpha.
    package let black: SIMD4<Float>
    /// Linear value per code above black, for the same four positions or colours.
    package let gain: SIMD4<Float>

    /// Creates the conversion for a mosaic; its four levels are those of the positions in the CFA cell, in reading
    /// order.
    package init(_ metadata: FrameMetadata, pattern: BayerPattern) throws(GscapError) {
        try self.init(metadata, planes: pattern.planes)
    }

    /// Creates the conversion for a linear photo; its four levels are those of red, green, blue and an unused alpha.
    package init(linear metadata: FrameMetadata) throws(GscapError) {
        try self.init(metadata, planes: [0, 1, 2, 1])
    }

    private init(_ metadata: FrameMetadata, planes: [Int]) throws(GscapError) {
        if let problem = metadata.problem { throw GscapError(.badMetadata, problem) }
        let sensitivity = metadata.relativeSensitivity
        var black = SIMD4<Float>()
        var gain = SIMD4<Float>()
        for position in 0..<4 {
            let level = metadata.blackLevel[position]
            let range = metadata.whiteLevel - level
            guard abs(level) <= 65_536, (1...131_072).contains(range) else {
                throw GscapError(
                    .badMetadata,
                    "blackLevel \(level) or whiteLevel \(metadata.whiteLevel) is out of range for 16-bit codes")
            }
            black[position] = Float(level)
            gain[position] = Float(1 / (range * sensitivity[planes[position]]))
        }
        self.black = black
        self.gain = gain
    }

    /// For each of the four positions or colours, the lowest code whose linear value is 1 or more.
    package var fullCodes: [UInt16] {
        (0..<4).map { position in
            let code = (black[position] + 1 / gain[position]).rounded(.up)
            return UInt16(max(0, min(65_535, code)))
        }
    }
}

extension FrameMetadata {
    /// The neutral (the camera's response to white) scaled so that its largest component is 1, with components of at
    /// least 1/64; `neutral` must be positive. All 1 for a camera without colour filters.
    package var relativeSensitivity: SIMD3<Double> {
        if isMonochrome { return SIMD3(repeating: 1) }
        let relative = neutral / neutral.max()
        return relative.clamped(lowerBound: SIMD3(repeating: 1 / 64), upperBound: SIMD3(repeating: 1))
    }
}
