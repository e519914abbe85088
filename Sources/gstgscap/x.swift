internal import GStreamer

@c(gstgscap_init) public func pluginInit(_ p: OpaquePointer?) -> Int32 {
    print(gstVersion())
    return 1
}
