internal import CGStreamer
internal import Synchronization

/// A plugin during registration, as GStreamer passes it to the plugin's entry function.
@safe public struct Plugin {
    let pointer: OpaquePointer

    /// Wraps the plugin that C passed; valid only during that call (transfer none).
    package init(borrowing pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
    }

    /// The plugin's name; nil if the plugin has none.
    var name: String? { unsafe gst_plugin_get_name(pointer).map { unsafe String(cString: $0) } }

    /// Registers elements in this process without a plugin file. Later calls with the same plugin name have no effect.
    public static func registerStatic(
        name: String, description: String, version: String, elements: [any ElementBehaviour.Type]
    ) throws(GscapError) {
        try GStreamerRuntime.start()
        try registered.withLock { names throws(GscapError) in
            guard !names.contains(name) else { return }
            let list = ElementList(elements)
            let isRegistered = unsafe gst_plugin_register_static_full(
                Int32(GST_VERSION_MAJOR), Int32(GST_VERSION_MINOR), name, description,
                { plugin, context in
                    guard let plugin = unsafe plugin, let context = unsafe context else { return 0 }
                    let list = unsafe Unmanaged<ElementList>.fromOpaque(context).takeUnretainedValue()
                    return unsafe list.register(in: Plugin(borrowing: plugin)) ? 1 : 0
                }, version, "LGPL", name, name, "gscap", Unmanaged.passUnretained(list).toOpaque())
            if let failure = list.failure { throw failure }
            guard isRegistered != 0 else {
                throw GscapError(message: "GStreamer cannot register the plugin", place: name)
            }
            names.insert(name)
        }
    }

    private static let registered = Mutex<Set<String>>([])
}

/// The user data of a static plugin's entry function: the elements to register, and the failure if one occurred.
private final class ElementList {
    let elements: [any ElementBehaviour.Type]
    private(set) var failure: GscapError?

    init(_ elements: [any ElementBehaviour.Type]) {
        self.elements = elements
    }

    func register(in plugin: Plugin) -> Bool {
        do throws(GscapError) {
            for element in elements { try element.register(in: plugin) }
            return true
        } catch {
            failure = error
            return false
        }
    }
}
