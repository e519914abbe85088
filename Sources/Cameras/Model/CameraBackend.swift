/// A way to cameras, such as the kernel's drivers of Video4Linux. *Thread-safe.*
package protocol CameraBackend: Sendable {
    /// The name, such as `v4l2`.
    var name: String { get }

    /// Returns the cameras that are connected now, also those that cannot be opened.
    func discover() -> [Camera]

    /// Calls `change` on any thread when cameras may have come, gone or changed, until the watch is released. Nil if
    /// the machine cannot say.
    func watch(_ change: @escaping @Sendable () -> Void) -> CameraWatch?
}

/// A watch that ends when it is released.
package class CameraWatch: @unchecked Sendable {
    // Sendable: the class has no state; subclasses say why they are.
    init() {}
}

/// All back-ends of this machine.
public enum CameraSystem {
    /// The back-ends, in the order in which their cameras are listed.
    package static let backends: [any CameraBackend] = [V4L2Backend()]

    /// Returns the cameras that are connected now, also those that cannot be opened, with the reason.
    public static func discover() -> [Camera] { backends.flatMap { $0.discover() } }

    /// Returns the camera with an identifier, or at an address such as `/dev/video0`; nil if there is none.
    public static func camera(_ name: String) -> Camera? {
        let all = discover()
        return all.first { $0.id == name } ?? all.first { $0.address == name }
    }

    /// Returns the cameras that are connected, as events, and then those that come, change and go. The sequence does
    /// not end by itself.
    public static func events() -> AsyncStream<CameraEvent> {
        AsyncStream { continuation in
            let changes = CameraChanges(backends) { continuation.yield($0) }
            continuation.onTermination = { _ in changes.end() }
            changes.start()
        }
    }
}
