internal import CGStreamer

public func gstVersion() -> String {
    gst_init(nil, nil)
    return unsafe String(cString: gst_version_string())
}
