/// When a photo was taken, and how it was chosen: the freshness of a photo as its message, its file and JSON state it.
public struct PhotoReceipt: Sendable, Hashable, Codable {
    /// The capture that the photo belongs to.
    public var captureID: UInt64
    /// The time of the middle of the reference frame's exposure in microseconds since 1970-01-01 00:00 UTC; nil when
    /// unknown.
    public var sensorTime: Int64?
    /// The running time of the pipeline, in nanoseconds, at the middle of the reference frame's exposure; nil when
    /// unknown.
    public var sensorRunningTime: UInt64?
    /// Time in seconds from the press to the middle of the reference frame's exposure, negative for a frame from before
    /// the press; nil when unknown.
    public var lag: Double?
    /// Time in seconds from the first exposure that began after the camera was asked for another exposure, or for its
    /// flash, to the middle of the reference frame's; nil for a capture that asked for neither.
    public var exposureLag: Double?
    /// Time in seconds from the middle of the reference frame's exposure to the delivery of the photo, or in a file to
    /// its encoding; nil when unknown.
    public var age: Double?
    /// Whether the exposure had the requested values or, without a request, the camera's automatic exposure no longer
    /// changed; nil when unknown.
    public var isSettled: Bool?
    /// Number of frames in the photo.
    public var framesUsed: Int
    /// The camera's number of the reference frame.
    public var frameNumber: UInt64
    /// Whether the fusion chose the reference frame for its sharpness, instead of the frame nearest to the press.
    public var isChosenBySharpness: Bool
    /// The place in its burst of a frame that is stored beside others; nil for a fused photo or a frame alone.
    public var burst: BurstPlace?

    /// Creates the receipt of a photo from its metadata; nil for a photo that belongs to no capture. `runningTime` is
    /// the time at which the photo is delivered; nil if the pipeline has no clock.
    public init?(_ metadata: FrameMetadata, runningTime: UInt64?) {
        guard let capture = metadata.capture else { return nil }
        captureID = capture.statedID
        let half = min(max(0, metadata.exposureTime), 3600) * 500_000
        let middle = metadata.wallClock.addingReportingOverflow(Int64(half)).partialValue
        // Without its time zone a time is not one of UTC, in which receipts state it.
        sensorTime = metadata.wallClock == 0 || metadata.timeZone == .unknown ? nil : middle
        sensorRunningTime = capture.runningTime
        (lag, exposureLag) = (capture.lag, capture.exposureLag)
        if let runningTime, let instant = capture.runningTime {
            age = (Double(runningTime) - Double(instant)) / 1e9
        }
        isSettled = capture.isSettled
        framesUsed = max(1, metadata.fusion?.usedFrames ?? metadata.fusedFrames)
        frameNumber = metadata.frameNumber
        isChosenBySharpness = metadata.fusion?.reference ?? 0 > 0
        burst = BurstPlace(capture)
    }

    /// Creates a receipt that states a capture and nothing else, for decoders.
    package init(captureID: UInt64) {
        self.captureID = captureID
        (framesUsed, frameNumber, isChosenBySharpness) = (1, 0, false)
    }
}

/// The place of a stored frame in its burst.
public struct BurstPlace: Sendable, Hashable, Codable {
    /// Place of the frame in order of time, from 0.
    public var index: Int
    /// Number of frames in the burst.
    public var count: Int
    /// Whether the frame is the burst's reference: the one of the moment of the press.
    public var isReference: Bool

    /// Creates the place of a frame in its burst.
    public init(index: Int, count: Int, isReference: Bool) {
        (self.index, self.count, self.isReference) = (index, count, isReference)
    }

    /// Reads the place from the tag of a frame; nil for a frame alone.
    init?(_ tag: CaptureTag) {
        guard tag.count > 1, tag.storesEveryFrame else { return nil }
        self.init(index: tag.index, count: tag.count, isReference: tag.isReference)
    }
}
