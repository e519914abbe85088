internal import GStreamer
internal import Glibc
internal import Synchronization

/// Stores the frames of deferred captures as jobs. *Thread-safe*; each capture's frames arrive one after another.
final class DeferredJobWriter: Sendable {
    private struct Entry {
        let job: DeferredJob
        let plan: @Sendable () throws(CaptureError) -> String
        let frames: Int
        var stored = 0
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
        guard let entry = entries.withLock({ $0[id] }) else { return nil }
        do throws(CaptureError) {
            try store(sample, entry)
        } catch {
            discard(id)
            throw error
        }
        let isComplete = entries.withLock { entries in
            entries[id]?.stored += 1
            guard let entry = entries[id], entry.stored >= entry.frames else { return false }
            entries[id] = nil
            return true
        }
        guard isComplete else { return nil }
        guard unsafe rename(entry.job.partialFolder, entry.job.folder) == 0 else {
            let error = DeferredJob.failure("cannot name the job; does it exist already?", entry.job.folder)
            try? DeferredJob(folder: entry.job.partialFolder).remove()
            throw error
        }
        return entry.job
    }

    private func store(_ sample: Sample, _ entry: Entry) throws(CaptureError) {
        let folder = entry.job.partialFolder
        if entry.stored == 0 {
            try createFolders(folder)
            try AtomicFile.write(pieces: [Array(try entry.plan().utf8)], to: folder + "/" + DeferredJob.planName)
        }
        let digits = String(entry.stored)
        let number = String(repeating: "0", count: max(0, 2 - digits.count)) + digits
        guard let file = sample.buffer else { return }
        try file.withBytes { (bytes) throws(CaptureError) in
            try AtomicFile.write(bytes, to: "\(folder)/frame-\(number).dng")
        }
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
        guard let entry = entries.withLock({ $0.removeValue(forKey: id) }), entry.stored > 0 else { return }
        try? DeferredJob(folder: entry.job.partialFolder).remove()
    }

    /// Deletes all incomplete jobs.
    func discardAll() {
        for id in entries.withLock({ Array($0.keys) }) { discard(id) }
    }
}
