internal import FrameStream
internal import GStreamer
internal import Glibc

// Captures with deferred delivery: their frames are stored as jobs.

extension RunningPipeline {
    /// Announces the job of a capture. The pipeline of its photos is composed when the first frame is stored.
    func `defer`(
        _ settings: PhotoSettings, _ resolved: ResolvedPhotoSettings, in folder: String
    ) throws(CaptureError) {
        let name = settings.deferredName ?? Self.jobName(resolved.uniqueID)
        var final = settings
        final.isDeferred = false
        // The frames are taken already, and a recording has no flash.
        final.flashMode = .off
        final.frames = resolved.frames
        final.photoQualityPrioritization = resolved.photoQualityPrioritization
        let plan = final
        jobs.begin(resolved.uniqueID, DeferredJob(folder: folder + "/" + name), frames: resolved.frames) {
            () throws(CaptureError) in try DeferredJob.planText(plan)
        }
    }

    /// A name that no other capture has, also in another process.
    private static func jobName(_ id: UInt64) -> String { "\(Int(time(nil)))-\(getpid())-\(id)" }

    /// Stores the frames that arrive at the sink of a branch, and delivers each job that is complete.
    func store(_ sink: AppSink, _ branch: PipelinePlan.Branch) {
        sink.setHandler { [engine, jobs] sink in
            while case let item? = sink.next() {
                guard case .sample(let sample) = item, let id = sample.buffer?.captureIdentifier else { continue }
                do throws(CaptureError) {
                    guard let job = try jobs.add(id, sample) else { continue }
                    engine.deliver(id, branch: branch.name, sample: nil, job: job)
                } catch {
                    engine.deliver(id, branch: branch.name, sample: nil, error: error)
                }
            }
            return nil
        } ended: {
        }
    }
}

extension DeferredJob {
    /// Returns the text of the pipeline that makes the photos of these settings from the frames beside it.
    static func planText(_ settings: PhotoSettings) throws(CaptureError) -> String {
        let placeholder = "gscap-job-folder"
        let frames = CaptureDevice.recorded(location: placeholder + "/" + framePattern)
        let plan = try PipelinePlan(device: frames, preview: nil, settings: settings)
        // The folder is a variable, since a job may be moved.
        return plan.text.replacing(placeholder, with: "${JOB:-.}") + "\n"
    }
}
