internal import CGStreamer
internal import CGStreamerShims
internal import Synchronization

/// The factory names under which this process registered its elements.
///
/// An element keeps its name unless another plugin provides an element of that name. Then the element is registered
/// with the prefix "gscap", because GStreamer would otherwise replace the other plugin's element.
public enum RegisteredNames {
    /// Maps each plain element name to its registered name, for renamed elements only.
    private static let renamed = Mutex<[String: String]>([:])

    /// Maps each plain element name to its registered name, for renamed elements only.
    public static var all: [String: String] { renamed.withLock { $0 } }

    /// Returns the factory name under which an element is registered: its plain name unless it was renamed.
    public static func name(of element: String) -> String { renamed.withLock { $0[element] } ?? element }

    /// Chooses the factory name of an element that is about to be registered, and records it if it differs from the
    /// element's own name.
    static func choose(_ plainName: String, for type: GType, in plugin: Plugin?) -> String {
        guard let holder = pluginHolding(plainName, otherThan: type, in: plugin) else { return plainName }
        let name = "gscap" + plainName
        DebugCategory.gscap.log(
            .warning,
            "the plugin \(holder) already has an element \(plainName); gscap's element is registered as \(name)")
        renamed.withLock { $0[plainName] = name }
        return name
    }

    /// Returns the plugin that provides another element of this name; nil if there is none.
    private static func pluginHolding(_ name: String, otherThan type: GType, in plugin: Plugin?) -> String? {
        guard
            let feature = unsafe gst_registry_find_feature(
                gst_registry_get(), name, gst_element_factory_get_type())
        else { return nil }
        defer { unsafe gst_object_unref(UnsafeMutableRawPointer(feature)) }
        // Only a loaded factory has an element type; a factory from the registry cache is compared by its plugin's
        // name.
        if unsafe gst_element_factory_get_element_type(feature) == type { return nil }
        let holder = unsafe gst_plugin_feature_get_plugin_name(feature).map { unsafe String(cString: $0) }
        return holder == plugin?.name ? nil : holder
    }
}
