internal import CVideo4Linux
package import Errors
internal import Synchronization

/// The controls of a camera over all its device files: the sensor, the video node, the lens and the flash.
/// *Thread-safe.*
///
/// Exposure times of sensors count lines, whose length follows from the blanking; those of webcams count 100 µs.
package final class V4L2Controls: Sendable {
    private struct Known: Sendable {
        var control: KernelControl
        var file: DeviceFile
    }

    private let known: [UInt32: Known]
    private let gain: GainModel
    /// The lines by which the exposure is shorter than the frame.
    private let margin: Int64
    private struct Frame {
        var width = 0
        var height = 0
        /// The seconds from frame to frame that were requested, or those before the first exposure was set. Longer
        /// exposures lengthen the frames for their own time.
        var duration: Double?
    }
    private let frame = Mutex(Frame())

    /// Reads the controls of device files; of two that have the same control, the first counts.
    init(_ files: [DeviceFile], profile: SensorProfile?) {
        var known: [UInt32: Known] = [:]
        for file in files {
            for control in file.controls() where known[control.id] == nil {
                known[control.id] = Known(control: control, file: file)
            }
        }
        self.known = known
        let analogue = (known[ControlID.analogueGain] ?? known[ControlID.gain])?.control
        gain = profile?.gain ?? .proportional(to: Double(max(1, analogue?.minimum ?? 1)))
        margin = Int64(profile?.exposureMargin ?? 4)
    }

    /// States the size of the frames, on which the length of a line depends.
    func setFrame(width: Int, height: Int) { frame.withLock { ($0.width, $0.height) = (width, height) } }

    /// The value of a control now; nil if the camera does not have it.
    func value(_ id: UInt32) -> Int64? { known[id].flatMap { $0.file.value(of: id) } }

    /// Whether the exposure counts lines.
    private var countsLines: Bool { known[ControlID.pixelRate] != nil && known[ControlID.horizontalBlanking] != nil }

    /// The seconds of a line; nil for cameras that do not state it.
    package var lineTime: Double? {
        guard let rate = value(ControlID.pixelRate), rate > 0, let blanking = value(ControlID.horizontalBlanking) else {
            return nil
        }
        let width = frame.withLock(\.width)
        return Double(Int64(width) + blanking) / Double(rate)
    }

    /// The time from the first line to the last of a frame; nil for cameras that do not state it.
    package var readoutTime: Double? {
        lineTime.map { $0 * Double(frame.withLock(\.height)) }
    }

    /// The time from frame to frame in seconds; nil for cameras that do not state it.
    package var frameDuration: Double? {
        guard let line = lineTime, let blanking = value(ControlID.verticalBlanking) else { return nil }
        return line * Double(Int64(frame.withLock(\.height)) + blanking)
    }

    /// The exposure time in seconds; nil if unknown.
    package var exposureTime: Double? {
        if let exposure = value(ControlID.absoluteExposure) { return Double(exposure) * 1e-4 }
        guard let line = lineTime, let exposure = value(ControlID.exposure) else { return nil }
        return Double(exposure) * line
    }

    /// The amplification in the sensor; nil if unknown.
    package var analogueGain: Double? {
        (value(ControlID.analogueGain) ?? value(ControlID.gain)).map { gain.factor(code: Double($0)) }
    }
}

// MARK: - In the units of cameras

extension V4L2Controls {
    /// The controls in units that do not depend on the device.
    package var all: [CameraControl] {
        CameraControl.Kind.allCases.compactMap(control)
    }

    private func control(_ kind: CameraControl.Kind) -> CameraControl? {
        guard let entry = kernelControl(kind), let range = range(kind, entry.control) else { return nil }
        let control = entry.control
        let standard = physical(kind, Double(control.standard)).map { min(max($0, range.lowerBound), range.upperBound) }
        let isLinear = kind != .analogueGain || gain.isProportional
        let step: Double? =
            isLinear ? physical(kind, Double(control.minimum + max(1, control.step))).map { $0 - range.lowerBound } : 0
        let choices = control.menu.sorted { $0.key < $1.key }.map(\.value)
        return CameraControl(
            kind, range, step: kind == .frameDuration ? lineTime ?? 0 : max(0, step ?? 0),
            standard: standard ?? range.lowerBound, choices: choices)
    }

    /// The kernel's control behind one of a camera.
    private func kernelControl(_ kind: CameraControl.Kind) -> Known? {
        switch kind {
        case .exposureTime: known[ControlID.absoluteExposure] ?? (countsLines ? known[ControlID.exposure] : nil)
        case .analogueGain: known[ControlID.analogueGain] ?? known[ControlID.gain]
        case .digitalGain: known[ControlID.digitalGain]
        case .iso: known[ControlID.iso]
        case .redGain: known[ControlID.redBalance]
        case .blueGain: known[ControlID.blueBalance]
        case .frameDuration: countsLines ? known[ControlID.verticalBlanking] : nil
        case .focus: known[ControlID.focus]
        case .flash: known[ControlID.flashMode]
        case .horizontalFlip: known[ControlID.horizontalFlip]
        case .verticalFlip: known[ControlID.verticalFlip]
        case .testPattern: known[ControlID.testPattern]
        }
    }

    /// Converts a kernel's value into the unit of the camera's control.
    private func physical(_ kind: CameraControl.Kind, _ value: Double) -> Double? {
        switch kind {
        case .exposureTime: known[ControlID.absoluteExposure] != nil ? value * 1e-4 : lineTime.map { value * $0 }
        case .analogueGain: gain.factor(code: value)
        case .digitalGain, .redGain, .blueGain: value / unity(kind)
        case .frameDuration: lineTime.map { (value + Double(frame.withLock(\.height))) * $0 }
        case .iso, .focus, .flash, .horizontalFlip, .verticalFlip, .testPattern: value
        }
    }

    /// Converts a value of a camera's control into the kernel's.
    private func kernelValue(_ kind: CameraControl.Kind, _ value: Double) -> Double {
        switch kind {
        case .exposureTime: known[ControlID.absoluteExposure] != nil ? value * 1e4 : value / (lineTime ?? 1)
        case .analogueGain: gain.code(factor: value)
        case .digitalGain, .redGain, .blueGain: value * unity(kind)
        case .frameDuration: value / (lineTime ?? 1) - Double(frame.withLock(\.height))
        case .iso, .focus, .flash, .horizontalFlip, .verticalFlip, .testPattern: value
        }
    }

    /// The value of a gain at which it changes nothing: that after the start of the device.
    private func unity(_ kind: CameraControl.Kind) -> Double {
        max(1, Double(kernelControl(kind)?.control.standard ?? 1))
    }

    private func range(_ kind: CameraControl.Kind, _ control: KernelControl) -> ClosedRange<Double>? {
        var (least, most) = (control.minimum, control.maximum)
        if kind == .exposureTime, countsLines, let blanking = known[ControlID.verticalBlanking]?.control {
            // The longest exposure follows the longest frame.
            most = max(most, Int64(frame.withLock(\.height)) + blanking.maximum - margin)
        }
        if kind == .analogueGain { least = max(least, Int64(gain.leastCode)) }
        guard let one = physical(kind, Double(least)), let other = physical(kind, Double(most)) else { return nil }
        return min(one, other)...max(one, other)
    }

    /// The values that a set of requests really had.
    package typealias Values = [CameraControl.Kind: Double]

    /// Returns the frame duration that an exposure time needs: the requested one, or a longer one; nil if it has it
    /// now.
    private func frameDuration(for exposure: Double) -> Double? {
        guard let now = frameDuration, let line = lineTime else { return nil }
        let usual = frame.withLock { frame in
            frame.duration = frame.duration ?? now
            return frame.duration ?? now
        }
        let needed = max(usual, exposure + Double(margin) * line)
        return abs(needed - now) > line / 2 ? needed : nil
    }

    /// Sets controls; returns the values that they have now, which differ where the device has none so fine, also that
    /// of an exposure which a shorter frame has shortened. The limit of the exposure follows the frame duration, so
    /// longer frames are set before it and shorter ones after it. Throws for a control that the camera lacks.
    package func set(_ values: Values) throws(GscapError) -> Values {
        var given: Values = [:]
        var values = values
        let before = frameDuration
        if let duration = values[.frameDuration] {
            frame.withLock { $0.duration = duration }
        } else if let exposure = values[.exposureTime] {
            values[.frameDuration] = frameDuration(for: exposure)
        }
        let isShorter = values[.frameDuration].flatMap { new in before.map { new < $0 } } ?? false
        let order: [CameraControl.Kind] =
            [.horizontalFlip, .verticalFlip]
            + (isShorter ? [.exposureTime, .frameDuration] : [.frameDuration, .exposureTime])
        let kinds = order.filter { values[$0] != nil } + values.keys.filter { !order.contains($0) }
        for kind in kinds {
            guard let value = values[kind], let entry = kernelControl(kind) else {
                throw GscapError(.unsupported, "the camera has no control \(kind.rawValue)", place: "controls")
            }
            makeManual(kind)
            // Limits follow other controls, so they are read again.
            let control = entry.file.control(entry.control.id) ?? entry.control
            do throws(SystemError) {
                try entry.file.set([(control, control.clamped(kernelValue(kind, value)))])
            } catch {
                throw GscapError(
                    .pipelineFailed, "the camera refuses \(kind.rawValue) \(value): \(error)", place: "controls",
                    cause: error)
            }
            given[kind] = (entry.file.value(of: control.id)).flatMap { physical(kind, Double($0)) }
        }
        if given[.frameDuration] != nil { given[.exposureTime] = exposureTime }
        return given
    }

    /// Ends the device's own automatic control of a value. Devices without one refuse, which is no fault.
    private func makeManual(_ kind: CameraControl.Kind) {
        let automatic: (id: UInt32, manual: Int64)? =
            switch kind {
            case .exposureTime: (ControlID.automaticExposure, Int64(V4L2_EXPOSURE_MANUAL.rawValue))
            case .analogueGain: (ControlID.automaticGain, 0)
            case .iso: (ControlID.automaticISO, Int64(V4L2_ISO_SENSITIVITY_MANUAL.rawValue))
            case .redGain, .blueGain: (ControlID.automaticWhiteBalance, 0)
            case .focus: (ControlID.automaticFocus, 0)
            default: nil
            }
        guard let automatic, let entry = known[automatic.id], value(automatic.id) != automatic.manual else { return }
        try? entry.file.set([(entry.control, automatic.manual)])
    }
}
