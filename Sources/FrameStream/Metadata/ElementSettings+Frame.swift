package import GStreamer
internal import RawImage

extension ElementSettings {
    /// Returns the settings for a frame: the current ones, with the property values that the frame's capture sets for
    /// this element alone. Throws if the capture sets a property or value that the element does not support for one
    /// capture.
    ///
    /// For a frame without such values, this reads one field of its metadata and decodes nothing.
    package func current(for frame: borrowing Buffer, of element: ElementHandle) throws(GscapError) -> Settings {
        guard let elements = frame.captureSettings else { return current }
        let name = element.name
        guard let values = CaptureTag.settings(elements)[name] else { return current }
        return try current(for: values, of: name)
    }
}

extension Buffer {
    /// The property values of the frame's capture, as a structure with a field for each element; nil without any. Read
    /// without decoding the other metadata.
    fileprivate var captureSettings: Structure? {
        guard let kind = try? FrameCustomMeta.kind(),
            let settings = value(of: "capture-settings", in: kind)?.structure, captureIdentifier != nil
        else { return nil }
        return settings
    }
}
