internal import CVideo4Linux
internal import Errors
internal import Files
internal import Glibc

/// An open device file of the kernel. *Thread-safe*, because the kernel orders the calls.
final class DeviceFile: Sendable {
    let path: String
    let descriptor: Int32

    /// Opens a device file; calls on it do not block.
    init(_ path: String) throws(SystemError) {
        descriptor = unsafe gscap_video_open(path.cPath)
        self.path = path
        if descriptor < 0 { throw SystemError(number: -descriptor) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Makes a request with a structure that the kernel reads and writes.
    func call<Argument>(_ request: UInt, _ argument: inout Argument) throws(SystemError) {
        let error = unsafe withUnsafeMutablePointer(to: &argument) {
            unsafe gscap_video_call(descriptor, request, $0)
        }
        if error != 0 { throw SystemError(number: error) }
    }

    /// Makes a request with one structure after another, each of a further index, until the kernel has no more.
    func list<Argument, Item>(
        _ request: UInt, _ argument: (UInt32) -> Argument, _ item: (Argument) -> Item?
    ) -> [Item] {
        var items: [Item] = []
        // No driver has so many formats or sizes; a faulty one must not keep the caller forever.
        for index in 0..<UInt32(1024) {
            var next = argument(index)
            do throws(SystemError) { try call(request, &next) } catch { break }
            if let item = item(next) { items.append(item) }
        }
        return items
    }
}

/// The major and minor number of a device file, by which entities of the media graph name it.
struct DeviceNumber: Hashable, Sendable {
    var major: UInt32
    var minor: UInt32

    /// Reads the number of a device file; nil if there is none at the path.
    init?(path: String) {
        var information = stat()
        guard unsafe stat(path.cPath, &information) == 0, information.st_mode & S_IFMT == S_IFCHR else { return nil }
        let device = UInt64(information.st_rdev)
        major = UInt32(truncatingIfNeeded: (device >> 8) & 0xFFF)
        minor = UInt32(truncatingIfNeeded: (device & 0xFF) | ((device >> 12) & 0xFFF00))
    }

    /// Creates a number; nil for 0 and 0, which no device has.
    init?(major: UInt32, minor: UInt32) {
        guard (major, minor) != (0, 0) else { return nil }
        (self.major, self.minor) = (major, minor)
    }

    /// The path of the device file, by the kernel's name of the device; nil if the device has gone.
    var path: String? {
        guard let target = SystemFile.link("/sys/dev/char/\(major):\(minor)") else { return nil }
        return target.split(separator: "/").last.map { "/dev/\($0)" }
    }
}

/// Small files of the kernel in /sys and /proc.
enum SystemFile {
    /// The text of a file without white space at its end; nil if it cannot be read.
    static func text(_ path: String) -> String? {
        guard let file = unsafe fopen(path.cPath, "re") else { return nil }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        let text = String(decoding: bytes.prefix(count).prefix { $0 != 0 }, as: UTF8.self)
        return String(text.reversed().drop(while: \.isWhitespace).reversed())
    }

    /// The target of a symbolic link; nil if there is none.
    static func link(_ path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path.cPath, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension String {
    /// The text of a C array of characters that ends at a zero or with the array.
    init<Characters: BitwiseCopyable>(field: Characters) {
        self = unsafe withUnsafeBytes(of: field) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
