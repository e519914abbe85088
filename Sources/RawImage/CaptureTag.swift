/// A frame's membership in a capture: the capture's ticket, and the frame's index in its burst.
public struct CaptureTag: Sendable, Hashable {
    /// The ticket (capture id): unique in the process, and the same in every result and error of the capture.
    public var id: UInt64
    /// The capture id that receipts state, if it is not `id`: that of all cameras' capture, or that of a deferred
    /// photo's stored frames.
    public var receiptID: UInt64?
    /// Place of the frame in the burst in order of time, from 0.
    public var index: Int
    /// Number of frames in the burst.
    public var count: Int
    /// Whether the frame is the burst's reference, which the shutter pushes first, whatever its place in time.
    public var isReference: Bool
    /// Whether each frame of the burst is stored. Encoders then hold the reference's file back until those of the
    /// frames before it are there.
    public var storesEveryFrame = true
    /// The priority of the threads that compute the capture's photos.
    public var priority = PhotoPriority.normal
    /// Fusion mode requested for the burst; nil for the fusing element's own setting.
    public var fusionMode: FusionMode?
    /// Time in seconds from the press to the middle of the frame's exposure, negative for a frame from before the
    /// press; nil when the instant of the press is unknown.
    public var lag: Double?
    /// Time in seconds from the beginning of the first exposure that began after the camera was asked for another
    /// exposure, or for its flash, to the middle of this frame's; nil for a capture that asked for neither.
    public var exposureLag: Double?
    /// Running time of the pipeline, in nanoseconds, at the middle of the frame's exposure; nil when unknown.
    public var runningTime: UInt64?
    /// Whether the frame has the exposure that the capture requires or, if it requires none, that of the frame before
    /// it, so that the camera's automatic exposure no longer changes; nil when unknown.
    public var isSettled: Bool?
    /// Whether a fusion may take the frame as its reference: false for frames too far in time from the press.
    public var mayBeReference: Bool
    /// Index of the frame's exposure in a bracket, from 0; 0 outside a bracket. The burst that merges the exposures
    /// (`isBracket`) has the index after the last exposure, which is `exposureCount`.
    public var exposure = 0
    /// Number of exposures in the capture: 1 outside a bracket.
    public var exposureCount = 1
    /// Whether the frames of the burst have different exposures, which a fusion merges as a bracket.
    public var isBracket = false
    /// Property values that elements use for this capture instead of their own: by the names of the element and the
    /// property, as text.
    public var settings: [String: [String: String]] = [:]

    /// The id that receipts and warnings state: that of the capture that the user has started.
    public var statedID: UInt64 { receiptID ?? id }

    /// Creates the tag of one frame of a capture; `isReference` is nil for a burst whose first frame is its reference.
    public init(
        id: UInt64, index: Int, count: Int, isReference: Bool? = nil, fusionMode: FusionMode? = nil,
        lag: Double? = nil, mayBeReference: Bool = true
    ) {
        self.id = id
        self.index = index
        self.count = count
        self.isReference = isReference ?? (index == 0)
        self.fusionMode = fusionMode
        self.lag = lag
        self.mayBeReference = mayBeReference
    }
}
