internal import CGStreamer

// Buffers, caps, events, samples and messages share a C header; these three say so once.

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
