internal import GStreamer
package import RawImage

extension CaptureTag {
    /// Decodes the tag from the structure of a buffer's frame metadata; returns nil if there is none.
    init?(_ structure: Structure) {
        guard let id = structure["capture-id"]?.unsigned else { return nil }
        self.init(
            id: id, index: structure["capture-index"]?.integer ?? 0, count: structure["capture-count"]?.integer ?? 1,
            isReference: structure["capture-reference"]?.truth,
            fusionMode: structure["capture-fusion-mode"]?.text.flatMap(FusionMode.init),
            lag: structure["capture-lag"]?.number,
            mayBeReference: structure["capture-may-be-reference"] != .boolean(false))
        storesEveryFrame = structure["capture-every-frame"] != .boolean(false)
        priority = structure["capture-priority"]?.text.flatMap(PhotoPriority.init) ?? .normal
        exposureLag = structure["capture-exposure-lag"]?.number
        receiptID = structure["capture-receipt-id"]?.unsigned
        runningTime = structure["capture-running-time"]?.unsigned
        isSettled = structure["capture-settled"]?.truth
        exposure = structure["capture-exposure"]?.integer ?? 0
        exposureCount = structure["capture-exposures"]?.integer ?? 1
        isBracket = structure["capture-bracket"] == .boolean(true)
        settings = Self.settings(structure["capture-settings"]?.structure)
    }

    func encode(into structure: inout Structure) {
        structure["capture-id"] = .uint64(id)
        structure["capture-receipt-id"] = receiptID.map(Value.uint64)
        structure["capture-index"] = .int(Int32(clamping: index))
        structure["capture-count"] = .int(Int32(clamping: count))
        structure["capture-reference"] = .boolean(isReference)
        if !storesEveryFrame { structure["capture-every-frame"] = .boolean(false) }
        if priority != .normal { structure["capture-priority"] = .string(priority.rawValue) }
        structure["capture-exposure-lag"] = exposureLag.map(Value.double)
        structure["capture-fusion-mode"] = fusionMode.map { .string($0.rawValue) }
        structure["capture-lag"] = lag.map(Value.double)
        structure["capture-running-time"] = runningTime.map(Value.uint64)
        structure["capture-settled"] = isSettled.map(Value.boolean)
        if !mayBeReference { structure["capture-may-be-reference"] = .boolean(false) }
        if exposureCount > 1 {
            structure["capture-exposure"] = .int(Int32(clamping: exposure))
            structure["capture-exposures"] = .int(Int32(clamping: exposureCount))
        }
        if isBracket { structure["capture-bracket"] = .boolean(true) }
        if !settings.isEmpty { structure["capture-settings"] = .structure(Self.structure(of: settings)) }
    }

    /// Decodes property values: a structure with a field for each element, which is a structure with a field for each
    /// property. Values that are no text are converted to text.
    static func settings(_ structure: Structure?) -> [String: [String: String]] {
        guard let structure else { return [:] }
        var settings: [String: [String: String]] = [:]
        for element in structure.fields.map(\.name) {
            guard let values = structure[element]?.structure else { continue }
            for name in values.fields.map(\.name) { settings[element, default: [:]][name] = values[name]?.settingText }
        }
        return settings
    }

    private static func structure(of settings: [String: [String: String]]) -> Structure {
        var structure = Structure("capture-settings")
        for (element, values) in settings {
            var fields = Structure("values")
            for (name, text) in values { fields[name] = .string(text) }
            structure[element] = .structure(fields)
        }
        return structure
    }
}

extension FrameMetadata {
    /// The priority of the threads that compute the photo of this frame.
    package var photoPriority: PhotoPriority { capture?.priority ?? .normal }
}

extension Value {
    /// The value as the text of a property. Types that no property takes are described, so that the element refuses
    /// the text with a reason.
    fileprivate var settingText: String {
        if let text { return text }
        if let truth { return truth ? "true" : "false" }
        if let integer { return String(integer) }
        if let unsigned { return String(unsigned) }
        return number.map { String($0) } ?? "\(self)"
    }
}
