internal import CGStreamer

extension String {
    /// Copies a C text, and frees it (transfer full); nil without a text.
    init?(takingFull text: UnsafeMutablePointer<CChar>?) {
        guard let text = unsafe text else { return nil }
        defer { unsafe g_free(text) }
        unsafe self.init(cString: text)
    }
}
