internal import Glibc
internal import Synchronization

/// The detection of a desktop display for preview windows.
package enum Display {
    /// Whether a Wayland or X11 server accepts connections. Without one, video sinks fail; dfbvideosink even crashes.
    package static var isAvailable: Bool {
        if let name = environment("WAYLAND_DISPLAY"), answers(waylandSocket(name)) { return true }
        return environment("DISPLAY").map(opensX11) ?? false
    }

    /// Whether the environment names a Wayland or X11 server, which need not accept connections.
    package static var isNamed: Bool { environment("WAYLAND_DISPLAY") != nil || environment("DISPLAY") != nil }

    private static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// The X displays with an open connection. The connections are never closed: an X server resets when its last
    /// client disconnects and refuses connections meanwhile, such as that of the preview window.
    private static let opened = Mutex<Set<String>>([])

    private static func opensX11(_ name: String) -> Bool {
        opened.withLock { opened in
            if opened.contains(name) { return true }
            guard connectsToX11() else { return false }
            opened.insert(name)
            return true
        }
    }

    /// Connects to the X server of DISPLAY with libxcb, the library of the video sinks, which handles authorization
    /// cookies and remote servers. Returns false without libxcb, because then no X11 sink works.
    private static func connectsToX11() -> Bool {
        typealias Connect = @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<CInt>?) -> OpaquePointer?
        typealias HasError = @convention(c) (OpaquePointer?) -> CInt
        typealias Disconnect = @convention(c) (OpaquePointer?) -> Void
        guard let library = unsafe dlopen("libxcb.so.1", RTLD_NOW),
            let connect = unsafe dlsym(library, "xcb_connect"),
            let hasError = unsafe dlsym(library, "xcb_connection_has_error"),
            let disconnect = unsafe dlsym(library, "xcb_disconnect")
        else { return false }
        // The function types match xcb.h, unchanged since version 1.0.
        let connection = unsafe unsafeBitCast(connect, to: Connect.self)(nil, nil)
        if unsafe unsafeBitCast(hasError, to: HasError.self)(connection) == 0 { return true }
        unsafe unsafeBitCast(disconnect, to: Disconnect.self)(connection)
        return false
    }

    private static func waylandSocket(_ name: String) -> String {
        name.hasPrefix("/") ? name : (environment("XDG_RUNTIME_DIR") ?? "") + "/" + name
    }

    /// Returns whether a server accepts connections on a local socket.
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
