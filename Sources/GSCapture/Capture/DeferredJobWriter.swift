internal import Files
internal import GStreamer
internal import Glibc
internal import GscapElements
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
        guard unsafe rename(entry.job.partialFolder, entry.job.folder) != 0 else { return entry.job }
        let reason = errno
        try? DeferredJob(folder: entry.job.partialFolder).remove()
        // A folder with files cannot be replaced.
        guard [EEXIST, ENOTEMPTY].contains(reason) else { throw entry.job.failure(storing: reason) }
        throw CaptureError(
            .cannotWrite, "there is a job of this name already; choose another name", place: entry.job.folder)
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
        let plan = try entry.stored == 0 ? entry.plan() : nil
        do throws(GscapError) {
            let partial = DeferredJob(folder: entry.job.partialFolder)
            if let plan {
                try createFolders(of: partial)
                entries.withLock { $0[id]?.hasFolder = true }
                try WholeFile.write(pieces: [Array(plan.utf8)], to: partial.folder + "/" + DeferredJob.planName)
            }
            guard let file = sample.buffer else { return }
            let path = partial.framePath(entry.stored)
            try file.withBytes { (bytes) throws(GscapError) in try WholeFile.write(bytes, to: path) }
        } catch {
            throw entry.job.failure(storing: error.systemError)
        }
    }

    /// Creates the folder of a job, and the folder of the jobs if it does not exist.
    private func createFolders(of job: DeferredJob) throws(GscapError) {
        if !job.parent.isEmpty, unsafe mkdir(job.parent, 0o755) != 0, errno != EEXIST {
            throw GscapError("cannot create the folder", job.parent)
        }
        if unsafe mkdir(job.folder, 0o755) != 0 { throw GscapError("cannot create the folder", job.folder) }
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
