import Develop
import Glibc
import RawImage

/// A camera with a known colour matrix under daylight, so that the colours of its photos can be predicted.
enum TestCamera {
    /// The matrix from CIE XYZ to camera RGB.
    static let colorMatrix = Matrix3(SIMD3(0.9, -0.3, -0.1), SIMD3(-0.4, 1.2, 0.2), SIMD3(-0.05, 0.2, 0.6))

    /// The matrix from linear sRGB to XYZ, from the primaries of IEC 61966-2-1.
    static let xyzFromLinearSRGB = Matrix3(
        SIMD3(0.4124564, 0.3575761, 0.1804375), SIMD3(0.2126729, 0.7151522, 0.0721750),
        SIMD3(0.0193339, 0.1191920, 0.9503041))

    /// Returns the camera's response to a linear sRGB colour; 1 is the strongest channel's response to white.
    static func response(_ color: SIMD3<Double>) -> SIMD3<Double> {
        let toCamera = colorMatrix * xyzFromLinearSRGB
        return toCamera * color / (toCamera * SIMD3(repeating: 1)).max()
    }

    /// Metadata of the camera's frames, with a different black level at each CFA position.
    static var metadata: FrameMetadata {
        var metadata = FrameMetadata(bitDepth: 14)
        metadata.blackLevel = [500, 510, 520, 530]
        metadata.whiteLevel = 15_000
        metadata.neutral = response(SIMD3(repeating: 1))
        metadata.calibrations = [ColorCalibration(illuminant: .d65, colorMatrix: colorMatrix)]
        return metadata
    }

    /// Returns a mosaic of a scene, given as linear sRGB colours by row and column.
    static func mosaic(
        _ width: Int, _ height: Int, _ pattern: BayerPattern = .rggb, metadata: FrameMetadata = metadata,
        stride: Int? = nil, _ scene: (Int, Int) -> SIMD3<Double>
    ) throws -> Mosaic {
        let format = MosaicFormat(width: width, height: height, pattern: pattern, bitDepth: 14, stride: stride)
        var codes = [UInt16](repeating: 0xDEAD, count: format.codeCount)
        for row in 0..<height {
            for column in 0..<width {
                let black = metadata.blackLevel[2 * (row & 1) + column & 1]
                let light = response(scene(row, column))[pattern.plane(row: row, column: column)]
                let code = (black + (metadata.whiteLevel - black) * light).rounded()
                codes[row * format.stride + column] = UInt16(max(0, min(metadata.whiteLevel, code)))
            }
        }
        return try Mosaic(format: format, metadata: metadata, codes: codes)
    }
}

/// Encodes a linear value 0…1 to sRGB on a scale of 0…255 by the formula of the standard.
func display(_ light: Double) -> Double {
    let inRange = max(0, min(1, light))
    return 255 * (inRange <= 0.0031308 ? 12.92 * inRange : 1.055 * pow(inRange, 1 / 2.4) - 0.055)
}

/// Decodes sRGB on a scale of 0…255 to linear values 0…1 by the formula of the standard.
func linear(_ color: SIMD3<Double>) -> SIMD3<Double> {
    var result = color / 255
    for plane in 0..<3 {
        result[plane] = result[plane] <= 0.04045 ? result[plane] / 12.92 : pow((result[plane] + 0.055) / 1.055, 2.4)
    }
    return result
}

/// Returns a sine of period 1.
func wave(_ turns: Double) -> Double { sin(2 * .pi * turns) }

/// A rendered picture of 8-bit display pixels with its format.
struct DisplayPicture: Equatable {
    let format: DisplayFormat
    let bytes: [UInt8]

    /// The red, green and blue of a pixel, 0…255; for RGB pictures only.
    subscript(row: Int, column: Int) -> SIMD3<Double> {
        let start = row * format.stride + 3 * column
        return SIMD3(Double(bytes[start]), Double(bytes[start + 1]), Double(bytes[start + 2]))
    }

    /// The red, green and blue of all pixels, 0…255, row by row; for RGB pictures only.
    var pixels: [SIMD3<Double>] {
        (0..<format.width * format.height).map { self[$0 / format.width, $0 % format.width] }
    }
}

extension PreviewRenderer {
    func preview(_ mosaic: Mosaic, _ output: DisplayFormat, cores: Int? = nil) throws -> DisplayPicture {
        var bytes = [UInt8](repeating: 99, count: max(0, output.byteCount))
        var span = bytes.mutableSpan
        try preview(mosaic.codes.span, format: mosaic.format, into: &span, output: output, cores: cores)
        return DisplayPicture(format: output, bytes: bytes)
    }

    func preview(_ mosaic: Mosaic, _ width: Int, _ height: Int) throws -> DisplayPicture {
        try preview(mosaic, DisplayFormat(width: width, height: height, layout: .rgb))
    }

    /// Renders a mosaic with the full renderer, using the preview's exposure and no step that previews lack.
    func rendered(_ mosaic: Mosaic, _ output: DisplayFormat, cores: Int? = nil) throws -> DisplayPicture {
        var look = Recipe.plain
        look.exposure = recipe.exposure
        look.sharpness = 0
        (look.luminanceNoiseReduction, look.colorNoiseReduction) = (0, 0)
        look.mapsGamut = false
        var mosaic = mosaic
        mosaic.metadata = metadata
        var bytes = [UInt8](repeating: 99, count: max(0, output.byteCount))
        var span = bytes.mutableSpan
        try Renderer(mosaic: mosaic, recipe: look).render(.init(), into: &span, display: output, cores: cores)
        return DisplayPicture(format: output, bytes: bytes)
    }

    func rendered(_ mosaic: Mosaic) throws -> DisplayPicture {
        try rendered(mosaic, DisplayFormat(width: mosaic.format.width, height: mosaic.format.height, layout: .rgb))
    }

    func develop(_ photo: LinearImage, _ width: Int, _ height: Int) throws -> DisplayPicture {
        let output = DisplayFormat(width: width, height: height, layout: .rgb)
        var bytes = [UInt8](repeating: 99, count: output.byteCount)
        var span = bytes.mutableSpan
        try develop(photo.values.span, format: photo.format, into: &span, output: output)
        return DisplayPicture(format: output, bytes: bytes)
    }
}

/// Returns the largest absolute difference between the components of two colours.
func distance(_ first: SIMD3<Double>, _ second: SIMD3<Double>) -> Double {
    let difference = first - second
    return (0..<3).map { abs(difference[$0]) }.max() ?? 0
}
