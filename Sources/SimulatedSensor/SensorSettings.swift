public import RawImage

/// The scene in front of the simulated sensor.
public enum SensorScene: Sendable, Hashable {
    /// The built-in still life with a colour chart, a step wedge, a Siemens star, text, skin, sky and foliage.
    case chart
    /// A PNG or TIFF file, scaled to fill the frame.
    case picture(path: String)
}

/// The settings of a simulated sensor. Sensors with equal settings produce identical frames.
public struct SensorSettings: Sendable, Hashable {
    /// Width in pixels, 16…8064.
    public var width = 4032
    /// Height in pixels, 16…6048.
    public var height = 3024
    /// Bayer pattern at the image origin.
    public var pattern = BayerPattern.rggb
    /// Whether the sensor has no colour filters; the pattern is then ignored.
    public var isMonochrome = false
    /// Bits per code: 8, 10, 12, 14 or 16.
    public var bitDepth = 12
    /// Seed of the pseudo-random noise, hot pixels and camera shake.
    public var seed: UInt64 = 1
    /// Exposure time and ISO speed until others are requested.
    public var controls = SensorControls()
    /// Colour temperature of the illuminant in kelvin, 2000…12000; the neutral in the metadata matches it.
    public var colorTemperature = 5500.0
    /// The scene in front of the simulated camera: the built-in chart, or a picture file.
    public var scene = SensorScene.chart
    /// The lens of the camera: field of view, distortion and pose.
    public var lens = SensorLens()
    /// Whether the metadata states the calibration of the lens. The edges of the built-in scene's patches are then at
    /// the same places in all lenses, to a fraction of a pixel.
    public var statesCalibration = false
    /// Amplitude of the camera shake in pixels, 0…64, as the default lens shows it.
    public var shake = 2.0
    /// Whether an object, a balloon, moves through the scene.
    public var motion = true
    /// Lens shading: the fraction of light lost in the corners, 0…0.9.
    public var vignetting = 0.25
    /// Hot pixels per million, 0…10000.
    public var hotPixels = 20.0
    /// Whether noise is simulated.
    public var noise = true
    /// Whether the metadata states the noise profile, as hardly any camera on Linux does.
    public var statesNoise = true
    /// Whether to render the ground truth: without noise, hot pixels and shake, and with the moving object at rest.
    public var truth = false
    /// Fraction of the frames that are lost on their way, 0…0.9, chosen pseudo-randomly by the seed.
    public var dropped = 0.0
    /// Frame rate in frames per second, 0.001…1000, which determines timestamps, shake and motion.
    public var frameRate = 30.0
    /// Start of frame 0 in microseconds since 1970-01-01 00:00 UTC; by default 2024-06-01 12:00 UTC.
    public var startTime: Int64 = 1_717_243_200_000_000

    /// Creates the default settings: 12 megapixels with 12 bits per code.
    public init() {}

    /// Returns the format of a frame in memory; `stride` is in codes, nil for rows without padding.
    public func format(stride: Int? = nil) -> MosaicFormat {
        var format = MosaicFormat(width: width, height: height, pattern: pattern, bitDepth: bitDepth, stride: stride)
        format.isMonochrome = isMonochrome
        return format
    }

    /// Black level: a sixteenth of the code range.
    var blackLevel: Double { Double(1 << (bitDepth - 4)) }

    /// White level: the highest code.
    var whiteLevel: Double { Double(1 << bitDepth - 1) }

    /// Throws unless every setting is in its range.
    func check() throws(GscapError) {
        try Self.check(Double(width), in: 16...8064, "width")
        try Self.check(Double(height), in: 16...6048, "height")
        guard [8, 10, 12, 14, 16].contains(bitDepth) else {
            throw GscapError(.badSetting, "a bit depth of \(bitDepth) is not supported; choose 8, 10, 12, 14 or 16")
        }
        try lens.check()
        try lens.checkDistortion(width: width, height: height)
        try Self.check(colorTemperature, in: 2000...12_000, "colour temperature")
        try Self.check(shake, in: 0...64, "shake")
        try Self.check(vignetting, in: 0...0.9, "vignetting")
        try Self.check(hotPixels, in: 0...10_000, "number of hot pixels in a million")
        try Self.check(dropped, in: 0...0.9, "fraction of dropped frames")
        try Self.check(frameRate, in: 1e-3...1000, "frame rate")
        try Self.check(controls.exposureTime, in: SensorControls.exposureTimes, "exposure time")
        try Self.check(controls.iso, in: SensorControls.isos, "ISO number")
    }

    /// Throws unless a value is in a range.
    static func check(_ value: Double, in range: ClosedRange<Double>, _ name: String) throws(GscapError) {
        guard range.contains(value) else {
            throw GscapError(
                .badSetting, "a \(name) of \(value) is not between \(range.lowerBound) and \(range.upperBound)")
        }
    }
}
