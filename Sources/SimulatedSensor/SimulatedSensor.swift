internal import KernelTypes
internal import Kernels
public import RawImage

/// A simulated camera: a scene, a lens and a sensor.
///
/// Frame n depends only on the settings, on n and on its controls; frames can be read in any order and on any number of
/// cores with identical results. Thread-safe: several threads may read frames at the same time.
public final class SimulatedSensor: Sendable {
    /// The settings of the sensor.
    public let settings: SensorSettings
    package let camera: CameraModel
    private let scene: ScenePlanes
    private let shake: CameraShake
    private let object: MovingObject?
    private let hotPixels: HotPixels?
    private let calibrations: [ColorCalibration]
    private let noiseSeed: UInt64

    /// Linear value of the scene's white at the default controls in the centre of the frame, where 1 is the white
    /// level.
    package static let whiteSignal = 0.9
    /// Number of rows in a band, which one core processes at a time.
    private static let bandHeight = 64

    /// Creates a sensor and renders its scene, which takes most of a second for 12 megapixels. Throws
    /// `GscapError.Code.ended` if `work` is ended meanwhile.
    public init(_ settings: SensorSettings, work: SensorWork? = nil) throws(GscapError) {
        try settings.check()
        self.settings = settings
        camera = settings.isMonochrome ? .monochrome : CameraModel(temperature: settings.colorTemperature)
        calibrations = camera.calibrations
        shake = CameraShake(
            amplitude: settings.truth ? 0 : settings.shake, width: settings.width, height: settings.height,
            zoom: settings.lens.zoom, seed: settings.seed)
        noiseSeed = settings.lens.seed(settings.seed)
        scene = try ScenePlanes(settings: settings, margin: shake.margin, fromScene: camera.fromScene, work: work)
        object = settings.motion ? MovingObject(settings, fromScene: camera.fromScene, work: work) : nil
        hotPixels = settings.truth || settings.hotPixels == 0 ? nil : HotPixels(settings)
        if work?.isEnded == true { throw GscapError(.ended, "the scene was not finished") }
    }

    /// Reads out a frame into `codes`, with rows `stride` codes apart, and returns the frame's metadata.
    ///
    /// Codes use the low bits; padding between rows is not written. `cores: 1` runs on the calling thread, any other
    /// value on all cores. Controls out of range are replaced with the nearest supported ones. `sceneTime` is the time
    /// of shake and motion in seconds, by which several sensors see one scene at the same moment; by default it is
    /// the frame's number divided by the frame rate. If `work` is ended meanwhile, the remaining rows are not written.
    /// Throws when `codes` is too short.
    public func read(
        frame number: UInt64, controls: SensorControls, into codes: inout MutableSpan<UInt16>, stride: Int,
        sceneTime: Double? = nil, cores: Int? = nil, work: SensorWork? = nil
    ) throws(GscapError) -> FrameMetadata {
        try settings.format(stride: stride).check(count: codes.count)
        let exposure = Exposure(settings: settings, controls: controls.applicable)
        let time = settings.truth ? 0 : sceneTime ?? Double(number) / settings.frameRate
        let view = View(
            number: number, exposure: exposure, displacement: shake.displacement(at: time),
            corner: object?.corner(at: time))
        unsafe codes.withUnsafeMutableBufferPointer { buffer in
            // Safe: each band writes only its own rows, and the check above guarantees that all rows fit.
            nonisolated(unsafe) let target = buffer.baseAddress
            guard let target = unsafe target else { return }
            concurrentBands(rows: settings.height, of: Self.bandHeight, cores: cores) { band in
                guard work?.beginsBand() != false else { return }
                unsafe read(band, of: view, into: target, stride: stride)
            }
        }
        return metadata(number, exposure)
    }

    /// Returns the expected camera-native linear value of a scene colour in the centre of the frame, without clipping;
    /// 1 is the white level.
    package func signal(of color: SIMD3<Double>, controls: SensorControls) -> SIMD3<Double> {
        camera.fromScene * color * (Self.whiteSignal * controls.signal)
    }

    /// Returns whether a frame is lost on its way from the sensor, by the settings' fraction of dropped frames.
    public func isDropped(frame number: UInt64) -> Bool {
        settings.dropped > 0 && SeededHash.unit(settings.seed, 0xd409, number) < settings.dropped
    }

    /// Returns the camera shake of a frame: the ground truth for testing alignment.
    package func displacement(frame number: UInt64) -> CameraShake.Displacement {
        shake.displacement(at: settings.truth ? 0 : Double(number) / settings.frameRate)
    }

    private func metadata(_ number: UInt64, _ exposure: Exposure) -> FrameMetadata {
        var metadata = FrameMetadata(bitDepth: settings.bitDepth)
        metadata.exposureTime = exposure.controls.exposureTime
        metadata.iso = exposure.controls.iso
        metadata.blackLevel = Array(repeating: settings.blackLevel, count: 4)
        metadata.neutral = camera.neutral
        metadata.isMonochrome = settings.isMonochrome
        metadata.calibrations = calibrations
        let colors = settings.isMonochrome ? 1 : 3
        if settings.statesNoise { metadata.noise = Array(repeating: exposure.statedNoise, count: colors) }
        let seconds = min(Double(number) / settings.frameRate, 9e9)
        metadata.sensorTimestamp = UInt64((seconds * 1e9).rounded())
        metadata.frameNumber = number
        metadata.wallClock = settings.startTime &+ Int64((seconds * 1e6).rounded())
        metadata.make = "gscap"
        metadata.model = "Simulated Sensor"
        metadata.flashFired = exposure.controls.flash
        if settings.statesCalibration { stateCalibration(in: &metadata) }
        return metadata
    }
}

extension SimulatedSensor {
    /// Sets the lens's calibration and distortion, and the focal length that Exif states.
    private func stateCalibration(in metadata: inout FrameMetadata) {
        let calibration = settings.lens.calibration(width: settings.width, height: settings.height)
        metadata.calibration = calibration
        metadata.lens.warp = calibration.warp
        metadata.details.focalLength = SensorLens.focalLength * settings.lens.zoom
        metadata.details.focalLengthIn35mm = (SensorLens.focalLengthIn35mm * settings.lens.zoom).rounded()
    }
}

/// The parameters of one frame: exposure, camera shake and position of the moving object.
private struct View: Sendable {
    let number: UInt64
    let exposure: Exposure
    let displacement: CameraShake.Displacement
    let corner: SIMD2<Double>?
}

/// The conversion of linear values to codes at given controls.
private struct Exposure: Sendable {
    let controls: SensorControls
    /// Number of codes from black to white.
    let scale: Double
    /// Codes per squared value of the scene's planes, which store square roots.
    let codesPerUnit: Double
    /// Noise to add before rounding; zero when noise is off.
    let noise: NoiseProfile
    /// Noise profile for the metadata, including rounding.
    let statedNoise: NoiseProfile

    init(settings: SensorSettings, controls: SensorControls) {
        self.controls = controls
        scale = settings.whiteLevel - settings.blackLevel
        codesPerUnit = Double(ScenePlanes.unit) * SimulatedSensor.whiteSignal * controls.signal * scale
        noise =
            settings.noise && !settings.truth
            ? SensorNoise.profile(iso: controls.iso, scale: scale) : NoiseProfile(shot: 0, read: 0)
        statedNoise = SensorNoise.rounded(noise, scale: scale)
    }
}

extension SimulatedSensor {
    /// Number of pixels per kernel call: small enough that their linear values fit on the stack and in the L1 cache.
    private static let stretch = 256

    /// Computes the codes of a band of rows; `stride` is the distance between rows in codes.
    private func read(_ band: Range<Int>, of view: View, into codes: UnsafeMutablePointer<UInt16>, stride: Int) {
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: Self.stretch) { samples in
            guard let samples = samples.baseAddress else { return }
            unsafe scene.values.withUnsafeBufferPointer { scene in
                guard let scene = scene.baseAddress else { return }
                for row in band {
                    for column in Swift.stride(from: 0, to: settings.width, by: Self.stretch) {
                        let count = min(Self.stretch, settings.width - column)
                        unsafe sample(row, column, count, view, scene, samples)
                        unsafe expose(row, column, count, view, samples, codes + row * stride + column)
                    }
                }
            }
        }
        for defect in hotPixels?.within(band) ?? [] {
            unsafe addDarkSignal(to: &codes[defect.row * stride + defect.column], defect, view.exposure)
        }
    }

    /// Samples `count` pixels of a row, from `column` on: the scene, with the moving object in front.
    private func sample(
        _ row: Int, _ column: Int, _ count: Int, _ view: View, _ scene: UnsafePointer<UInt16>,
        _ samples: UnsafeMutablePointer<Float>
    ) {
        let (even, odd) = planes(row)
        let start = unsafe scene + (row + shake.margin) * self.scene.stride + column + shake.margin
        let turn = view.displacement.turn
        let right = view.displacement.right - turn * (Double(row) - Double(settings.height) / 2)
        let down = view.displacement.down + turn * (Double(column) + 16 - Double(settings.width) / 2)
        unsafe sampleScene(
            samples, count: (count + 31) / 32 * 32, even: start + even * self.scene.planeSize,
            odd: start + odd * self.scene.planeSize, stride: self.scene.stride, right: Int(right * 65_536),
            down: Int(down * 65_536), slope: Int(turn * 32 * 65_536))
        if let object, let corner = view.corner {
            let position = corner - SIMD2(right, view.displacement.down)
            unsafe composite(object, at: position, row, column, count, (even, odd), samples)
        }
    }

    /// Composites the object, whose top left corner is at `position`, over the samples of a part of a row.
    private func composite(
        _ object: MovingObject, at position: SIMD2<Double>, _ row: Int, _ column: Int, _ count: Int,
        _ planes: (even: Int, odd: Int), _ samples: UnsafeMutablePointer<Float>
    ) {
        let (x, y) = (Double(column) - position.x, Double(row) - position.y)
        let (wholeX, wholeY) = (x.rounded(.down), y.rounded(.down))
        guard wholeY >= 0, wholeY < Double(object.height - 1) else { return }
        let first = max(0, -Int(wholeX))
        let end = min(count, object.width - 1 - Int(wholeX))
        guard first < end else { return }
        unsafe object.planes.values.withUnsafeBufferPointer { values in
            guard let base = values.baseAddress else { return }
            let start = unsafe base + Int(wholeY) * object.planes.stride + Int(wholeX)
            unsafe sampleObject(
                samples, first: first, end: end, even: start + planes.even * object.planes.planeSize,
                odd: start + planes.odd * object.planes.planeSize, cover: start + 3 * object.planes.planeSize,
                stride: object.planes.stride, right: Float(x - wholeX), down: Float(y - wholeY))
        }
    }

    /// Converts the samples of a part of a row to codes: lens shading, exposure, noise, black level and clipping.
    private func expose(
        _ row: Int, _ column: Int, _ count: Int, _ view: View, _ samples: UnsafePointer<Float>,
        _ codes: UnsafeMutablePointer<UInt16>
    ) {
        let (width, height) = (Double(settings.width), Double(settings.height))
        let fromCentre = Double(row) + 0.5 - height / 2
        let exposure = view.exposure
        let key = SeededHash.bits(noiseSeed, view.number, UInt64(row))
        unsafe exposeSensor(
            codes, samples, count: count, firstColumn: column,
            row: SensorRow(
                centre: Float(width / 2 - 0.5), heightSquare: Float(fromCentre * fromCentre),
                key: UInt32(truncatingIfNeeded: key), secondKey: UInt32(truncatingIfNeeded: key >> 32)),
            response: SensorResponse(
                scale: Float(exposure.codesPerUnit),
                shading: Float(exposure.codesPerUnit * settings.vignetting * 4 / (width * width + height * height)),
                shot: Float(exposure.noise.shot * exposure.scale),
                read: Float(exposure.noise.read * exposure.scale * exposure.scale), black: Float(settings.blackLevel),
                white: Float(settings.whiteLevel)))
    }

    /// Adds the dark signal of a hot pixel to its code.
    private func addDarkSignal(to code: inout UInt16, _ defect: HotPixels.Defect, _ exposure: Exposure) {
        let gain = exposure.controls.gain / SensorControls().gain
        code = UInt16(min(Double(code) + (defect.signal * gain * exposure.scale).rounded(), settings.whiteLevel))
    }

    /// Returns the colour planes (0 red, 1 green, 2 blue) of a row's even and odd pixels.
    private func planes(_ row: Int) -> (even: Int, odd: Int) {
        let red = settings.pattern.redOffset
        let hasRed = row & 1 == red.row
        return hasRed
            ? (red.column == 0 ? (0, 1) : (1, 0))
            : (red.column == 0 ? (1, 2) : (2, 1))
    }
}
