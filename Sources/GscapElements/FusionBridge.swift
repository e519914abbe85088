internal import Demosaic
internal import Develop
internal import Fusion
internal import GStreamer
internal import RawImage
internal import Synchronization

/// The bridge inside `rawfusion`: takes frames out of an appsink, fuses them, and hands photos to an appsrc.
///
/// All work is done on the thread that brings the frames, so a burst under work holds back the queue before the element
/// and nothing else.
final class FusionBridge: Sendable {
    private let sink: AppSink
    private let source: AppSrc
    private let element: ElementHandle
    /// Held while frames are aligned and merged: only the thread that brings them and who has told it to stop take it.
    private let worker = Mutex(BurstWorker())
    private let settings = Mutex(FusionSettings())
    private let isCancelled = Flag()
    private let outcome = StreamOutcome("not one burst could be fused")

    init(_ element: ElementHandle) throws(GStreamerError) {
        self.element = element
        sink = try AppSink(name: "frames", caps: Caps(BayerCaps.template), maxBuffers: 1)
        source = try AppSrc(name: "photos", maxBuffers: 2)
        try sink.set("async", false)
        guard let bin = element.bin, let input = sink.pad("sink"), let output = source.pad("src") else {
            throw GStreamerError(message: "the bin cannot be built", place: element.name)
        }
        try bin.add(sink)
        try bin.add(source)
        let entrance = try bin.addGhostPad("sink", of: input)
        try bin.addGhostPad("src", of: output)
        bin.actAsFilter()
        passFlushes(from: entrance)
        sink.setHandler { [weak self] sink in
            self?.drain(sink)
        } ended: { [weak self] in
            self?.end()
        }
    }

    /// Takes settings for the bursts that begin from now on. It does not wait for work under way.
    func use(_ settings: FusionSettings) { self.settings.withLock { $0 = settings } }

    /// Lets frames in at once, whatever the state of the bin.
    ///
    /// A sink that prerolls takes one frame and then waits for PLAYING; the sinks behind, which need the photo to get
    /// there, would wait for it in turn.
    func open() throws(GStreamerError) {
        isCancelled.lower()
        outcome.begin()
        _ = worker.withLock { $0.reset() }
        sink.setStateLocked(true)
        try sink.setState(.playing)
    }

    /// Stops work under way and lets the frames go.
    func close() {
        isCancelled.raise()
        _ = try? sink.setState(.null)
        sink.setStateLocked(false)
        abandon("the pipeline stopped before the burst was fused")
    }

    /// Gives up the burst under work, and tells whose it was.
    private func abandon(_ reason: String) {
        if let id = worker.withLock({ $0.reset() }) { element.postFailure(of: id, reason) }
    }

    private func passFlushes(from entrance: Pad) {
        _ = entrance.addEventProbe(.flush) { [weak self] event in
            guard let self else { return .pass }
            if event.kind == .flushStart {
                isCancelled.raise()
            } else {
                abandon("the stream was flushed before the burst was fused")
                isCancelled.lower()
            }
            source.send(event)
            return .pass
        }
    }
}

// MARK: - On the streaming thread

extension FusionBridge {
    private func drain(_ sink: AppSink) -> FlowError? {
        while let item = sink.next() {
            switch item {
            case .sample(let sample):
                if let failure = take(sample) { return failure }
            case .event(let event):
                pass(event)
            }
        }
        return nil
    }

    /// Events of the stream that the source does not make itself go on in order.
    private func pass(_ event: Event) {
        switch event.kind {
        case .caps:
            if let caps = event.caps { announce(caps) }
        case .streamStart, .segment, .endOfStream: break
        // The probe has passed it on already; a second one would wait for the source's thread, which waits for photos.
        case .flushStop: break
        default: source.send(event)
        }
    }

    /// Tells the format behind before the first photo, so that everything behind gets ready.
    private func announce(_ caps: Caps) {
        guard let structure = caps.first else { return }
        source.setCaps(Caps([LinearCaps.caps(of: structure)]))
    }

    private func take(_ sample: Sample) -> FlowError? {
        guard let caps = sample.caps, let frame = sample.buffer else { return nil }
        let id = frame.captureIdentifier
        guard !worker.withLock({ $0.hasFailed(id) }) else { return nil }
        do {
            if let photo = try fuse(frame, caps) { try source.push(photo) }
            return nil
        } catch let flow as FlowError {
            if let id { element.postFailure(of: id, "the stream stopped before the photo was handed on") }
            return flow
        } catch let error as FusionError where error.code == .cancelled {
            // Who cancelled tells whose photo that costs.
            return .flushing
        } catch {
            worker.withLock { $0.fail(id) }
            tell(error, id: id)
            return nil
        }
    }

    /// Adds a frame to its burst; gives the photo when it was the last.
    private func fuse(_ frame: borrowing Buffer, _ caps: Caps) throws -> Buffer? {
        let format = try BayerCaps.format(caps)
        let metadata = frame.frameMetadata ?? FrameMetadata(bitDepth: format.bitDepth)
        let settings = settings.withLock { $0 }
        if worker.withLock({ $0.isInterrupted(by: metadata.capture?.id) }) {
            abandon("the burst ended before all its frames came; was the queue before the fusion told to drop some?")
        }
        let step = try worker.withLock { worker in
            try frame.withValues(of: UInt16.self) { codes throws in
                try worker.add(codes, format: format, metadata: metadata, settings: settings) { [isCancelled] in
                    isCancelled.isRaised
                }
            }
        }
        if let tag = metadata.capture {
            element.post(CaptureMessage.fusing(id: tag.id, merged: step.merged, count: step.count).structure)
        }
        guard let result = step.result else { return nil }
        return try photo(of: result, like: frame, caps)
    }

    private func photo(of result: BurstWorker.Result, like frame: borrowing Buffer, _ caps: Caps) throws -> Buffer {
        announce(caps)
        var photo: Buffer
        var metadata: FrameMetadata
        let format: LinearFormat
        switch result {
        case .mosaic(let mosaic):
            format = LinearFormat(width: mosaic.format.width, height: mosaic.format.height)
            photo = try demosaic(mosaic, format)
            metadata = Demosaic.linearMetadata(for: mosaic.metadata)
        case .photo(let image):
            format = image.format
            photo = try copy(image)
            metadata = image.metadata
        }
        metadata.recipe = recipe(of: photo, format, metadata)
        photo.copyTimes(from: frame)
        metadata.capture?.index = 0
        metadata.capture?.count = 1
        try photo.setFrameMetadata(metadata)
        outcome.give()
        if let id = metadata.capture?.id, let report = metadata.fusion {
            element.post(CaptureMessage.fused(id: id, report: report).structure)
        }
        return photo
    }

    /// The look that all who get the photo give it, made here once; a photo that allows none goes on without.
    private func recipe(of photo: borrowing Buffer, _ format: LinearFormat, _ metadata: FrameMetadata) -> Recipe? {
        try? photo.withValues(of: UInt16.self) { values throws in
            try RecipeMaker().recipe(linear: values, format: format, metadata: metadata)
        }
    }

    private func buffer(of format: LinearFormat) throws -> Buffer {
        try worker.withLock { try $0.pool(size: LinearCaps.size(format)) }.acquire()
    }

    /// Straight into the buffer that goes on.
    private func demosaic(_ mosaic: Mosaic, _ format: LinearFormat) throws -> Buffer {
        var photo = try buffer(of: format)
        try photo.withMutableValues(of: UInt16.self) { (values: inout MutableSpan<UInt16>) throws in
            try Demosaic.linear(
                mosaic.codes.span, format: mosaic.format, metadata: mosaic.metadata, into: &values, output: format)
        }
        return photo
    }

    /// Out of the fusion's own memory: it needed the photo whole before it knew that there would be one.
    private func copy(_ image: LinearImage) throws -> Buffer {
        var photo = try buffer(of: image.format)
        photo.withMutableValues(of: UInt16.self) { (values: inout MutableSpan<UInt16>) in
            for index in 0..<min(values.count, image.values.count) { values[index] = image.values[index] }
        }
        return photo
    }

    /// At the end a burst that is not whole is fused as far as it came.
    private func end() {
        let id = worker.withLock { $0.ticket }
        do {
            try fuseRest()
        } catch {
            worker.withLock { _ = $0.reset() }
            if !isCancelled.isRaised { tell(error, id: id) }
        }
        do throws(GStreamerError) {
            if !isCancelled.isRaised { try outcome.end() }
        } catch {
            element.post(error: error)
        }
        source.endOfStream()
    }

    private func fuseRest() throws {
        guard let result = try worker.withLock({ try $0.finish() }) else { return }
        guard let caps = sink.pad("sink")?.currentCaps else {
            throw GStreamerError(
                message: "the last burst is lost: nobody knows its format any more", place: element.name)
        }
        try source.push(photo(of: result, like: Buffer(size: 0), caps))
    }

    /// A burst that fails costs its own capture; the stream goes on.
    private func tell(_ error: any Error, id: UInt64?) {
        outcome.refuse(error, capture: id)
        guard let id else { return element.post(warning: error) }
        element.postFailure(of: id, "\(error)")
    }
}

/// A sign that one thread raises and others see.
final class Flag: Sendable {
    private let state = Atomic(false)

    var isRaised: Bool { state.load(ordering: .relaxed) }

    /// Raises it; whether it was down.
    @discardableResult
    func raise() -> Bool { !state.exchange(true, ordering: .relaxed) }

    /// Lowers it; whether it was up.
    @discardableResult
    func lower() -> Bool { state.exchange(false, ordering: .relaxed) }
}
