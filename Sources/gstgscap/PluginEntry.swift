internal import GStreamer
internal import GscapElements

/// Called by GStreamer when it loads the plugin file: makes the elements known. 1 for done, 0 for failed, as C has it.
@c(gstgscap_initialize)
public func initializePlugin(_ plugin: OpaquePointer?) -> Int32 {
    guard let plugin = unsafe plugin else { return 0 }
    do throws(GStreamerError) {
        try unsafe GscapPlugin.register(in: Plugin(borrowing: plugin))
        return 1
    } catch {
        return 0
    }
}
