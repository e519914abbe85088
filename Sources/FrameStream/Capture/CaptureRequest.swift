package import GStreamer
package import RawImage

/// A capture request (a press of the shutter): the ticket, the time of the press and the requirements on the frames.
package struct CaptureRequest: Sendable, Hashable {
    /// The ticket: the capture id.
    package var id: UInt64
    /// The capture id that the receipts of the photos state; nil for `id`.
    package var receiptID: UInt64?
    /// The number of frames in the burst.
    package var frames: Int
    /// The running time of the press in nanoseconds; nil for a press before the stream's first frame, which means that
    /// frame, unless the request takes the nearest one.
    package var instant: Int64?
    /// The running time of the press in nanoseconds, by which the lag of its frames is measured; nil when unknown, and
    /// in a stream that is not live, whose frames come at any time.
    package var press: Int64?
    /// The pipeline's base time (clock time of running time 0) from which the time of the press was computed; nil while
    /// unknown.
    package var baseTime: UInt64?
    /// The longest time in nanoseconds allowed between the press and the middle of the reference frame's exposure; nil
    /// for two frame periods and the camera's delivery delay.
    package var tolerance: Int64?
    /// Whether the capture may contain frames from before the press (zero shutter lag).
    package var usesPast: Bool
    /// Whether a capture of one frame takes the frame nearest to the press, as bursts do, in place of the newest one
    /// from before it, and whether a burst has that frame as its reference even if another is sharper.
    package var takesNearest = false
    /// The required exposure time in seconds; nil takes that of the reference frame.
    package var exposureTime: Double?
    /// The required ISO number; nil takes that of the reference frame.
    package var iso: Double?
    /// Whether the sensor's exposure has to change for this capture, or the flash to fire: then only frames from after
    /// the press whose metadata shows the required values are part of it (`ExposureSequence`).
    package var changesExposure: Bool
    /// The fusion mode; nil leaves it to the property of `rawfusion`.
    package var fusionMode: FusionMode?
    /// The exposures of a bracket, one after another, each of `frames` frames; empty for a capture of one exposure.
    package var bracket: [CaptureExposure] = []
    /// The exposure in EV relative to the camera's own, in a capture of one exposure; nil for no change.
    package var exposureBias: Double?
    /// The requested exposure of each of `exposures` in EV relative to the camera's own, also after the exposures are
    /// converted to exposure times; nil where none is requested.
    package var biases: [Double?] = []
    /// Whether the reference frames of a bracket's exposures are also pushed as one more burst, to be merged.
    package var fusesBracket = false
    /// The use of the flash.
    package var flash = CaptureFlash.off
    /// Whether each frame is stored, rather than the reference alone.
    package var storesEveryFrame = true
    /// The priority of the threads that compute the photos.
    package var priority = PhotoPriority.normal
    /// Whether the exposure has to change only because another capture changed it before.
    package var followsAnother = false
    /// The running time in nanoseconds at which the first exposure began after the camera was asked for another one, or
    /// for its flash; nil before that, and for a capture that asks for neither.
    package var exposureBegan: Int64?
    /// Metadata for this capture's frames.
    package var details = CaptureDetails()
    /// Property values for this capture alone, by element and property.
    package var settings: [String: [String: String]] = [:]
    /// An object for the elements downstream of the shutter, which the ticket carries; nil without one.
    package var companion: SharedObject?

    /// The most frames of a capture, over all its exposures.
    package static let mostFrames = 64
    /// The most exposures of a bracket.
    package static let mostExposures = 16

    /// The exposures of the capture: those of the bracket, or the only one.
    package var exposures: [CaptureExposure] {
        if !bracket.isEmpty { return bracket }
        return [CaptureExposure(exposureTime: exposureTime, iso: iso, bias: exposureBias)]
    }

    /// The number of frames over all exposures.
    package var totalFrames: Int { frames * max(1, bracket.count) }

    /// Creates a request for `frames` frames.
    package init(
        id: UInt64, frames: Int, instant: Int64? = nil, tolerance: Int64? = nil, usesPast: Bool = true,
        exposureTime: Double? = nil, iso: Double? = nil, changesExposure: Bool = false,
        fusionMode: FusionMode? = nil
    ) {
        self.id = id
        self.frames = frames
        // A request may contain any number.
        self.instant = instant.map(Self.limited)
        press = self.instant
        self.tolerance = tolerance
        self.usesPast = usesPast
        self.exposureTime = exposureTime
        self.iso = iso
        self.changesExposure = changesExposure
        self.fusionMode = fusionMode
    }

    /// Returns a running time limited to about 36 years, so that sums and differences of times cannot overflow.
    package static func limited(_ time: Int64) -> Int64 { max(-farthest, min(farthest, time)) }

    private static let farthest: Int64 = 1 << 60

    /// Converts the time of the press to the running time by another base time. After a pause or a seek, the press
    /// would otherwise lie in the future of its stream, by the length of the pause or the time since the pipeline
    /// started.
    package mutating func rebase(to baseTime: UInt64) {
        defer { self.baseTime = baseTime }
        guard let old = self.baseTime, old != baseTime else { return }
        let change = Self.limited(Int64(clamping: old)) - Self.limited(Int64(clamping: baseTime))
        instant = instant.map { Self.limited($0 + change) }
        press = press.map { Self.limited($0 + change) }
    }
}
