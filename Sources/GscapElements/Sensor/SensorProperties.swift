internal import FrameStream
internal import GStreamer
internal import SimulatedSensor

/// The values of the properties of `gscapsensorsrc`, as settings of the simulated sensor.
struct SensorProperties: Sendable {
    var sensor = SensorSettings()
    var isLive = true
    var device = ""
    /// Whether shake and motion follow the pipeline's running time instead of the count of frames.
    var followsClock = false
    /// The number of frames until requested controls take effect.
    var delay = 2
    /// The exposure time of a control event while the property `exposure-time` is automatic; nil for the automatic one.
    private var requestedTime: Double?
    /// The flash of the last control event; nil before the first that sets it.
    private var flash: Bool?
    /// The ISO number, by the property or the last control event.
    private var speed = SensorControls().iso
    /// The exposure time in seconds, by the property or the last control event; 0 is automatic.
    private var exposureTime = 0.0

    /// The property `exposure-time`.
    private var exposureTimeProperty: Double {
        get { exposureTime }
        set { (exposureTime, requestedTime) = (newValue, nil) }
    }

    /// The controls in effect.
    var controls: SensorControls {
        let automatic = SensorControls.automaticExposureTime(iso: speed)
        let time = exposureTime > 0 ? exposureTime : requestedTime ?? automatic
        return SensorControls(exposureTime: time, iso: speed, flash: flash).applicable
    }

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
                    "exposure-time", \.exposureTimeProperty, 0...SensorControls.exposureTimes.upperBound,
                    blurb: "Exposure time in seconds; 0 is automatic: a correct exposure at the ISO number",
                    options: live),
                .double(
                    "iso", \.speed, SensorControls.isos,
                    blurb: "Gain as an ISO number; a change takes effect after control-delay frames", options: live),
                .uint32(
                    "control-delay", \.delay, 0...6,
                    blurb: "Frames until a change of exposure, gain or flash takes effect; 0 and 1 mean the next frame",
                    options: fixed),
                .double(
                    "drop", \.sensor.dropped, 0...0.9,
                    blurb: "Fraction of the frames that are lost, chosen by the seed", options: fixed),
                .double(
                    "color-temperature", \.sensor.colorTemperature, 2000...12_000,
                    blurb: "Colour temperature of the scene's light in kelvins", options: fixed),
                .double(
                    "shake", \.sensor.shake, 0...64, blurb: "Amplitude of camera shake in pixels per axis",
                    options: fixed),
                .double(
                    "zoom", \.sensor.lens.zoom, 1...10,
                    blurb: "Focal length relative to that of the default lens, which shows the whole scene",
                    options: fixed),
                .double(
                    "lens-right", \.sensor.lens.right, -100...100,
                    blurb: "Position of the lens to the right of the default one, in millimetres", options: fixed),
                .double(
                    "lens-down", \.sensor.lens.down, -100...100,
                    blurb: "Position of the lens below the default one, in millimetres", options: fixed),
                .double(
                    "yaw", \.sensor.lens.yaw, -5...5, blurb: "Rotation of the camera to the right, in degrees",
                    options: fixed),
                .double(
                    "pitch", \.sensor.lens.pitch, -5...5, blurb: "Rotation of the camera upwards, in degrees",
                    options: fixed),
                .double(
                    "roll", \.sensor.lens.roll, -5...5,
                    blurb: "Rotation of the camera clockwise about the optical axis, in degrees", options: fixed),
                .double(
                    "distortion", \.sensor.lens.distortion, -0.2...0.2,
                    blurb: "Radial distortion of the lens (Brown's k1), negative for a barrel", options: fixed),
                .boolean(
                    "calibration", \.sensor.statesCalibration,
                    blurb: "Whether frames state the lens's calibration: focal length, distortion and pose",
                    options: fixed),
                .boolean(
                    "scene-clock", \.followsClock,
                    blurb: "Whether shake and motion follow the running time, so that all sensors see the same moment",
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
                    "noise-profile", \.sensor.statesNoise,
                    blurb: "Whether frames state their noise profile, as hardly any camera on Linux does",
                    options: fixed),
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

    /// Applies a control event, limited to the exposure times and ISO numbers that the sensor supports. While the
    /// property `exposure-time` is automatic, the event's exposure time does not change it, and the automatic one for
    /// the ISO number makes the exposure automatic again.
    mutating func apply(_ control: SensorControl) {
        let limited = SensorControls(exposureTime: control.exposureTime ?? 1, iso: control.iso ?? speed).applicable
        speed = limited.iso
        flash = control.flash ?? flash
        guard control.exposureTime != nil else { return }
        guard exposureTime == 0 else {
            exposureTime = limited.exposureTime
            return
        }
        let automatic = SensorControls.automaticExposureTime(iso: speed)
        let isAutomatic = abs(limited.exposureTime - automatic) < 0.01 * automatic
        requestedTime = isAutomatic ? nil : limited.exposureTime
    }
}
