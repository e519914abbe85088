internal import CGStreamer
internal import CGStreamerShims
internal import Synchronization

/// A device that a provider of this process offers, such as a camera.
public struct ProvidedDevice: Sendable, Equatable {
    /// The name for people.
    public var name: String
    /// The device class, such as "Video/Source".
    public var classification: String
    /// The formats.
    public var caps: Caps
    /// Further properties.
    public var properties: Structure
    /// The factory of the element that opens the device.
    public var factory: String
    /// The value of the element's property "device".
    public var address: String

    /// Creates a device.
    public init(
        name: String, classification: String, caps: Caps, properties: Structure, factory: String, address: String
    ) {
        (self.name, self.classification, self.caps) = (name, classification, caps)
        (self.properties, self.factory, self.address) = (properties, factory, address)
    }

    /// Creates GStreamer's object of the device; nil if GStreamer cannot.
    fileprivate func object() -> DeviceObject? {
        let floating = unsafe gscap_device_new(
            name, classification, caps.pointer, properties.intoFull(), factory, address)
        guard let floating = unsafe floating else { return nil }
        return unsafe DeviceObject(takingFloating: floating)
    }
}

/// The devices that a plugin offers to GstDeviceMonitor.
public struct DeviceProvider: Sendable {
    /// The factory name of the provider.
    public var factoryName: String
    /// The provider's name for people.
    public var longName: String
    /// The description of what the provider finds, one sentence.
    public var summary: String
    /// The author.
    public var author: String
    /// Returns the devices that are connected now.
    public var devices: @Sendable () -> [ProvidedDevice]
    /// Calls its parameter on any thread when devices may have come, gone or changed, until the result is released.
    public var watch: @Sendable (@escaping @Sendable () -> Void) -> (any AnyObject & Sendable)

    /// Creates a provider.
    public init(
        factoryName: String, longName: String, summary: String, author: String,
        devices: @escaping @Sendable () -> [ProvidedDevice],
        watch: @escaping @Sendable (@escaping @Sendable () -> Void) -> (any AnyObject & Sendable)
    ) {
        (self.factoryName, self.longName, self.summary, self.author) = (factoryName, longName, summary, author)
        (self.devices, self.watch) = (devices, watch)
    }

    /// The provider of this process, which C calls without a context.
    private static let registered = Mutex<DeviceProvider?>(nil)

    /// Registers the provider for a plugin. A process has one.
    public func register(in plugin: Plugin) throws(GscapError) {
        Self.registered.withLock { $0 = self }
        // The class keeps both until the process ends.
        let names = UnsafeMutablePointer<GscapProviderNames>.allocate(capacity: 1)
        unsafe names.initialize(
            to: GscapProviderNames(
                factory: strdup(factoryName), long_name: strdup(longName), classification: strdup("Source/Video"),
                description: strdup(summary), author: strdup(author)))
        let calls = UnsafeMutablePointer<GscapProviderCalls>.allocate(capacity: 1)
        unsafe calls.initialize(
            to: GscapProviderCalls(
                probe: { unsafe Self.probe() },
                start: { provider in
                    guard let provider = unsafe provider, let known = Self.registered.withLock({ $0 }) else {
                        return nil
                    }
                    return unsafe Unmanaged.passRetained(ProviderWatch(provider, known)).toOpaque()
                },
                stop: { watch in
                    guard let watch = unsafe watch else { return }
                    unsafe Unmanaged<ProviderWatch>.fromOpaque(watch).takeRetainedValue().end()
                }))
        guard unsafe gscap_register_provider(plugin.pointer, names, calls) != 0 else {
            throw GscapError(message: "GStreamer cannot register the device provider", place: factoryName)
        }
    }

    private static func probe() -> UnsafeMutablePointer<GList>? {
        var list: UnsafeMutablePointer<GList>?
        for device in registered.withLock({ $0 })?.devices().reversed() ?? [] {
            // The list owns a reference to each device.
            if let object = device.object() { unsafe list = g_list_prepend(list, gst_object_ref(object.pointer)) }
        }
        return unsafe list
    }
}

/// A device of GStreamer. Owns one reference.
@safe private final class DeviceObject: @unchecked Sendable {
    // Sendable: GstDevice is immutable, and its reference count atomic.
    let pointer: UnsafeMutablePointer<GstDevice>

    init(takingFloating pointer: UnsafeMutablePointer<GstDevice>) {
        unsafe gst_object_ref_sink(pointer)
        unsafe self.pointer = pointer
    }

    deinit { unsafe gst_object_unref(pointer) }
}

/// The devices that a started provider has announced.
@safe private final class ProviderWatch: @unchecked Sendable {
    // Sendable: the provider is thread-safe and outlives the watch, which it stops; the rest is behind the lock.
    private struct Known {
        var devices: [(description: ProvidedDevice, object: DeviceObject)] = []
        var watch: (any AnyObject & Sendable)?
        var isEnded = false
    }

    private let provider: UnsafeMutablePointer<GstDeviceProvider>
    private let source: DeviceProvider
    private let known = Mutex(Known())

    init(_ provider: UnsafeMutablePointer<GstDeviceProvider>, _ source: DeviceProvider) {
        unsafe self.provider = provider
        self.source = source
        let watch = source.watch { [weak self] in self?.compare() }
        known.withLock { $0.watch = watch }
        compare()
    }

    /// Ends the watch; nothing is announced from now on.
    func end() {
        let old = known.withLock { known in
            defer { known = Known(isEnded: true) }
            return known
        }
        // The last reference ends the watch, outside of the lock.
        _ = consume old
    }

    /// Announces the devices that have come and gone. Under the lock, so that nothing is announced after the end.
    private func compare() {
        let devices = source.devices()
        known.withLock { known in
            guard !known.isEnded else { return }
            known.devices.removeAll { item in
                guard !devices.contains(item.description) else { return false }
                unsafe gst_device_provider_device_remove(provider, item.object.pointer)
                return true
            }
            for device in devices where !known.devices.contains(where: { $0.description == device }) {
                guard let object = device.object() else { continue }
                known.devices.append((device, object))
                unsafe gst_device_provider_device_add(provider, object.pointer)
            }
        }
    }
}
