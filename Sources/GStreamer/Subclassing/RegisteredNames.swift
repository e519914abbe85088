internal import CGStreamer
internal import CGStreamerShims
internal import Synchronization

/// The names under which elements of this process's registrations are known.
///
/// An element keeps its name unless another plugin has an element of that name: then it is registered with "gscap"
/// before it, since GStreamer would otherwise put one in place of the other.
public enum RegisteredNames {
    /// Maps each plain element name to its registered name, for renamed elements only.
    private static let changed = Mutex<[String: String]>([:])

    /// Maps each plain element name to its registered name, for renamed elements only.
    public static var all: [String: String] { changed.withLock { $0 } }

    /// The name that an element is registered under: mostly its own.
    public static func name(of element: String) -> String { changed.withLock { $0[element] } ?? element }

    /// Chooses the name for an element of a type that is about to be registered, and remembers it.
    static func choose(_ own: String, for type: GType, in plugin: Plugin?) -> String {
        guard let holder = otherHolder(of: own, than: type, in: plugin) else { return own }
        let name = "gscap" + own
        unsafe gscap_log_warning(
            "the plugin \(holder) has an element \(own), so that of gscap is registered as \(name)")
        changed.withLock { $0[own] = name }
        return name
    }

    /// The plugin that has another element of this name; nil when there is none.
    private static func otherHolder(of name: String, than type: GType, in plugin: Plugin?) -> String? {
        guard
            let feature = unsafe gst_registry_find_feature(
                gst_registry_get(), name, gst_element_factory_get_type())
        else { return nil }
        defer { unsafe gst_object_unref(UnsafeMutableRawPointer(feature)) }
        // A factory that was loaded has a type; one that the registry only remembers has a plugin's name.
        if unsafe gst_element_factory_get_element_type(feature) == type { return nil }
        let holder = unsafe gst_plugin_feature_get_plugin_name(feature).map { unsafe String(cString: $0) }
        return holder == plugin?.name ? nil : holder
    }
}
