
@c(gstgscap_init) public func pluginInit(_ p: OpaquePointer?) -> Int32 {
    return 1
}
