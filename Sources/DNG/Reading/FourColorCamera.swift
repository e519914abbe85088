internal import RawImage

/// The colour conversion of a camera with four colours, from the four-row colour matrices of its file.
///
/// The picture is converted to three virtual camera colours, linear ProPhoto RGB of the white-balanced scene, so that
/// whatever follows knows three colours only. As in the Adobe DNG SDK, each colour is clipped at the camera's response
/// to white, and without ForwardMatrix and ReductionMatrix the colour matrix is inverted by its pseudo-inverse.
struct FourColorCamera {
    /// The scene's white.
    private let white: Chromaticity
    /// The camera's response to the scene's white, at most 1.
    private let neutral: [Double]
    /// The matrix from the four camera colours to XYZ (D50), of three rows.
    private let toXYZ: [[Double]]

    /// The linear ProPhoto RGB colours in XYZ (D50), by rows (ROMM RGB, ISO 22028-2).
    private static let proPhoto = Matrix3(
        SIMD3(0.7976749, 0.1351917, 0.0313534), SIMD3(0.2880402, 0.7118741, 0.0000857), SIMD3(0, 0, 0.8252100))

    /// Reads the matrices of a file; throws if they are missing or not those of four colours.
    init(_ first: TIFFDirectory) throws(GscapError) {
        let matrices = FourColorMatrices(first)
        guard let matrices else {
            throw GscapError(
                .malformed,
                "the picture has four colours, but \(TIFFTag.colorMatrix1) does not have their twelve finite numbers",
                at: TIFFLocation(first, .colorMatrix1))
        }
        white = matrices.white
        let (color, forward) = matrices.mean(at: white)
        let response = color.times(white.color)
        guard let largest = response.max(), largest > 0, let scaled = response.positive(dividedBy: largest) else {
            throw GscapError(
                .malformed, "the camera's response to white, by \(TIFFTag.colorMatrix1), is not above 0",
                at: TIFFLocation(first, .colorMatrix1))
        }
        neutral = scaled
        let toXYZ = forward.map { forward in
            forward.map { row in zip(row, scaled).map { $0 / $1 } }
        }
        let inverse = { () -> [[Double]]? in
            // The colour matrix for D50, scaled so that white has the largest response 1.
            let adapted = color.times(Chromaticity.d50.adaptation(to: matrices.white))
            return adapted.map { row in row.map { $0 / largest } }.pseudoInverse(reducedBy: matrices.reduction)
        }
        guard let toXYZ = toXYZ ?? inverse(), toXYZ.allSatisfy({ $0.allSatisfy(\.isFinite) }) else {
            throw GscapError(
                .malformed, "\(TIFFTag.colorMatrix1) of the four colours cannot be inverted",
                at: TIFFLocation(first, .colorMatrix1))
        }
        self.toXYZ = toXYZ
    }

    /// The colour calibration of the three virtual colours: it maps them to XYZ as ProPhoto RGB of the scene's white.
    var calibration: ColorCalibration? {
        guard let inverse = Self.proPhoto.inverse else { return nil }
        return ColorCalibration(illuminant: .d50, colorMatrix: inverse * white.adaptation(to: .d50))
    }

    /// Converts four samples a pixel to three virtual colours from 0 to 65535, and opaque alpha.
    func rgb(_ samples: [UInt16], _ format: LinearFormat, _ metadata: FrameMetadata) throws(GscapError) -> [UInt16] {
        guard let toRGB = Self.proPhoto.inverse, metadata.blackLevel.count == 4 else { return [] }
        // The columns of the matrix from the four codes above black to the codes of the three colours.
        let columns = (0..<4).map { plane -> SIMD3<Float> in
            let color = toRGB * SIMD3(toXYZ[0][plane], toXYZ[1][plane], toXYZ[2][plane])
            return SIMD3<Float>(color * (65_535 / (metadata.whiteLevel - metadata.blackLevel[plane])))
        }
        let black = (0..<4).map { Float(metadata.blackLevel[$0]) }
        let most = (0..<4).map { Float(neutral[$0] * (metadata.whiteLevel - metadata.blackLevel[$0])) }
        return unsafe samples.withUnsafeBufferPointer { samples in
            unsafe [UInt16](
                large: format.valueCount,
                inRanges: { values, target in
                    guard let source = samples.baseAddress else { return }
                    // Ranges start and end at pixel boundaries, of four values each.
                    for pixel in values.lowerBound / 4..<values.upperBound / 4 {
                        var sum = SIMD3<Float>(repeating: 0.5)
                        for plane in 0..<4 {
                            let code = unsafe Float(source[pixel &* 4 &+ plane]) - black[plane]
                            sum += columns[plane] * max(0, min(code, most[plane]))
                        }
                        sum.clamp(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 65_535))
                        let codes = SIMD3<UInt16>(truncatingIfNeeded: SIMD3<Int32>(sum))
                        for plane in 0..<3 { unsafe target[pixel &* 4 &+ plane] = codes[plane] }
                        unsafe target[pixel &* 4 &+ 3] = .max
                    }
                })
        }
    }
}
