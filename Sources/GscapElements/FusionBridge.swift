internal import Demosaic
internal import Develop
internal import FrameStream
internal import Fusion
internal import GStreamer
internal import RawImage
internal import Synchronization
internal import Waiting

/// The bridge inside the `rawfusion` bin: pulls frames from an appsink, fuses them, and pushes photos into an appsrc.
///
/// Frames are fused on the streaming thread of the appsink, so a running fusion blocks the upstream queue only; the
/// appsrc pushes photos on its own thread.
final class FusionBridge: Sendable {
    private let sink: AppSink
    private let source: AppSrc
    let element: ElementHandle
    /// The state of the current burst. Its lock is held during alignment and merging. Only the appsink's streaming
    /// thread and callers that first raise `isCancelled` take it, so nobody waits for a whole fusion.
    private let worker: Mutex<BurstFusionState>
    /// The bin's properties, read once per frame.
    private let settings: ElementSettings<FusionSettings>
    /// The memory of the photos; its lock is never held during a fusion.
    private let memory = PhotoMemory()
    private let scratch = FusionScratch()
    let isCancelled = AtomicFlag()
    /// The pair for whose other photo the fusion waits; nil while it waits for none.
    let awaitedPair = Mutex<ConstituentPair?>(nil)
    /// Raised from a flush start to its flush stop.
    private let isFlushing = AtomicFlag()
    /// The segments of the stream's frames and of the photos, which follow with the next photo.
    private struct Segments {
        var frames: Segment?
        var photos = Segment(start: 0)
    }
    private let segments = Mutex(Segments())
    /// The time, caps and segment of the last frame of an incomplete burst, which its photo gets.
    private struct Newest {
        var times: Buffer.Timestamps
        var caps: Caps
        var segment: Segment?
    }
    private let newest = Mutex<Newest?>(nil)
    private let outcome = StreamOutcome("no burst of the stream could be fused")
    /// The sequence number of the end of the frames' stream, which that of the photos' has, too.
    private let endNumber = Mutex<UInt32?>(nil)

    init(_ element: ElementHandle, _ settings: ElementSettings<FusionSettings>) throws(GscapError) {
        self.element = element
        self.settings = settings
        worker = Mutex(BurstFusionState(scratch.memory))
        sink = try AppSink(name: "frames", caps: Caps(BayerCaps.template), maxBuffers: 1)
        // One photo waits: those behind it are made when it is taken, because a linear photo has four times the size of
        // a frame.
        source = try AppSrc(name: "photos", maxBuffers: 1)
        try source.set("handle-segment-change", true)
        try sink.set("async", false)
        guard let bin = element.bin, let input = sink.pad("sink"), let output = source.pad("src") else {
            throw GscapError(message: "the appsink or the appsrc has no pad", place: element.name)
        }
        // The flags must be cleared before the children are added. Otherwise an end of stream sent to the pipeline
        // would go directly to the appsink and overtake the burst.
        bin.clearSourceAndSinkFlags()
        try bin.add(sink)
        try bin.add(source)
        let entrance = try bin.addGhostPad("sink", of: input)
        try bin.addGhostPad("src", of: output)
        passFlushes(from: entrance)
        passUpstream(from: output)
        _ = input.addEventProbe { [weak self] event in
            if event.kind == .endOfStream { self?.endNumber.withLock { $0 = event.sequenceNumber } }
            return .pass
        }
        sink.setHandler { [weak self] sink in
            self?.drain(sink)
        } ended: { [weak self] in
            self?.end()
        }
    }

    /// Starts the inner appsink in PLAYING, independent of the bin's state.
    ///
    /// A sink in PAUSED takes one frame to preroll and then blocks until PLAYING. The sinks downstream preroll only
    /// when they get the photo, for which all frames of the burst are needed: the pipeline would deadlock.
    func open() throws(GscapError) {
        isCancelled.lower()
        isFlushing.lower()
        segments.withLock { $0 = Segments() }
        outcome.begin()
        _ = worker.withLock { $0.reset() }
        sink.setStateLocked(true)
        try sink.setState(.playing)
    }

    /// Cancels the current fusion, stops the inner elements and drops the burst.
    func close() {
        cancel()
        // The appsrc first: the elements behind it have stopped already, so a push to it may wait for ever, while the
        // appsink waits for the thread that pushes. The burst before the appsink, which frees the event that ends it.
        _ = try? source.setState(.null)
        abandon(interruption)
        _ = try? sink.setState(.null)
        sink.setStateLocked(false)
        abandon(interruption)
        memory.release()
        scratch.release()
    }

    /// Sets the number of photos for which memory is allocated before a capture and kept after it.
    func keepMemory(photos count: Int) throws(GscapError) { try memory.keep(count) }

    /// Drops the current burst and reports its capture as failed.
    private func abandon(_ reason: String) {
        scratch.releaseLater()
        if let key = worker.withLock({ $0.abandon() }) { element.postFailure(of: CapturePlace(key), reason) }
    }

    /// Why a burst is dropped while `isCancelled` is raised.
    private var interruption: String {
        isFlushing.isRaised
            ? "the stream was flushed before the burst was fused" : "the pipeline stopped before the burst was fused"
    }

    /// Passes seeks and custom events, such as requests of captures, on to the stream of frames: the appsrc would
    /// refuse them, and so fail the seek of a pipeline.
    private func passUpstream(from output: Pad) {
        _ = output.addEventProbe(.upstream) { [element] event in
            guard event.kind == .seek || event.kind == .customUpstream else { return .pass }
            // A dropped event counts as handled; one that upstream refuses is refused by the appsrc, too.
            return element.pushUpstream(event) ? .drop : .pass
        }
    }

    /// Cancels the current fusion, also if it waits for another camera's photo.
    private func cancel() {
        isCancelled.raise()
        awaitedPair.withLock { $0 }?.wake()
    }

    private func passFlushes(from entrance: Pad) {
        _ = entrance.addEventProbe(.flush) { [weak self] event in
            guard let self else { return .pass }
            let reason = "the stream was flushed before the burst was fused"
            if event.kind == .flushStart {
                isFlushing.raise()
                cancel()
                source.send(event)
                abandon(reason)
            } else {
                abandon(reason)
                // Without a flush start, the thread of the appsrc would wait for photos and never let the event in.
                if isFlushing.lower() {
                    isCancelled.lower()
                    source.send(event)
                }
            }
            return .pass
        }
    }
}

// MARK: - Streaming thread

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

    /// Forwards a serialized event through the appsrc, except a flush stop and the events that the appsrc creates
    /// itself; caps set the caps of the output.
    private func pass(_ event: Event) {
        switch event.kind {
        case .caps:
            guard let caps = event.caps else { return }
            endBurst(before: caps)
            announce(caps)
        case .segment: segments.withLock { $0.frames = event.segment }
        case .gap: passGap(event)
        case .streamStart, .endOfStream: break
        // The flush probe has already forwarded the flush stop. Sending it again would block on the stream lock of the
        // appsrc's thread, which waits for photos.
        case .flushStop: break
        default:
            if let end = CaptureEnd(event), worker.withLock({ $0.key?.id }) == end.id {
                abandon("the burst ended before all its frames had arrived")
            }
            send(event)
        }
    }

    /// Forwards a gap at the same running time in the segment of the photos. In another segment it could lie far in the
    /// future, and a sink that prerolls with it would wait there.
    private func passGap(_ event: Event) {
        guard let gap = event.gap else { return }
        let time = segments.withLock { segments in
            let running = segments.frames.flatMap { $0.runningTime(of: gap.time) } ?? Int64(clamping: gap.time)
            return segments.photos.timestamp(atRunningTime: max(0, running)) ?? gap.time
        }
        source.send(.gap(at: time, duration: gap.duration))
    }

    /// Sets the caps of the output, those of linear photos of the frames' size or of `format`. Called with the frames'
    /// caps before the first photo, so that the elements downstream negotiate early.
    private func announce(_ caps: Caps, _ format: LinearFormat? = nil) {
        guard var structure = caps.first else { return }
        if let format {
            (structure["width"], structure["height"]) = (.int(Int32(format.width)), .int(Int32(format.height)))
        }
        let photo = Caps([LinearCaps.caps(of: structure)])
        source.setCaps(photo)
        // A failure is ignored here: the photo's own allocation reports it.
        if let format = try? LinearCaps.format(photo) { try? memory.expect(size: LinearCaps.size(format)) }
    }

    private func take(_ sample: Sample) -> FlowError? {
        guard let caps = sample.caps, let frame = sample.buffer else { return nil }
        element.log(.log, "takes a frame \(frame.debugText)")
        let key = BurstFusionState.Key(frame)
        guard !worker.withLock({ $0.hasFailed(key) }) else { return nil }
        do {
            if let photo = try fuse(frame, key, caps, sample.segment) { try push(photo, sample.segment) }
            return nil
        } catch let flow as FlowError {
            if let key {
                element.postFailure(of: CapturePlace(key), "the stream stopped before the photo was handed on")
            }
            return flow
        } catch let error as GscapError where error.code == .cancelled {
            drop(key)
            return .flushing
        } catch {
            worker.withLock { _ = $0.fail(key) }
            report(error, of: key)
            return nil
        }
    }

    /// Discards the burst of a frame that is in flight at a stop or flush, and reports it unless `abandon` has done so.
    private func drop(_ key: BurstFusionState.Key?) {
        let isFirst = worker.withLock { $0.fail(key) }
        if isFirst, let key { element.postFailure(of: CapturePlace(key), interruption) }
    }

    /// Adds a frame to the current burst, or starts one; returns the fused photo after the burst's last frame,
    /// otherwise nil.
    private func fuse(
        _ frame: borrowing Buffer, _ key: BurstFusionState.Key?, _ caps: Caps, _ segment: Segment?
    ) throws -> Buffer? {
        let format = try BayerCaps.format(caps)
        var ignored = IgnoredFields()
        let metadata = frame.frameMetadata(noting: &ignored) ?? FrameMetadata(of: format)
        let settings = try settings.current(for: frame, of: element)
        if worker.withLock({ $0.isInterrupted(by: key) }) {
            abandon("the burst lost frames; does a leaky queue before the fusion drop some?")
        }
        if worker.withLock({ $0.isIdle }) { element.postLoss(of: ignored, capture: metadata.capture?.statedID) }
        let step = try worker.withLock { worker in
            // A frame in flight would restart the burst that a stop or flush dropped, and its capture would fail twice.
            guard !isCancelled.isRaised else { throw GscapError(.cancelled, "the stream stopped") }
            return try atPhotoPriority(frame.photoPriority) { () throws in
                try frame.newReference().placingRows(of: format).withValues(of: UInt16.self) { codes throws in
                    try worker.add(
                        codes, of: key, format: format, metadata: metadata, settings: settings
                    ) { [isCancelled] in isCancelled.isRaised }
                }
            }
        }
        if let tag = metadata.capture {
            element.postProgress(.fusing(id: tag.id, merged: step.merged, count: step.count), on: key?.ticket)
        }
        guard let result = try step.isLast ? step.result ?? finish() : nil else {
            scratch.use()
            let times = frame.timestamps
            newest.withLock { $0 = Newest(times: times, caps: caps, segment: segment) }
            return nil
        }
        scratch.releaseLater()
        let joined = try joined(result, key)
        return try photo(
            of: joined.result, key?.ticket, at: frame.timestamps, caps, settings, look: joined.recipe)
    }

    /// Fuses the burst whose last frame has been added, which takes a while: a message has reported that frame before.
    /// Nil if a stop or flush has dropped the burst since.
    private func finish() throws -> BurstFusionState.Result? {
        try worker.withLock { worker in
            guard !isCancelled.isRaised else { throw GscapError(.cancelled, "the stream stopped") }
            return try atPhotoPriority { () throws in try worker.finish() }
        }
    }

    /// Returns the photo of a result, with this look or else its own.
    private func photo(
        of result: BurstFusionState.Result, _ ticket: CaptureTicket?, at times: Buffer.Timestamps, _ caps: Caps,
        _ settings: FusionSettings, look: Recipe? = nil
    ) throws -> Buffer {
        var photo: Buffer
        var metadata: FrameMetadata
        switch result {
        case .mosaic(let mosaic):
            if !settings.demosaics, let mosaicCaps = acceptedCaps(of: mosaic, caps) {
                source.setCaps(mosaicCaps)
                photo = try Buffer(sharing: mosaic.codes)
                metadata = mosaic.metadata
                metadata.recipe = recipe(of: metadata) { () throws(GscapError) in
                    try atPhotoPriority(metadata.photoPriority) { () throws(GscapError) in
                        try RecipeMaker().recipe(for: mosaic)
                    }
                }
            } else {
                announce(caps)
                let format = LinearFormat(width: mosaic.format.width, height: mosaic.format.height)
                photo = try demosaic(mosaic, format)
                metadata = Demosaic.linearMetadata(for: mosaic.metadata, of: mosaic.format.pattern)
                metadata.recipe = recipe(of: photo, format, metadata)
            }
        case .photo(let image):
            announce(caps, image.format)
            photo = try copy(image)
            metadata = image.metadata
            metadata.recipe = look ?? recipe(of: photo, image.format, metadata)
        }
        photo.timestamps = times
        metadata.capture?.index = 0
        metadata.capture?.count = 1
        metadata.capture?.isReference = true
        try photo.setFrameMetadata(metadata)
        if let ticket { try photo.attach(ticket) }
        outcome.recordOutput()
        if let id = metadata.capture?.id, let report = metadata.fusion {
            element.postProgress(.fused(id: id, report: report), on: ticket)
        }
        return photo
    }

    /// Returns the caps of a merged mosaic if the elements downstream accept it in place of a linear photo.
    ///
    /// Rows of Bayer buffers are padded to an even width, those of a mosaic are not. Maps of lens shading are applied
    /// to linear photos. Such mosaics are demosaiced here.
    private func acceptedCaps(of mosaic: Mosaic, _ caps: Caps) -> Caps? {
        let format = mosaic.format
        guard format.stride == BayerCaps.stride(width: format.width), mosaic.metadata.lens.shading.isEmpty else {
            return nil
        }
        let accepted = BayerCaps.caps(format, like: caps.first)
        guard let output = source.pad("src"), output.peerQueryCaps().canIntersect(accepted) else { return nil }
        return accepted
    }

    private func recipe(of photo: borrowing Buffer, _ format: LinearFormat, _ metadata: FrameMetadata) -> Recipe? {
        photo.withValues(of: UInt16.self) { values in
            recipe(of: metadata) { () throws(GscapError) in
                try atPhotoPriority(metadata.photoPriority) { () throws(GscapError) in
                    try RecipeMaker().recipe(linear: values, format: format, metadata: metadata)
                }
            }
        }
    }

    /// Computes the photo's look once, for all elements downstream. If that fails, posts a warning and returns nil: the
    /// photo has no look then.
    func recipe(of metadata: FrameMetadata, _ make: () throws(GscapError) -> Recipe) -> Recipe? {
        do throws(GscapError) {
            return try make()
        } catch {
            element.postLoss("the photo has no look: \(error)", capture: metadata.capture?.statedID)
            return nil
        }
    }

    private func buffer(of format: LinearFormat) throws -> Buffer {
        try memory.buffer(size: LinearCaps.size(format))
    }

    /// Demosaics a merged mosaic directly into the output buffer.
    private func demosaic(_ mosaic: Mosaic, _ format: LinearFormat) throws -> Buffer {
        var photo = try buffer(of: format)
        try photo.withMutableValues(of: UInt16.self) { (values: inout MutableSpan<UInt16>) throws in
            try atPhotoPriority(mosaic.metadata.photoPriority) { () throws in
                try Demosaic.linear(
                    mosaic.codes.span, format: mosaic.format, metadata: mosaic.metadata, into: &values, output: format)
            }
        }
        return photo
    }

    /// Copies the photo of a fusion with super-resolution, which needs the complete photo in its own memory, into an
    /// output buffer.
    private func copy(_ image: LinearImage) throws -> Buffer {
        var photo = try buffer(of: image.format)
        photo.withMutableValues(of: UInt16.self) { (values: inout MutableSpan<UInt16>) in
            for index in 0..<min(values.count, image.values.count) { values[index] = image.values[index] }
        }
        return photo
    }

    /// Fuses an incomplete burst at the end of the stream, then forwards the end of stream.
    private func end() {
        let key = worker.withLock { $0.key }
        do {
            try fuseRest()
        } catch {
            if isCancelled.isRaised {
                drop(key)
            } else {
                worker.withLock { _ = $0.fail(key) }
                report(error, of: key)
            }
        }
        do throws(GscapError) {
            if !isCancelled.isRaised { try outcome.end() }
        } catch {
            element.post(error: error)
        }
        // As an event in the queue of the appsrc, not by the function of the appsrc for its end, which a flush does not
        // undo: after a seek behind the end, all photos would be lost.
        send(.endOfStream(sequenceNumber: endNumber.withLock { $0 }))
    }

    /// Sends an event behind the photos, unless the stream stops or is flushed: the appsrc would keep it for the next
    /// start.
    private func send(_ event: Event) {
        if !isCancelled.isRaised { source.send(event) }
    }

    /// Ends an incomplete burst without a capture before the format of its frames changes.
    private func endBurst(before caps: Caps) {
        let format = newest.withLock { $0.flatMap { try? BayerCaps.format($0.caps) } }
        guard let format, format != (try? BayerCaps.format(caps)), worker.withLock({ !$0.isIdle && $0.key == nil })
        else { return }
        do {
            try fuseRest()
        } catch {
            worker.withLock { _ = $0.reset() }
            if !isCancelled.isRaised { report(error, of: nil) }
        }
    }

    private func fuseRest() throws {
        let ticket = worker.withLock { $0.key?.ticket }
        guard let result = try worker.withLock({ worker in try atPhotoPriority { () throws in try worker.finish() } })
        else { return }
        scratch.releaseLater()
        guard let newest = newest.withLock({ $0.take() }) else { return }
        try push(photo(of: result, ticket, at: newest.times, newest.caps, settings.current), newest.segment)
    }

    /// Pushes a photo whose timestamp belongs to `segment`.
    private func push(_ photo: consuming Buffer, _ segment: Segment?) throws {
        let open = segment?.withoutEnd
        if let open { segments.withLock { $0.photos = open } }
        try source.push(Sample(photo, caps: source.caps, segment: open))
    }

    /// Reports a failed burst. Only its own capture fails; the stream continues.
    private func report(_ error: any Error, of key: BurstFusionState.Key?) {
        scratch.releaseLater()
        outcome.recordFailure(error, capture: key?.id)
        guard let key else { return element.post(warning: error) }
        element.postFailure(of: CapturePlace(key), "\(error)")
    }
}
