internal import CGStreamer

/// A device found by GStreamer, such as a camera.
public struct Device: Sendable {
    /// The device's name for people.
    public var name: String
    /// The device class, such as "Video/Source".
    public var classification: String
    /// The formats that the device supports; nil if the device does not report them.
    public var caps: Caps?
    /// Further properties, such as bus path, driver and serial number.
    public var properties: Structure
    /// The pipeline text of the source element that opens the device, with its properties; nil if the device has no
    /// element.
    public var launchText: String?
}

/// A monitor that lists devices (GstDeviceMonitor).
@safe public final class DeviceMonitor: @unchecked Sendable {
    // Sendable: GstDeviceMonitor is thread-safe.
    private let pointer: UnsafeMutablePointer<GstDeviceMonitor>

    /// Creates a monitor for devices of a device class, such as "Video/Source", that support one of `caps`; any formats
    /// if nil.
    public init(classes: String, caps: Caps? = nil) throws(GscapError) {
        try GStreamerRuntime.start()
        guard let pointer = unsafe gst_device_monitor_new() else {
            throw GscapError(message: "cannot create a device monitor", place: "devices")
        }
        unsafe self.pointer = pointer
        unsafe gst_device_monitor_add_filter(pointer, classes, caps?.pointer)
    }

    deinit {
        unsafe gst_object_unref(pointer)
    }

    /// Returns the devices that are connected now.
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
            name: unsafe String(takingFull: gst_device_get_display_name(device)) ?? "",
            classification: unsafe String(takingFull: gst_device_get_device_class(device)) ?? "",
            caps: unsafe gst_device_get_caps(device).map { unsafe Caps(takingFull: $0) },
            properties: unsafe properties.map { unsafe Structure(reading: $0) } ?? Structure("properties"),
            launchText: unsafe launchText(device))
    }

    /// Returns pipeline text of the device's element: its factory name and the properties that identify the device.
    private static func launchText(_ device: UnsafeMutablePointer<GstDevice>) -> String? {
        guard let raw = unsafe gst_device_create_element(device, nil) else { return nil }
        let element = unsafe Element(retainingNone: raw)
        var words = [element.factoryName]
        for property in ["device", "camera-name", "target-object", "path"] {
            if let value = try? element.get(property), let text = value.text { words.append("\(property)=\(text)") }
        }
        return words.joined(separator: " ")
    }
}
