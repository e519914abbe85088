internal import CGStreamer

/// A device that GStreamer found, such as a camera.
public struct Device: Sendable {
    /// What it is called for people.
    public var name: String
    /// What it is, such as "Video/Source".
    public var classification: String
    /// The formats it gives, when it says so.
    public var caps: Caps?
    /// What else is known: bus path, driver, serial number.
    public var properties: Structure
    /// The element that opens it, in pipeline text.
    public var launchText: String?
}

/// Finds devices.
@safe public final class DeviceMonitor: @unchecked Sendable {
    // Sendable: GstDeviceMonitor is thread-safe.
    private let pointer: UnsafeMutablePointer<GstDeviceMonitor>

    /// A monitor for devices of a class, such as "Video/Source", that give one of `caps`.
    public init(classes: String, caps: Caps? = nil) throws(GStreamerError) {
        try GStreamerRuntime.start()
        guard let pointer = unsafe gst_device_monitor_new() else {
            throw GStreamerError(message: "no device monitor", place: "devices")
        }
        unsafe self.pointer = pointer
        unsafe gst_device_monitor_add_filter(pointer, classes, caps?.pointer)
    }

    deinit {
        unsafe gst_object_unref(pointer)
    }

    /// The devices that are there now.
    public func devices() -> [Device] {
        guard unsafe gst_device_monitor_start(pointer) != 0 else { return [] }
        defer { unsafe gst_device_monitor_stop(pointer) }
        let list = unsafe gst_device_monitor_get_devices(pointer)
        defer { unsafe g_list_free(list) }
        var found: [Device] = []
        var node = unsafe list
        while let item = unsafe node {
            if let device = unsafe item.pointee.data?.assumingMemoryBound(to: GstDevice.self) {
                unsafe found.append(Self.read(device))
                unsafe gst_object_unref(device)
            }
            unsafe node = item.pointee.next
        }
        return found
    }

    private static func read(_ device: UnsafeMutablePointer<GstDevice>) -> Device {
        let properties = unsafe gst_device_get_properties(device)
        defer { if let properties = unsafe properties { unsafe gst_structure_free(properties) } }
        return Device(
            name: unsafe taken(gst_device_get_display_name(device)) ?? "",
            classification: unsafe taken(gst_device_get_device_class(device)) ?? "",
            caps: unsafe gst_device_get_caps(device).map { unsafe Caps(takingFull: $0) },
            properties: unsafe properties.map { unsafe Structure(reading: $0) } ?? Structure("properties"),
            launchText: unsafe launchText(device))
    }

    /// The factory and the properties in which the device's element differs from a plain one.
    private static func launchText(_ device: UnsafeMutablePointer<GstDevice>) -> String? {
        guard let raw = unsafe gst_device_create_element(device, nil) else { return nil }
        let element = unsafe Element(retainingNone: raw)
        var words = [element.factoryName]
        for property in ["device", "camera-name", "target-object", "path"] {
            if let value = try? element.get(property), let text = value.text { words.append("\(property)=\(text)") }
        }
        return words.joined(separator: " ")
    }

    private static func taken(_ text: UnsafeMutablePointer<CChar>?) -> String? {
        guard let text = unsafe text else { return nil }
        defer { unsafe g_free(text) }
        return unsafe String(cString: text)
    }
}
