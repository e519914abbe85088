public import RawImage

/// What stands before the simulated sensor.
public enum SensorScene: Sendable, Hashable {
    /// The built-in still life with a colour chart, a step wedge, a Siemens star, text, skin, sky and foliage.
    case chart
    /// A PNG or TIFF file, scaled to cover the frame.
    case picture(path: String)
}

/// All that a simulated sensor is made of. Two sensors of equal settings make equal bytes.
public struct SensorSettings: Sendable, Hashable {
    /// Pixels in a row, 16…8064.
    public var width = 4032
    /// Rows, 16…6048.
    public var height = 3024
    /// The order of colours at the origin.
    public var pattern = BayerPattern.rggb
    /// Bits of a code: 8, 10, 12, 14 or 16.
    public var bitDepth = 12
    /// Chooses noise, hot pixels and the way the hand shakes.
    public var seed: UInt64 = 1
    /// Exposure and gain until a control asks for others.
    public var controls = SensorControls()
    /// The light's colour in kelvins, 2000…12000; the scene is lit by it and the white balance in the metadata answers
    /// it.
    public var colorTemperature = 5500.0
    /// What the sensor sees.
    public var scene = SensorScene.chart
    /// How far the hand shakes, in pixels each way, 0…64.
    public var shake = 2.0
    /// Whether an object moves through the scene.
    public var motion = true
    /// The share of light that the lens loses in the corners, 0…0.9.
    public var vignetting = 0.25
    /// Defective pixels in a million, 0…10000.
    public var hotPixels = 20.0
    /// Whether there is noise.
    public var noise = true
    /// What a perfect camera would give: no noise, no hot pixels, no shake, no motion.
    public var truth = false
    /// Frames a second, above 0 up to 1000: the clock of timestamps, shake and motion.
    public var frameRate = 30.0
    /// Microseconds since 1970-01-01 UTC at which frame 0 began; 2024-06-01 12:00 by default.
    public var startTime: Int64 = 1_717_243_200_000_000

    /// The sensor that an element makes when nobody says otherwise: 12 megapixels of 12 bits.
    public init() {}

    /// The shape of a frame in memory.
    public func format(stride: Int? = nil) -> MosaicFormat {
        MosaicFormat(width: width, height: height, pattern: pattern, bitDepth: bitDepth, stride: stride)
    }

    /// The code without light: a sixteenth of the scale.
    var blackLevel: Double { Double(1 << (bitDepth - 4)) }

    /// The code of full light.
    var whiteLevel: Double { Double(1 << bitDepth - 1) }

    /// Throws unless every number is in its range.
    func check() throws(SensorError) {
        try check(Double(width), in: 16...8064, "width")
        try check(Double(height), in: 16...6048, "height")
        guard [8, 10, 12, 14, 16].contains(bitDepth) else {
            throw SensorError(.badSetting, "a bit depth of \(bitDepth) is none of 8, 10, 12, 14 and 16")
        }
        try check(colorTemperature, in: 2000...12_000, "colour temperature")
        try check(shake, in: 0...64, "shake")
        try check(vignetting, in: 0...0.9, "vignetting")
        try check(hotPixels, in: 0...10_000, "number of hot pixels in a million")
        try check(frameRate, in: 1e-3...1000, "frame rate")
        try check(controls.exposureTime, in: SensorControls.exposureTimes, "exposure time")
        try check(controls.iso, in: SensorControls.isos, "ISO number")
    }

    private func check(_ value: Double, in range: ClosedRange<Double>, _ name: String) throws(SensorError) {
        guard range.contains(value) else {
            throw SensorError(
                .badSetting, "a \(name) of \(value) is not between \(range.lowerBound) and \(range.upperBound)")
        }
    }
}
