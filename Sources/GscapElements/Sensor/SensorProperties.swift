internal import GStreamer
internal import SimulatedSensor

/// The values of the properties of `gscapsensorsrc`, as settings of the simulated sensor.
struct SensorProperties: Sendable {
    var sensor = SensorSettings()
    var isLive = true
    var device = ""

    static let table: PropertyTable<SensorProperties> = {
        let live: ElementProperty.Options = [.readWrite, .mutablePlaying]
        let fixed: ElementProperty.Options = [.readWrite, .mutableReady]
        return PropertyTable(
            defaults: SensorProperties(),
            [
                .boolean(
                    "is-live", \.isLive, blurb: "Whether frames arrive at the frame rate, as from a camera",
                    options: fixed),
                .string(
                    "device", \.device,
                    blurb: "A path that must exist, as a camera's device node must; empty for none", options: fixed),
                .string(
                    "scene", \.scene, blurb: "\"chart\" for the built-in test scene, or a PNG or TIFF file",
                    options: fixed),
                .uint64(
                    "seed", \.sensor.seed, 0...UInt64.max,
                    blurb: "Seed of noise, hot pixels and shake; the same seed gives the same bytes", options: fixed),
                .double(
                    "exposure-time", \.sensor.controls.exposureTime, SensorControls.exposureTimes,
                    blurb: "Exposure time in seconds; a change takes effect two frames later", options: live),
                .double(
                    "iso", \.sensor.controls.iso, SensorControls.isos,
                    blurb: "Gain as an ISO number; a change takes effect two frames later", options: live),
                .double(
                    "color-temperature", \.sensor.colorTemperature, 2000...12_000,
                    blurb: "Colour temperature of the scene's light in kelvins", options: fixed),
                .double(
                    "shake", \.sensor.shake, 0...64, blurb: "Amplitude of camera shake in pixels per axis",
                    options: fixed),
                .double(
                    "vignetting", \.sensor.vignetting, 0...0.9, blurb: "Fraction of light lost in the corners",
                    options: fixed),
                .double(
                    "hot-pixels", \.sensor.hotPixels, 0...10_000, blurb: "Hot pixels per million pixels", options: fixed
                ),
                .boolean(
                    "motion", \.sensor.motion, blurb: "Whether an object moves through the scene", options: fixed),
                .boolean(
                    "noise", \.sensor.noise, blurb: "Whether frames have shot and read noise", options: fixed),
                .boolean(
                    "truth", \.sensor.truth, blurb: "Ground truth: frames without noise, shake, motion and hot pixels",
                    options: fixed),
            ])
    }()

    /// The scene as text: "chart", or the path of a picture file. An empty text selects the chart.
    private var scene: String {
        get {
            if case .picture(let path) = sensor.scene { return path }
            return "chart"
        }
        set { sensor.scene = newValue == "chart" || newValue.isEmpty ? .chart : .picture(path: newValue) }
    }

    /// Applies a control event, limited to the exposure times and ISO numbers that the sensor supports.
    mutating func apply(_ control: SensorControl) {
        sensor.controls.exposureTime = control.exposureTime ?? sensor.controls.exposureTime
        sensor.controls.iso = control.iso ?? sensor.controls.iso
        sensor.controls = sensor.controls.applicable
    }
}
