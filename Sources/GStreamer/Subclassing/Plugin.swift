internal import CGStreamer
internal import Synchronization

/// A plugin under registration: what GStreamer hands to a plugin's entry.
@safe public struct Plugin {
    let pointer: OpaquePointer

    /// The plugin that C handed over; good for the time of that call. // transfer: none
    package init(borrowing pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
    }

    /// The plugin's name.
    var name: String? { unsafe gst_plugin_get_name(pointer).map { unsafe String(cString: $0) } }

    /// Makes elements known to this process without a plugin file. Asked again for the same name it does nothing.
    public static func registerStatic(
        name: String, description: String, version: String, elements: [any ElementBehaviour.Type]
    ) throws(GStreamerError) {
        try GStreamerRuntime.start()
        try registered.withLock { names throws(GStreamerError) in
            guard !names.contains(name) else { return }
            let list = ElementList(elements)
            let done = unsafe gst_plugin_register_static_full(
                Int32(GST_VERSION_MAJOR), Int32(GST_VERSION_MINOR), name, description,
                { plugin, context in
                    guard let plugin = unsafe plugin, let context = unsafe context else { return 0 }
                    let list = unsafe Unmanaged<ElementList>.fromOpaque(context).takeUnretainedValue()
                    return unsafe list.register(in: Plugin(borrowing: plugin)) ? 1 : 0
                }, version, "LGPL", name, name, "gscap", Unmanaged.passUnretained(list).toOpaque())
            if let failure = list.failure { throw failure }
            guard done != 0 else { throw GStreamerError(message: "GStreamer does not take the plugin", place: name) }
            names.insert(name)
        }
    }

    private static let registered = Mutex<Set<String>>([])
}

/// What a static plugin's entry is to register, and what came of it.
private final class ElementList {
    let elements: [any ElementBehaviour.Type]
    private(set) var failure: GStreamerError?

    init(_ elements: [any ElementBehaviour.Type]) {
        self.elements = elements
    }

    func register(in plugin: Plugin) -> Bool {
        do throws(GStreamerError) {
            for element in elements { try element.register(in: plugin) }
            return true
        } catch {
            failure = error
            return false
        }
    }
}
