internal import Glibc
internal import PictureCodecs
internal import RawImage

/// A display-referred preview in a DNG file: sRGB, 8 bits per sample.
public struct DNGPreview: Sendable, Hashable {
    /// The width in pixels.
    public let width: Int
    /// The height in rows.
    public let height: Int
    /// Interleaved red, green and blue bytes, row by row without padding; empty if the preview is only a JPEG.
    public let rgb: [UInt8]
    /// The preview as a JPEG file; empty until compressed.
    public let jpeg: [UInt8]

    /// Creates a preview from RGB bytes; throws unless there are exactly three per pixel.
    public init(width: Int, height: Int, rgb: [UInt8]) throws(GscapError) {
        let sides = 1...MosaicFormat.maximumSide
        guard sides.contains(width), sides.contains(height), rgb.count == width * height * 3 else {
            throw GscapError(
                .badPicture, "\(rgb.count) bytes do not match a \(width)×\(height) preview of three bytes a pixel")
        }
        self.width = width
        self.height = height
        self.rgb = rgb
        jpeg = []
    }

    /// Creates a preview from a JPEG file of three components and its size in pixels.
    package init(width: Int, height: Int, jpeg: [UInt8]) {
        self.width = width
        self.height = height
        rgb = []
        self.jpeg = jpeg
    }

    /// Creates a JPEG preview of a picture that is rendered in bands, so that it is never in memory as a whole. `make`
    /// fills a buffer with the RGB bytes of a range of rows; it is called on several threads. Quality is 1…100.
    package init(
        width: Int, height: Int, quality: Int, _ make: (Range<Int>, inout MutableSpan<UInt8>) throws -> Void
    ) throws {
        jpeg = try JPEGBands.compress(width: width, height: height, quality: quality, make)
        (self.width, self.height) = (width, height)
        rgb = []
    }

    /// Returns the preview as a JPEG without the RGB bytes, about a tenth of the memory; compresses on all cores.
    /// Quality is 1…100.
    public func compressed(quality: Int) throws(GscapError) -> DNGPreview {
        if !jpeg.isEmpty { return self }
        let jpeg = try JPEGBands.compress(rgb: rgb, width: width, height: height, quality: quality)
        return DNGPreview(width: width, height: height, jpeg: jpeg)
    }

    /// Renders a plain preview of a raw picture: the mean of up to 4×4 evenly spaced cells under each preview pixel,
    /// then black subtraction, white balance and the sRGB curve.
    init(of picture: RawPictureFormat, _ codes: UnsafePointer<UInt16>, metadata: FrameMetadata, longestSide: Int) {
        let cells = picture.cells
        let box = max(1, (max(cells.columns, cells.rows) + longestSide - 1) / longestSide)
        let size = (width: max(1, cells.columns / box), height: max(1, cells.rows / box))
        // The shorter side of a picture may have fewer cells than a box.
        let (columns, rows) = (min(box, cells.columns), min(box, cells.rows))
        let levels = PreviewLevels(metadata, cellOffsets: picture.cellOffsetsByColor)
        let reader = picture.cellReader
        let curve = Self.curve
        let (stepAcross, stepDown) = ((columns + 3) / 4, (rows + 3) / 4)
        let samples = (columns + stepAcross - 1) / stepAcross * ((rows + stepDown - 1) / stepDown)
        var rgb: [UInt8] = []
        rgb.reserveCapacity(size.width * size.height * 3)
        for y in 0..<size.height {
            for x in 0..<size.width {
                var sum = SIMD4<Float>()
                for row in stride(from: y * rows, to: (y + 1) * rows, by: stepDown) {
                    for column in stride(from: x * columns, to: (x + 1) * columns, by: stepAcross) {
                        sum += unsafe reader.cell(codes, row: row, column: column)
                    }
                }
                let color = levels.color(sum / Float(samples)) * Float(curve.count - 1)
                for plane in 0..<3 { rgb.append(curve[Int(color[plane])]) }
            }
        }
        (self.width, self.height) = size
        self.rgb = rgb
        jpeg = []
    }

    /// The sRGB transfer function as a table: 8-bit values of linear 0…1 in 4096 steps.
    private static let curve = (0..<4096).map { step in
        let linear = Double(step) / 4095
        let shown = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055
        return UInt8((shown * 255).rounded())
    }
}

/// The conversion of codes to white-balanced linear colour in 0…1.
private struct PreviewLevels {
    private let black: SIMD4<Float>
    private let scale: SIMD4<Float>
    private let gain: SIMD3<Float>

    init(_ metadata: FrameMetadata, cellOffsets: [Int]) {
        let blacks = cellOffsets.map { metadata.blackLevel[$0] }
        black = SIMD4(Float(blacks[0]), Float(blacks[1]), Float(blacks[2]), Float(blacks[3]))
        scale = 1 / (SIMD4(repeating: Float(metadata.whiteLevel)) - black)
        // Limit the gain: infinity (from a neutral of 0) times 0 would be NaN.
        gain = SIMD3<Float>(metadata.neutral.max() / metadata.neutral).clamped(
            lowerBound: SIMD3(), upperBound: SIMD3(repeating: 1000))
    }

    /// Returns the white-balanced linear colour, 0…1, of a cell's red, first green, second green and blue codes.
    func color(_ cell: SIMD4<Float>) -> SIMD3<Float> {
        let linear = (cell - black) * scale
        return (SIMD3(linear.x, (linear.y + linear.z) / 2, linear.w) * gain)
            .clamped(lowerBound: SIMD3(), upperBound: SIMD3(repeating: 1))
    }
}
