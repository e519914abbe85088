internal import Kernels
public import RawImage

/// A camera made of mathematics: a scene, a lens, a sensor.
///
/// Frame n depends on the settings, on n and on its controls alone, so frames can be read in any order, and on any
/// number of cores they have the same bytes. Reentrant: several threads may read frames at the same time.
public final class SimulatedSensor: Sendable {
    /// What the sensor was made of.
    public let settings: SensorSettings
    package let camera: CameraModel
    private let scene: ScenePlanes
    private let shake: HandShake
    private let object: MovingObject?
    private let hotPixels: HotPixels?
    private let calibrations: [ColorCalibration]

    /// The share of full light that the scene's white reaches with default controls in the middle of the frame.
    package static let whiteSignal = 0.9
    /// Rows that one core does at a stretch.
    private static let bandHeight = 64

    /// Makes a sensor and renders its scene, which takes most of a second for 12 megapixels.
    public init(_ settings: SensorSettings) throws(SensorError) {
        try settings.check()
        self.settings = settings
        camera = CameraModel(temperature: settings.colorTemperature)
        calibrations = camera.calibrations
        shake = HandShake(
            amplitude: settings.truth ? 0 : settings.shake, width: settings.width, height: settings.height,
            seed: settings.seed)
        scene = try ScenePlanes(settings: settings, margin: shake.margin, fromScene: camera.fromScene)
        object =
            settings.motion
            ? MovingObject(
                frame: SceneFrame(width: settings.width, height: settings.height), fromScene: camera.fromScene)
            : nil
        hotPixels = settings.truth || settings.hotPixels == 0 ? nil : HotPixels(settings)
    }

    /// Reads a frame out into `codes`, rows being `stride` codes apart, and returns what the frame tells of itself.
    ///
    /// Codes are in the low bits; nothing is written between the rows. `cores: 1` keeps to the calling thread;
    /// otherwise all cores help. Controls beyond the sensor's range are moved into it. Throws when `codes` is too
    /// short.
    public func read(
        frame number: UInt64, controls: SensorControls, into codes: inout MutableSpan<UInt16>, stride: Int,
        cores: Int? = nil
    ) throws(RawImageError) -> FrameMetadata {
        try settings.format(stride: stride).check(count: codes.count)
        let exposure = Exposure(settings: settings, controls: controls.applicable)
        let view = View(
            number: number, exposure: exposure, displacement: displacement(frame: number),
            corner: object?.corner(at: time(of: number)))
        unsafe codes.withUnsafeMutableBufferPointer { buffer in
            // Bands write to rows of their own; the check above found room for all of them.
            nonisolated(unsafe) let target = buffer.baseAddress
            guard let target = unsafe target else { return }
            concurrentBands(rows: settings.height, of: Self.bandHeight, cores: cores) { band in
                unsafe read(band, of: view, into: target, stride: stride)
            }
        }
        return metadata(number, exposure)
    }

    /// The expected signal, as a share of full light, of a colour of the scene in the middle of the frame, clipping
    /// left out.
    package func signal(of color: SIMD3<Double>, controls: SensorControls) -> SIMD3<Double> {
        camera.fromScene * color * (Self.whiteSignal * controls.gain / SensorControls().gain)
    }

    /// Where the hand has carried the camera in a frame: the truth that an alignment should find.
    package func displacement(frame number: UInt64) -> HandShake.Displacement {
        shake.displacement(at: time(of: number))
    }

    /// The time in the scene, in seconds: it stands still for the truth.
    private func time(of number: UInt64) -> Double {
        settings.truth ? 0 : Double(number) / settings.frameRate
    }

    private func metadata(_ number: UInt64, _ exposure: Exposure) -> FrameMetadata {
        var metadata = FrameMetadata(bitDepth: settings.bitDepth)
        metadata.exposureTime = exposure.controls.exposureTime
        metadata.iso = exposure.controls.iso
        metadata.blackLevel = Array(repeating: settings.blackLevel, count: 4)
        metadata.neutral = camera.neutral
        metadata.calibrations = calibrations
        metadata.noise = Array(repeating: exposure.statedNoise, count: 3)
        let seconds = min(Double(number) / settings.frameRate, 9e9)
        metadata.sensorTimestamp = UInt64((seconds * 1e9).rounded())
        metadata.frameNumber = number
        metadata.wallClock = settings.startTime &+ Int64((seconds * 1e6).rounded())
        metadata.make = "gscap"
        metadata.model = "Simulated Sensor"
        return metadata
    }
}

/// What one frame sees.
private struct View: Sendable {
    let number: UInt64
    let exposure: Exposure
    let displacement: HandShake.Displacement
    let corner: SIMD2<Double>?
}

/// How light becomes codes under some controls.
private struct Exposure: Sendable {
    let controls: SensorControls
    /// Codes from black to white.
    let scale: Double
    /// Codes a squared value of the scene's planes.
    let codesPerUnit: Double
    let noise: NoiseProfile
    let statedNoise: NoiseProfile

    init(settings: SensorSettings, controls: SensorControls) {
        self.controls = controls
        scale = settings.whiteLevel - settings.blackLevel
        let gain = controls.gain / SensorControls().gain
        codesPerUnit = Double(ScenePlanes.unit) * SimulatedSensor.whiteSignal * gain * scale
        noise =
            settings.noise && !settings.truth
            ? SensorNoise.profile(iso: controls.iso, scale: scale) : NoiseProfile(shot: 0, read: 0)
        statedNoise = SensorNoise.rounded(noise, scale: scale)
    }
}

extension SimulatedSensor {
    /// Pixels that go through the kernels at a time: their light stays in the nearest cache, and on the stack.
    private static let stretch = 256

    private func read(_ band: Range<Int>, of view: View, into codes: UnsafeMutablePointer<UInt16>, stride: Int) {
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: Self.stretch) { light in
            guard let light = light.baseAddress else { return }
            unsafe scene.values.withUnsafeBufferPointer { scene in
                guard let scene = scene.baseAddress else { return }
                for row in band {
                    for column in Swift.stride(from: 0, to: settings.width, by: Self.stretch) {
                        let count = min(Self.stretch, settings.width - column)
                        unsafe look(row, column, count, view, scene, light)
                        unsafe expose(row, column, count, view, light, codes + row * stride + column)
                    }
                }
            }
        }
        for defect in hotPixels?.within(band) ?? [] {
            unsafe heat(&codes[defect.row * stride + defect.column], defect, view.exposure)
        }
    }

    /// Light of a stretch of a row: the scene, and the object before it.
    private func look(
        _ row: Int, _ column: Int, _ count: Int, _ view: View, _ scene: UnsafePointer<UInt16>,
        _ light: UnsafeMutablePointer<Float>
    ) {
        let (even, odd) = planes(row)
        let start = unsafe scene + (row + shake.margin) * self.scene.stride + column + shake.margin
        let turn = view.displacement.turn
        let right = view.displacement.right - turn * (Double(row) - Double(settings.height) / 2)
        let down = view.displacement.down + turn * (Double(column) + 16 - Double(settings.width) / 2)
        unsafe sampleScene(
            light, count: (count + 31) / 32 * 32, even: start + even * self.scene.planeSize,
            odd: start + odd * self.scene.planeSize, stride: self.scene.stride, right: Int(right * 65_536),
            down: Int(down * 65_536), slope: Int(turn * 32 * 65_536))
        if let object, let corner = view.corner {
            let place = corner - SIMD2(right, view.displacement.down)
            unsafe show(object, at: place, row, column, count, (even, odd), light)
        }
    }

    /// Lays the object, whose corner is at `place`, over a stretch of a row.
    private func show(
        _ object: MovingObject, at place: SIMD2<Double>, _ row: Int, _ column: Int, _ count: Int,
        _ planes: (even: Int, odd: Int), _ light: UnsafeMutablePointer<Float>
    ) {
        let (x, y) = (Double(column) - place.x, Double(row) - place.y)
        let (wholeX, wholeY) = (x.rounded(.down), y.rounded(.down))
        guard wholeY >= 0, wholeY < Double(object.height - 1) else { return }
        let first = max(0, -Int(wholeX))
        let end = min(count, object.width - 1 - Int(wholeX))
        guard first < end else { return }
        unsafe object.planes.values.withUnsafeBufferPointer { values in
            guard let base = values.baseAddress else { return }
            let start = unsafe base + Int(wholeY) * object.planes.stride + Int(wholeX)
            unsafe sampleObject(
                light, first: first, end: end, even: start + planes.even * object.planes.planeSize,
                odd: start + planes.odd * object.planes.planeSize, cover: start + 3 * object.planes.planeSize,
                stride: object.planes.stride, right: Float(x - wholeX), down: Float(y - wholeY))
        }
    }

    /// Light to codes.
    private func expose(
        _ row: Int, _ column: Int, _ count: Int, _ view: View, _ light: UnsafePointer<Float>,
        _ codes: UnsafeMutablePointer<UInt16>
    ) {
        let (width, height) = (Double(settings.width), Double(settings.height))
        let fromCentre = Double(row) + 0.5 - height / 2
        let exposure = view.exposure
        let key = SeededHash.bits(settings.seed, view.number, UInt64(row))
        unsafe exposeSensor(
            codes, light, count: count, firstColumn: column, scale: Float(exposure.codesPerUnit),
            shading: Float(exposure.codesPerUnit * settings.vignetting * 4 / (width * width + height * height)),
            centre: Float(width / 2 - 0.5), heightSquare: Float(fromCentre * fromCentre),
            shot: Float(exposure.noise.shot * exposure.scale),
            read: Float(exposure.noise.read * exposure.scale * exposure.scale), black: Float(settings.blackLevel),
            white: Float(settings.whiteLevel), key: UInt32(truncatingIfNeeded: key),
            secondKey: UInt32(truncatingIfNeeded: key >> 32))
    }

    private func heat(_ code: inout UInt16, _ defect: HotPixels.Defect, _ exposure: Exposure) {
        let gain = exposure.controls.gain / SensorControls().gain
        code = UInt16(min(Double(code) + (defect.light * gain * exposure.scale).rounded(), settings.whiteLevel))
    }

    /// The colour planes of a row's even and odd pixels.
    private func planes(_ row: Int) -> (even: Int, odd: Int) {
        let red = settings.pattern.redOffset
        let hasRed = row & 1 == red.row
        return hasRed
            ? (red.column == 0 ? (0, 1) : (1, 0))
            : (red.column == 0 ? (1, 2) : (2, 1))
    }
}
