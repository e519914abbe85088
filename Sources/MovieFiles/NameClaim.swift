internal import Glibc
internal import Synchronization
internal import UnnamedFiles

/// The claim of a recording on the name of a file that does not exist yet, across threads and processes.
///
/// The claim is a lock on the folder (an open file description lock) of the byte at the hash of the name. It leaves
/// nothing on the disk, and the kernel drops the lock of a process that dies. Exclusive locks need a file that is open
/// for writing, which a folder cannot be, so a claim is a shared lock, and a name is free if an exclusive lock would be
/// possible.
///
/// Some recordings of one name are found only when the second one stores its first fragment: those that two processes
/// begin within microseconds, those of several computers in a network folder, those whose names differ in case on a
/// file system that ignores it, and those in a folder that may not be read.
final class NameClaim: Sendable {
    /// The open folder, whose end ends the claim; -1 if it cannot be opened.
    private let descriptor: Int32

    /// Keeps the threads of this process from asking for a name before another one has claimed it.
    private static let order = Mutex(())

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Claims the name of a file, which is released with the result; returns nil if another recording has it.
    static func claim(_ path: String) -> NameClaim? {
        let folder = UnnamedFile.folder(of: path)
        let claim = NameClaim(descriptor: unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        let offset = offset(of: path.split(separator: "/").last ?? "")
        return order.withLock { _ in claim.lock(offset) } ? claim : nil
    }

    /// Locks a byte of the folder, if it can be locked at all; returns false if another recording has locked it.
    private func lock(_ offset: Int) -> Bool {
        var range = flock()
        range.l_whence = Int16(SEEK_SET)
        (range.l_start, range.l_len) = (offset, 1)
        range.l_type = Int16(F_WRLCK)
        if unsafe fcntl(descriptor, Self.query, &range) == 0, range.l_type != Int16(F_UNLCK) { return false }
        range.l_type = Int16(F_RDLCK)
        _ = unsafe fcntl(descriptor, Self.set, &range)
        return true
    }

    /// F_OFD_GETLK and F_OFD_SETLK, which glibc's headers define only with _GNU_SOURCE. Such a lock belongs to an open
    /// file, so that it also holds against other threads, and not to the process.
    private static var query: Int32 { 36 }
    private static var set: Int32 { 37 }

    /// Returns the offset of the byte that stands for a name: its hash (FNV-1a), the same in every process.
    private static func offset(of name: Substring) -> Int {
        let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return Int(hash >> 2)
    }
}
