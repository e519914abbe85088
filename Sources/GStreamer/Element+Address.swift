internal import CGStreamer
internal import CGStreamerShims

// Elements of other C libraries, such as those that an RTSP server builds for its clients.

extension Element {
    /// Wraps the GstElement at an address, which a program has from a C function as a pointer: a `Bin` if it is one.
    /// The wrapper adds a reference; the caller keeps its own. Nil if the object is no element.
    ///
    /// Unsafe, because nothing can check that there is a live object at the address.
    @unsafe public static func wrapping(address: UInt) -> Element? {
        guard let object = unsafe UnsafeMutableRawPointer(bitPattern: address),
            unsafe gscap_instance_is_a(object, gst_element_get_type()) != 0
        else { return nil }
        let element = unsafe object.assumingMemoryBound(to: GstElement.self)
        return unsafe gscap_instance_is_a(object, gst_bin_get_type()) != 0
            ? Bin(retainingNone: element) : Element(retainingNone: element)
    }
}
