package import CaptureSettings
package import GStreamer
internal import JSON
package import RawImage

/// The values that a capture request takes from the shutter's properties and the clock.
package struct CaptureDefaults: Sendable {
    var id: UInt64
    var frames: Int
    var time: UInt64?
    var baseTime: UInt64?
    var usesPast: Bool
    var priority: PhotoPriority

    /// Creates the values. `time` is the running time of the press in nanoseconds, by the pipeline's base time
    /// `baseTime`.
    package init(
        id: UInt64, frames: Int, time: UInt64?, baseTime: UInt64?, usesPast: Bool, priority: PhotoPriority = .normal
    ) {
        (self.id, self.frames, self.time, self.baseTime) = (id, frames, time, baseTime)
        (self.usesPast, self.priority) = (usesPast, priority)
    }
}

extension CaptureRequest {
    /// Decodes the structure given to the action signal `capture`, and appends to `problems` what is wrong with it: a
    /// value of a wrong type or out of its range, and a field that the signal does not have.
    package init(_ structure: Structure?, _ defaults: CaptureDefaults, problems: inout [String]) {
        var fields = RequestFields(structure, PhotoSetting.shutter)
        self.init(&fields, defaults)
        problems += fields.problems
    }

    /// Reads a request's fields.
    package init(_ fields: inout RequestFields, _ defaults: CaptureDefaults) {
        let id = fields.id(.id)
        // A stream never comes to GST_CLOCK_TIME_NONE, so a press then would never end.
        let time = fields.read(.time, "a running time in nanoseconds") { $0.unsigned.flatMap { $0 == .max ? nil : $0 } }
        self.init(
            id: id ?? defaults.id, frames: 1, instant: (time ?? defaults.time).map(Int64.init(clamping:)),
            tolerance: fields[.tolerance]?.number.map { Int64(min($0, 1e9) * 1e9) },
            usesPast: fields[.zeroShutterLag]?.truth ?? defaults.usesPast, fusionMode: fields.choice(.fusionMode))
        receiptID = fields.id(.receiptID)
        baseTime = defaults.baseTime
        takesNearest = fields[.nearest]?.truth ?? false
        setExposures(&fields)
        biases = exposures.map(\.bias)
        // Fewer frames than the property's if a bracket has no memory for as many.
        let standard = min(Self.mostFrames / min(Self.mostExposures, max(1, bracket.count)), max(1, defaults.frames))
        frames = fields[.frames]?.integer ?? standard
        fusesBracket = fields[.fuseBracket]?.truth ?? false
        storesEveryFrame = fields[.everyFrame]?.truth ?? true
        priority = fields.choice(.priority) ?? defaults.priority
        flash = fields.choice(.flash) ?? .off
        details = CaptureDetails(&fields)
        settings = CaptureTag.settings(fields.settings())
        companion = fields.companion
        checkBracket(&fields)
    }

    private mutating func setExposures(_ fields: inout RequestFields) {
        let single = CaptureExposure { [fields] in fields[$0] }
        if single.isOverdetermined { fields.add(CaptureExposure.overdetermined) }
        guard let bracket = fields[.bracket]?.list else { return set(single) }
        if bracket.isEmpty { fields.add("bracket is empty: it has 1 to \(Self.mostExposures) exposures") }
        if !single.isUnchanged {
            fields.add("exposure-time, iso and exposure-bias belong to the exposures of the bracket")
        }
        var exposures: [CaptureExposure] = []
        for (index, object) in bracket.prefix(Self.mostExposures + 1).enumerated() {
            let exposure = CaptureExposure { object[$0.name] }
            if exposure.isOverdetermined { fields.add("bracket[\(index)]." + CaptureExposure.overdetermined) }
            exposures.append(exposure)
        }
        if exposures.count > 1 { self.bracket = exposures } else if let only = exposures.first { set(only) }
    }

    private mutating func set(_ exposure: CaptureExposure) {
        (exposureTime, iso, exposureBias) = (exposure.exposureTime, exposure.iso, exposure.bias)
    }

    private func checkBracket(_ fields: inout RequestFields) {
        if bracket.count > Self.mostExposures {
            fields.add("the bracket has more than \(Self.mostExposures) exposures: request fewer")
        } else if totalFrames > Self.mostFrames {
            fields.add(
                "\(frames) frames for each of \(bracket.count) exposures are more than \(Self.mostFrames): "
                    + "request fewer")
        }
        if fusesBracket, bracket.count < 2 {
            fields.add("fuse-bracket needs a bracket of at least two exposures")
        } else if fusesBracket, bracket.count > FusionMode.mostBracketFrames {
            fields.add("fuse-bracket merges at most \(FusionMode.mostBracketFrames) exposures: request fewer")
        }
        if bracket.count > 1, flash == .on {
            fields.add("the flash cannot fire in a bracket: request flash off, or one exposure")
        }
    }
}

extension CaptureExposure {
    fileprivate static let overdetermined =
        "exposure-bias has no effect with both exposure-time and iso: leave one out"

    /// Creates an exposure from the values of its settings.
    fileprivate init(_ value: (PhotoSetting) -> JSON?) {
        self.init(
            exposureTime: value(.exposureTime)?.number, iso: value(.iso)?.number, bias: value(.exposureBias)?.number)
    }

    fileprivate var isOverdetermined: Bool { bias != nil && exposureTime != nil && iso != nil }
}

extension PhotoSetting {
    /// The fields of the shutter's requests. The formats are the photo bin's.
    package static let shutter = request.filter { $0.name != formats.name }
}

extension RequestFields {
    /// Reads the id of a capture.
    fileprivate mutating func id(_ setting: PhotoSetting) -> UInt64? {
        let id = read(setting, "the id of a capture", \.unsigned)
        if id == 0 { add("\(setting.name) is 0, which the signal returns for a refused press: use another") }
        return id
    }

    /// Reads the property values of a capture: a structure with a field for each element, which is a structure, too.
    fileprivate mutating func settings() -> Structure? {
        guard let settings = read(.settings, "a structure", \.structure) else { return nil }
        for field in settings.fields where field.value.structure == nil {
            add("settings: \(field.name) is not a structure with property values: \(field.value.requestText)")
        }
        return settings
    }
}
