internal import Dispatch
internal import Files
internal import Synchronization

/// The names that are reserved for the files of a bin's captures, from the press to the capture's end.
///
/// *Thread-safe.* The folder is read on one queue, so that captures get numbers in the order of their presses, and a
/// press does not wait for the disk.
final class PhotoReservations: Sendable {
    /// The name of a capture's files.
    private struct Entry {
        var names: PhotoFileNames
        var reservation: NameReservation
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        /// The last number given in each folder, with the beginning of the names.
        var lastNumbers: [PhotoFileNames: Int] = [:]
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "gscap.photo-names")

    /// Reserves a name for a capture, if it is under way, and returns at once.
    func reserve(_ id: UInt64, _ names: PhotoFileNames, if isUnderWay: @escaping @Sendable () -> Bool) {
        queue.async { [self] in
            // If this fails, so does storing the first file, which reports it.
            if isUnderWay(), state.withLock({ $0.entries[id] == nil }) { _ = try? find(id, names) }
        }
    }

    /// Returns the path of a capture's file; reserves a name unless the capture has one. `used` is a path that turned
    /// out to exist: the remaining files get the next name.
    func path(
        _ id: UInt64, _ names: PhotoFileNames, _ format: PhotoBranchFormat, part: Int?, used: String?
    ) throws(GscapError) -> String {
        let result = queue.sync {
            Result { () throws(GscapError) in
                if let entry = state.withLock({ $0.entries[id] }) {
                    let path = entry.names.path(name: entry.reservation.name, format, part: part)
                    if path != used { return path }
                }
                return names.path(name: try find(id, names).name, format, part: part)
            }
        }
        return try result.get()
    }

    /// Releases the name of a capture that has ended.
    func release(_ id: UInt64) {
        queue.async { [self] in
            let entry = state.withLock { $0.entries.removeValue(forKey: id) }
            // The claim is deleted outside the lock.
            withExtendedLifetime(entry) {}
        }
    }

    /// Reserves the next free name for a capture. Queue only.
    private func find(_ id: UInt64, _ names: PhotoFileNames) throws(GscapError) -> NameReservation {
        let last = state.withLock { $0.lastNumbers[names] }
        if last == nil { NameReservation.removeRemnants(in: names.folder) }
        let found = try names.shots.reserve(after: last ?? 0) { names.name(number: $0) }
        let old = state.withLock { state in
            state.lastNumbers[names] = found.number
            let old = state.entries[id]
            state.entries[id] = Entry(names: names, reservation: found.reservation)
            return old
        }
        withExtendedLifetime(old) {}
        return found.reservation
    }
}
