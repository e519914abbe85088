internal import GStreamer

// The branches whose frames become movies: of the movie output, and of Live Photos.

extension RunningPipeline {
    /// The names of the sinks that take frames of movies.
    static let movieSinks: Set<String> = [PipelinePlan.movieSink, PipelinePlan.livePhotoSink]

    /// Returns the recorder of the movies of Live Photos; nil if the pipeline has no sink for them.
    static func recorder(of pipeline: Pipeline, _ engine: CaptureEngine) -> LivePhotoRecorder? {
        guard pipeline.element(named: PipelinePlan.livePhotoSink) != nil else { return nil }
        let recorder = LivePhotoRecorder(
            LivePhotoRecorder.Actions { [weak engine] id in
                engine?.endMovie(id)
            } delivered: { [weak engine] movie in
                engine?.deliver(movie)
            })
        engine.setRecorder(recorder)
        return recorder
    }

    /// Passes the frames at the sinks of movies to their receivers. Called before the pipeline starts.
    func watchMovies() throws(CaptureError) {
        if let movie {
            try watch(PipelinePlan.movieSink) { running, sample in movie.take(sample, of: running) }
        }
        if let livePhotos {
            try watch(PipelinePlan.livePhotoSink) { running, sample in
                livePhotos.take(sample, inTimeOf: running.pipeline)
            }
        }
    }

    private func watch(
        _ name: String, _ take: @escaping @Sendable (RunningPipeline, Sample) -> Void
    ) throws(CaptureError) {
        guard let sink = pipeline.element(named: name).flatMap(AppSink.init) else {
            throw CaptureError(.badPipeline, "the pipeline has no appsink \"\(name)\" to take a movie's frames from")
        }
        sink.setHandler { [weak self] sink in
            while case let item? = sink.next() {
                guard case .sample(let sample) = item, let self else { continue }
                take(self, sample)
            }
            return nil
        } ended: {
        }
    }

    /// Whether the frames of movies at these sinks are rendered now. A branch that restarts gets none, because they
    /// would wait for it and hold up the camera.
    func recordsFrames(of sinks: Set<String>) -> Bool {
        if isRestarting { return false }
        if sinks.contains(PipelinePlan.movieSink), movie?.wantsFrames(of: self) == true { return true }
        return sinks.contains(PipelinePlan.livePhotoSink) && livePhotos?.wantsFrames == true
            && sharedRendering?.isUnderWay != true
    }

    /// Reports the failure of a branch of movies.
    func failMovie(_ error: GscapError, _ sinks: Set<String>) {
        if sinks.contains(PipelinePlan.movieSink) {
            eventStream.yield(.warning("the recording of movies failed: \(error)"))
            movie?.interrupt(self, because: error)
        } else {
            eventStream.yield(.warning("the movies of Live Photos failed: \(error)"))
            livePhotos?.interrupt(because: error)
        }
    }
}
