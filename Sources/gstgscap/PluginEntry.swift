internal import GStreamer
internal import GscapElements

/// Registers gscap's elements; GStreamer calls this when it loads the plugin file. Returns 1 on success and 0 on
/// failure, as a gboolean. The attribute is `@_cdecl`, since Swift 6.2 has no `@c`.
@_cdecl("gstgscap_initialize")
public func initializePlugin(_ plugin: OpaquePointer?) -> Int32 {
    guard let plugin = unsafe plugin else { return 0 }
    do throws(GscapError) {
        try unsafe GscapPlugin.register(in: Plugin(borrowing: plugin))
        return 1
    } catch {
        return 0
    }
}
