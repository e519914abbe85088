internal import GStreamer
internal import Glibc
internal import Synchronization

/// Stores the frames of deferred captures as jobs. *Thread-safe*; each capture's frames arrive one after another.
///
///     waiting ──a frame arrives──► storing ──stored──► waiting, or after the last frame: complete
///        │                            │
///        └──discard──► deleted ◄──────┴── an error, or discard meanwhile
final class DeferredJobWriter: Sendable {
    private struct Entry {
        let job: DeferredJob
        let plan: @Sendable () throws(CaptureError) -> String
        let frames: Int
        var stored = 0
        /// Whether this capture created the folder, so that it may delete it.
        var hasFolder = false
        var isStoring = false
        /// Whether the job was discarded while a frame was stored: then the storing thread deletes it.
        var isDiscarded = false
    }

    private let entries = Mutex<[UInt64: Entry]>([:])

    /// Announces the job of a capture with this many frames; `plan` returns the text of the pipeline that will make the
    /// photo. Nothing is written before the first frame.
    func begin(
        _ id: UInt64, _ job: DeferredJob, frames: Int, plan: @escaping @Sendable () throws(CaptureError) -> String
    ) {
        entries.withLock { $0[id] = Entry(job: job, plan: plan, frames: frames) }
    }

    /// Stores the next frame of a capture, encoded as a DNG. Returns the job when this was the last frame; nil before,
    /// and for an unknown capture. After an error the incomplete job is deleted.
    func add(_ id: UInt64, _ sample: Sample) throws(CaptureError) -> DeferredJob? {
        guard let entry = beginStoring(id) else { return nil }
        do throws(CaptureError) {
            try store(sample, entry, of: id)
        } catch {
            discard(id)
            _ = endStoring(id)
            throw error
        }
        guard endStoring(id) else { return nil }
        guard unsafe rename(entry.job.partialFolder, entry.job.folder) == 0 else {
            let error = DeferredJob.failure("cannot name the job; does it exist already?", entry.job.folder)
            try? DeferredJob(folder: entry.job.partialFolder).remove()
            throw error
        }
        return entry.job
    }

    private func beginStoring(_ id: UInt64) -> Entry? {
        entries.withLock { entries in
            entries[id]?.isStoring = true
            return entries[id]
        }
    }

    /// Counts a frame, unless the job was discarded meanwhile: then deletes the job. Returns whether it is complete.
    private func endStoring(_ id: UInt64) -> Bool {
        let (discarded, isComplete) = entries.withLock { entries -> (Entry?, Bool) in
            guard var entry = entries.removeValue(forKey: id) else { return (nil, false) }
            if entry.isDiscarded { return (entry, false) }
            (entry.stored, entry.isStoring) = (entry.stored + 1, false)
            if entry.stored >= entry.frames { return (nil, true) }
            entries[id] = entry
            return (nil, false)
        }
        if let discarded, discarded.hasFolder { try? DeferredJob(folder: discarded.job.partialFolder).remove() }
        return isComplete
    }

    private func store(_ sample: Sample, _ entry: Entry, of id: UInt64) throws(CaptureError) {
        let folder = entry.job.partialFolder
        if entry.stored == 0 {
            try createFolders(folder)
            entries.withLock { $0[id]?.hasFolder = true }
            try AtomicFile.write(pieces: [Array(try entry.plan().utf8)], to: folder + "/" + DeferredJob.planName)
        }
        guard let file = sample.buffer else { return }
        let path = DeferredJob(folder: folder).framePath(entry.stored)
        try file.withBytes { (bytes) throws(CaptureError) in try AtomicFile.write(bytes, to: path) }
    }

    /// Creates the folder of a job, and the folder of the jobs if it does not exist.
    private func createFolders(_ folder: String) throws(CaptureError) {
        let parent = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
        if !parent.isEmpty, unsafe mkdir(parent, 0o755) != 0, errno != EEXIST {
            throw DeferredJob.failure("cannot create the folder of deferred photos", parent)
        }
        guard unsafe mkdir(folder, 0o755) == 0 else {
            throw DeferredJob.failure("cannot create the folder of the job", folder)
        }
    }

    /// Deletes the incomplete job of a capture that failed. Does nothing for a complete one.
    func discard(_ id: UInt64) {
        let discarded = entries.withLock { entries -> Entry? in
            guard entries[id]?.isStoring == true else { return entries.removeValue(forKey: id) }
            entries[id]?.isDiscarded = true
            return nil
        }
        guard let discarded, discarded.hasFolder else { return }
        try? DeferredJob(folder: discarded.job.partialFolder).remove()
    }

    /// Deletes all incomplete jobs.
    func discardAll() {
        for id in entries.withLock({ Array($0.keys) }) { discard(id) }
    }
}
