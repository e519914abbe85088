package import RawImage

/// Encodes and decodes a photo's receipt as XMP properties, each with the name that the field has everywhere.
extension PhotoReceipt {
    /// The time of the middle of the exposure as ISO 8601 in UTC with microseconds; nil when unknown.
    package var sensorTimeText: String? {
        sensorTime.flatMap { CivilTime(microseconds: $0, utcOffset: 0) }.map { time in
            "\(time.iso8601.prefix(19)).\(time.subSeconds)Z"
        }
    }

    /// The XMP properties, each encoded as an XML element; empty strings for unknown values.
    package var xmp: [String] {
        func element(_ name: String, _ value: String?) -> String { XMPText.element("gscap:" + name, value ?? "") }
        func seconds(_ value: Double?) -> String? { value.map { XMPText.number($0, digits: 6) } }
        return [
            element("capture-id", "\(captureID)"), element("sensor-time", sensorTimeText),
            element("sensor-running-time", sensorRunningTime.map { "\($0)" }), element("lag", seconds(lag)),
            element("exposure-lag", seconds(exposureLag)), element("age", seconds(age)),
            element("settled", isSettled.map { "\($0)" }),
            element("frames-used", "\(framesUsed)"), element("frame-number", "\(frameNumber)"),
            element("sharpness-chosen", "\(isChosenBySharpness)"),
            element("burst-index", burst.map { "\($0.index)" }), element("burst-count", burst.map { "\($0.count)" }),
            element("burst-reference", burst.map { "\($0.isReference)" }),
        ]
    }

    /// Decodes the receipt of an XMP packet; nil when it has none.
    package init?(_ packet: XMPReader) {
        func text(_ name: String) -> String? { packet.text("gscap:" + name) }
        func number(_ name: String) -> Double? { text(name).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } }
        guard let id = text("capture-id").flatMap({ UInt64($0) }) else { return nil }
        self.init(captureID: id)
        sensorTime = text("sensor-time").flatMap(Self.microseconds)
        sensorRunningTime = text("sensor-running-time").flatMap { UInt64($0) }
        (lag, exposureLag, age) = (number("lag"), number("exposure-lag"), number("age"))
        isSettled = text("settled").flatMap { Bool($0) }
        framesUsed = text("frames-used").flatMap { Int($0) } ?? 1
        frameNumber = text("frame-number").flatMap { UInt64($0) } ?? 0
        isChosenBySharpness = text("sharpness-chosen").flatMap { Bool($0) } ?? false
        if let index = text("burst-index").flatMap({ Int($0) }), let count = text("burst-count").flatMap({ Int($0) }) {
            burst = BurstPlace(index: index, count: count, isReference: text("burst-reference") == "true")
        }
    }

    /// Parses the text that `sensorTimeText` returns; nil for any other text.
    package static func microseconds(_ text: String) -> Int64? {
        let parts = text.split(separator: "T", maxSplits: 1)
        guard parts.count == 2, text.hasSuffix("Z") else { return nil }
        let time = parts[1].dropLast().split(separator: ".", maxSplits: 1)
        guard let seconds = time.first else { return nil }
        let date = parts[0].replacing("-", with: ":")
        return CivilTime(
            exif: "\(date) \(seconds)", subSeconds: time.count > 1 ? String(time[1]) : nil, offset: nil)?.microseconds
    }
}
