internal import Glibc
internal import Synchronization

/// The desktop that windows open on.
public enum Display {
    /// Whether a display server answers and lets us in. Video sinks fail, and one of them crashes, when none does.
    public static var isThere: Bool {
        if let name = environment("WAYLAND_DISPLAY"), answers(waylandSocket(name)) { return true }
        return environment("DISPLAY").map(opensX11) ?? false
    }

    private static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// The X servers that let us in. The connections stay: a server whose last client leaves starts anew, and turns others
    /// away meanwhile, the window of our own preview among them.
    private static let opened = Mutex<Set<String>>([])

    private static func opensX11(_ name: String) -> Bool {
        opened.withLock { opened in
            if opened.contains(name) { return true }
            guard connects() else { return false }
            opened.insert(name)
            return true
        }
    }

    /// Whether the X server of DISPLAY accepts a connection, asked with the library that sinks use: it knows cookies and
    /// servers on other hosts. Where the library is missing, no sink for X11 works either.
    private static func connects() -> Bool {
        typealias Connect = @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<CInt>?) -> OpaquePointer?
        typealias HasError = @convention(c) (OpaquePointer?) -> CInt
        typealias Disconnect = @convention(c) (OpaquePointer?) -> Void
        guard let library = unsafe dlopen("libxcb.so.1", RTLD_NOW),
            let connect = unsafe dlsym(library, "xcb_connect"),
            let hasError = unsafe dlsym(library, "xcb_connection_has_error"),
            let disconnect = unsafe dlsym(library, "xcb_disconnect")
        else { return false }
        // The types above are those of xcb.h, which has not changed them since version 1.0.
        let connection = unsafe unsafeBitCast(connect, to: Connect.self)(nil, nil)
        if unsafe unsafeBitCast(hasError, to: HasError.self)(connection) == 0 { return true }
        unsafe unsafeBitCast(disconnect, to: Disconnect.self)(connection)
        return false
    }

    private static func waylandSocket(_ name: String) -> String {
        name.hasPrefix("/") ? name : (environment("XDG_RUNTIME_DIR") ?? "") + "/" + name
    }

    /// Whether somebody listens on a local socket.
    private static func answers(_ path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + 1)
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, length) == 0
            }
        }
    }
}
