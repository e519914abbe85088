internal import GStreamer
internal import SimulatedSensor

/// The values of the properties of `gscapsensorsrc`, as settings of the simulated sensor.
struct SensorProperties {
    var sensor = SensorSettings()
    var isLive = true

    /// The property declarations with their ranges, defaults and blurbs.
    static let list: [ElementProperty] = {
        let standard = SensorProperties()
        let live: ElementProperty.Options = [.readWrite, .mutablePlaying]
        let fixed: ElementProperty.Options = [.readWrite, .mutableReady]
        func number(
            _ name: String, _ range: ClosedRange<Double>, _ value: Double, _ blurb: String,
            _ options: ElementProperty.Options
        ) -> ElementProperty {
            ElementProperty(name, .double(range, default: value), blurb: blurb, options: options)
        }
        func flag(_ name: String, _ value: Bool, _ blurb: String) -> ElementProperty {
            ElementProperty(name, .boolean(default: value), blurb: blurb, options: fixed)
        }
        let settings = standard.sensor
        return [
            flag("is-live", standard.isLive, "Whether frames arrive at the frame rate, as from a camera"),
            ElementProperty(
                "scene", .string(default: "chart"),
                blurb: "\"chart\" for the built-in test scene, or a PNG or TIFF file", options: fixed),
            ElementProperty(
                "seed", .uint64(0...UInt64.max, default: settings.seed),
                blurb: "Seed of noise, hot pixels and shake; the same seed gives the same bytes", options: fixed),
            number(
                "exposure-time", SensorControls.exposureTimes, settings.controls.exposureTime,
                "Exposure time in seconds; a change takes effect two frames later", live),
            number(
                "iso", SensorControls.isos, settings.controls.iso,
                "Gain as an ISO number; a change takes effect two frames later",
                live),
            number(
                "color-temperature", 2000...12_000, settings.colorTemperature,
                "Colour temperature of the scene's light in kelvins", fixed),
            number("shake", 0...64, settings.shake, "Amplitude of camera shake in pixels per axis", fixed),
            number("vignetting", 0...0.9, settings.vignetting, "Fraction of light lost in the corners", fixed),
            number("hot-pixels", 0...10_000, settings.hotPixels, "Hot pixels per million pixels", fixed),
            flag("motion", settings.motion, "Whether an object moves through the scene"),
            flag("noise", settings.noise, "Whether frames have shot and read noise"),
            flag(
                "truth", settings.truth,
                "Ground truth: frames without noise, shake, motion and hot pixels"),
        ]
    }()

    mutating func set(_ name: String, _ value: Value) {
        switch name {
        case "is-live": isLive = value.truth ?? isLive
        case "scene": sensor.scene = Self.scene(value.text ?? "chart")
        case "seed": sensor.seed = value.unsigned ?? sensor.seed
        case "exposure-time": sensor.controls.exposureTime = value.number ?? sensor.controls.exposureTime
        case "iso": sensor.controls.iso = value.number ?? sensor.controls.iso
        case "color-temperature": sensor.colorTemperature = value.number ?? sensor.colorTemperature
        case "shake": sensor.shake = value.number ?? sensor.shake
        case "vignetting": sensor.vignetting = value.number ?? sensor.vignetting
        case "hot-pixels": sensor.hotPixels = value.number ?? sensor.hotPixels
        case "motion": sensor.motion = value.truth ?? sensor.motion
        case "noise": sensor.noise = value.truth ?? sensor.noise
        case "truth": sensor.truth = value.truth ?? sensor.truth
        default: break
        }
    }

    func value(_ name: String) -> Value {
        switch name {
        case "is-live": .boolean(isLive)
        case "scene": .string(sceneText)
        case "seed": .uint64(sensor.seed)
        case "exposure-time": .double(sensor.controls.exposureTime)
        case "iso": .double(sensor.controls.iso)
        case "color-temperature": .double(sensor.colorTemperature)
        case "shake": .double(sensor.shake)
        case "vignetting": .double(sensor.vignetting)
        case "hot-pixels": .double(sensor.hotPixels)
        case "motion": .boolean(sensor.motion)
        case "noise": .boolean(sensor.noise)
        case "truth": .boolean(sensor.truth)
        default: .null
        }
    }

    /// Applies a control event, limited to the exposure times and ISO numbers that the sensor supports.
    mutating func apply(_ control: SensorControl) {
        sensor.controls.exposureTime = control.exposureTime ?? sensor.controls.exposureTime
        sensor.controls.iso = control.iso ?? sensor.controls.iso
        sensor.controls = sensor.controls.applicable
    }

    private static func scene(_ text: String) -> SensorScene {
        text == "chart" || text.isEmpty ? .chart : .picture(path: text)
    }

    private var sceneText: String {
        if case .picture(let path) = sensor.scene { return path }
        return "chart"
    }
}
