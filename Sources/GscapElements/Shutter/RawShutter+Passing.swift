internal import Develop
internal import FrameStream
internal import GStreamer
internal import PhotoMetadata
internal import RawImage
internal import Synchronization

// The way of a capture's frames to the elements behind the shutter.

extension RawShutter {
    /// Pushes the frames of a capture, each tagged with the ticket, and after them the event that ends the burst. A
    /// push that fails ends the capture.
    func pass(_ burst: Burst, to output: Pad) throws {
        let ticket = burst.ticket
        defer { releaseUnpushed(of: ticket) }
        guard let end = ticket.endOfBurst() else { return burst.drop() }
        do {
            try passFrames(of: burst, to: output)
        } catch {
            // The result must be set before the event is pushed, because the last branch that passes the event on ends
            // the capture.
            burst.abandon(after: error)
            output.push(end)
            throw error
        }
        output.push(end)
    }

    private func passFrames(of burst: Burst, to output: Pad) throws {
        let ticket = burst.ticket
        var (number, hasPostedLoss) = (0, false)
        for part in burst.parts {
            for index in part.summaries.indices {
                guard !ticket.isAbandoned, let frame = burst.next() else { return burst.drop() }
                var losses: [String] = []
                let tagged = try tagged(frame, index, of: part, burst, &losses)
                if !losses.isEmpty && !hasPostedLoss {
                    element.postLoss(
                        "frame \(number): " + losses.joined(separator: "; "),
                        capture: burst.request.receiptID ?? ticket.id)
                    hasPostedLoss = true
                }
                if !part.isBracket { ticket.post(.frame(id: ticket.id, index: number, count: burst.count)) }
                number += 1
                try output.push(tagged)
            }
        }
        releaseUnpushed(of: ticket)
        ticket.take(
            frame: burst.reference?.number ?? 0, lag: burst.reference.flatMap(burst.lag),
            exposureLag: burst.reference.flatMap(burst.exposureLag))
    }

    /// Releases the memory that is reserved for frames of a capture that are not pushed. In a stream that is not live,
    /// pushing waits for the elements behind the shutter, and so bounds their memory: there a capture whose frames are
    /// pushed counts no more, and a press that follows the message `taken` is accepted.
    private func releaseUnpushed(of ticket: CaptureTicket) {
        if state.withLock({ $0.isInOrder == true }) { memory.end(ticket.id) } else { memory.endPushing(ticket.id) }
    }

    /// Returns a frame of a burst with the capture's tag, the request's details and its digest in its metadata; appends
    /// messages about metadata that could not be kept to `losses`.
    private func tagged(
        _ frame: consuming Buffer, _ index: Int, of part: Burst.Part, _ burst: Burst, _ losses: inout [String]
    ) throws -> Buffer {
        let hold = memory.hold(burst.ticket.id)
        var tagged = try frame.copySharingMemory(keeping: hold)
        var ignored = IgnoredFields()
        let shape = format.withLock { $0 }
        var metadata =
            tagged.frameMetadata(noting: &ignored) ?? shape.map { FrameMetadata(of: $0) } ?? FrameMetadata()
        metadata.capture = burst.tag(of: part, index)
        if metadata.noise.isEmpty { noise.apply(to: &metadata) }
        if let bias = burst.bias(of: part) { metadata.exposureBias = bias }
        do {
            try burst.request.details.apply(to: &metadata)
        } catch {
            losses.append("the white balance is the camera's: \(error)")
        }
        metadata.sensorDigests = []
        if let message = ignored.message { losses.append(message) }
        do {
            metadata.sensorDigests = [try digest(of: tagged, burst.request.priority).description]
        } catch {
            losses.append("the digest is lost, so files cannot be verified against the frame: \(error)")
        }
        try tagged.setFrameMetadata(metadata)
        try tagged.attach(burst.ticket)
        element.postOverexposure(of: tagged, metadata, format.withLock { $0 })
        return tagged
    }

    /// Returns the digest of the frame's codes, by which a reader can verify that a file contains the sensor's data;
    /// throws if the buffer is too short.
    private func digest(of frame: borrowing Buffer, _ priority: PhotoPriority) throws -> RawDigest {
        guard let format = format.withLock({ $0 }) else { throw FlowError.notNegotiated }
        return try atPhotoPriority(priority) {
            try frame.withValues(of: UInt16.self) { codes in try RawDigest(mosaic: codes, format: format) }
        }
    }
}

extension Burst {
    /// Returns the exposure in EV that was requested for a part, relative to the camera's; nil if none was.
    fileprivate func bias(of part: Part) -> Double? {
        request.biases.indices.contains(part.exposure) ? request.biases[part.exposure] : nil
    }

    /// Returns the tag of frame `index` of a part.
    fileprivate func tag(of part: Part, _ index: Int) -> CaptureTag {
        var tag = CaptureTag(
            id: ticket.id, index: part.places[index], count: part.summaries.count, isReference: index == 0,
            fusionMode: request.fusionMode, lag: lag(of: part.summaries[index]),
            mayBeReference: mayBeReference(index, of: part))
        tag.exposureLag = exposureLag(of: part.summaries[index])
        (tag.storesEveryFrame, tag.priority) = (request.storesEveryFrame, request.priority)
        tag.receiptID = request.receiptID
        tag.runningTime = UInt64(exactly: part.summaries[index].instant)
        let isRequested = request.changesExposure || request.exposureTime != nil || request.iso != nil
        tag.isSettled = isRequested ? true : part.summaries[index].isSettled
        tag.exposure = part.exposure
        tag.exposureCount = request.exposures.count
        tag.isBracket = part.isBracket
        tag.settings = request.settings
        return tag
    }
}

extension CaptureDetails {
    /// Stores the values in a frame's metadata. Throws if the frame's camera is not known well enough for the white
    /// balance; then the other values are stored.
    func apply(to metadata: inout FrameMetadata) throws {
        metadata.details.artist = artist ?? metadata.details.artist
        metadata.details.title = title ?? metadata.details.title
        metadata.details.copyright = copyright ?? metadata.details.copyright
        metadata.details.keywords = keywords ?? metadata.details.keywords
        metadata.details.location = location ?? metadata.details.location
        metadata.orientation = orientation ?? metadata.orientation
        metadata.calibration = calibration ?? metadata.calibration
        metadata.cropFactor = cropFactor ?? metadata.cropFactor
        if let whiteBalance { metadata = try metadata.balanced(whiteBalance) }
    }
}
