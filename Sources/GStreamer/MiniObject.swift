internal import CGStreamer

// GstMiniObject reference counting for buffers, caps, events and messages: their C structs begin with a GstMiniObject,
// but import as unrelated Swift types.

func retainMiniObject<T>(_ pointer: UnsafeMutablePointer<T>) {
    unsafe gst_mini_object_ref(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstMiniObject.self))
}

func releaseMiniObject<T>(_ pointer: UnsafeMutablePointer<T>) {
    unsafe gst_mini_object_unref(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstMiniObject.self))
}

func isMiniObjectWritable<T>(_ pointer: UnsafeMutablePointer<T>) -> Bool {
    unsafe gst_mini_object_is_writable(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstMiniObject.self))
        != 0
}
