internal import Dispatch
internal import Files
internal import Glibc

/// Watches the names in a folder by the kernel's inotify, which also sees the device files of a container, where no
/// udevd runs.
final class FolderWatch: CameraWatch, @unchecked Sendable {
    // Sendable: the properties never change after the initialiser.
    private let source: any DispatchSourceRead

    /// Calls `change` on a queue of its own when a name that `concerns` accepts appears, disappears or gets other
    /// rights. Nil if the kernel cannot watch the folder.
    init?(_ folder: String, concerns: @escaping @Sendable (String) -> Bool, _ change: @escaping @Sendable () -> Void) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        let events = UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO)
        guard unsafe inotify_add_watch(descriptor, folder.cPath, events) >= 0 else {
            close(descriptor)
            return nil
        }
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "gscap.folder-watch"))
        super.init()
        source.setEventHandler { if Self.names(descriptor).contains(where: concerns) { change() } }
        source.setCancelHandler { close(descriptor) }
        source.resume()
    }

    deinit { source.cancel() }

    /// Reads the names of the events that have come.
    private static func names(_ descriptor: Int32) -> [String] {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        var names: [String] = []
        while true {
            let count = unsafe read(descriptor, &bytes, bytes.count)
            guard count > 0 else { return names }
            // Each event has 16 bytes: watch, mask, cookie and the length of the name, and then the name.
            var offset = 0
            while offset + 16 <= count {
                let length = (0..<4).reduce(0) { $0 | Int(bytes[offset + 12 + $1]) << (8 * $1) }
                let name = bytes[min(count, offset + 16)..<min(count, offset + 16 + length)].prefix { $0 != 0 }
                names.append(String(decoding: name, as: UTF8.self))
                offset += 16 + length
            }
        }
    }
}
