internal import Glibc

/// The desktop that windows open on.
public enum Display {
    /// Whether a display server answers. Video sinks fail, and one of them crashes, when none does.
    public static var isThere: Bool {
        if let name = environment("WAYLAND_DISPLAY"), answers(waylandSocket(name)) { return true }
        guard let display = environment("DISPLAY"), let colon = display.lastIndex(of: ":") else { return false }
        let number = display[display.index(after: colon)...].prefix { $0 != "." }
        // A display on another host is reached through the network: the sink finds out.
        if colon != display.startIndex && !display.hasPrefix("unix") { return true }
        return answers("/tmp/.X11-unix/X\(number)") || answers("\0/tmp/.X11-unix/X\(number)")
    }

    private static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }

    private static func waylandSocket(_ name: String) -> String {
        name.hasPrefix("/") ? name : (environment("XDG_RUNTIME_DIR") ?? "") + "/" + name
    }

    /// Whether somebody listens on a local socket; a leading zero byte means Linux's abstract names.
    private static func answers(_ path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (path.hasPrefix("\0") ? 0 : 1))
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, length) == 0
            }
        }
    }
}
