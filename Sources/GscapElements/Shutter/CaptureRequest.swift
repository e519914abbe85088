package import RawImage

/// A capture request (a press of the shutter): the ticket, the time of the press and the requirements on the frames.
package struct CaptureRequest: Sendable, Hashable {
    /// The ticket: the capture id.
    package var id: UInt64
    /// The number of frames in the burst.
    package var frames: Int
    /// The running time of the press in nanoseconds; nil for a press before the stream's first frame, which means that
    /// frame.
    package var instant: Int64?
    /// The longest time in nanoseconds allowed between the press and the middle of the reference frame's exposure; nil
    /// for two frame periods and the camera's delivery delay.
    package var tolerance: Int64?
    /// Whether the capture may contain frames from before the press (zero shutter lag).
    package var usesPast: Bool
    /// The required exposure time in seconds; nil takes that of the reference frame.
    package var exposureTime: Double?
    /// The required ISO number; nil takes that of the reference frame.
    package var iso: Double?
    /// The serial number of the newest frame at the press; nil if no frame had arrived. Frames up to this one are never
    /// part of a capture that changes the exposure.
    package var newest: UInt64?
    /// Whether the sensor's exposure has to change for this capture: then only frames from after the press whose
    /// metadata shows the required values are part of it.
    package var changesExposure: Bool
    /// The fusion mode; nil leaves it to the property of `rawfusion`.
    package var fusionMode: FusionMode?

    /// Creates a request for `frames` frames.
    package init(
        id: UInt64, frames: Int, instant: Int64? = nil, tolerance: Int64? = nil, usesPast: Bool = true,
        exposureTime: Double? = nil, iso: Double? = nil, newest: UInt64? = nil, changesExposure: Bool = false,
        fusionMode: FusionMode? = nil
    ) {
        self.id = id
        self.frames = frames
        self.instant = instant
        self.tolerance = tolerance
        self.usesPast = usesPast
        self.exposureTime = exposureTime
        self.iso = iso
        self.newest = newest
        self.changesExposure = changesExposure
        self.fusionMode = fusionMode
    }
}

/// The properties of a frame in the shutter's ring by which frames are selected.
package struct FrameSummary: Sendable, Hashable {
    /// The frame's number, counted by the sensor; 0 for a sensor that does not count.
    package var number: UInt64
    /// The frame's number in the stream, counted by the shutter.
    package var serial: UInt64
    /// The running time in nanoseconds at which the exposure began.
    package var start: Int64
    /// Exposure time in seconds; 0 when unknown.
    package var exposureTime: Double
    /// ISO speed; 0 when unknown.
    package var iso: Double

    /// Creates the summary of a frame.
    package init(number: UInt64, start: Int64, exposureTime: Double, iso: Double) {
        self.number = number
        serial = number
        // Limits the time to about 36 years, so that sums of times cannot overflow.
        self.start = max(-Self.farthest, min(Self.farthest, start))
        self.exposureTime = exposureTime
        self.iso = iso
    }

    private static let farthest: Int64 = 1 << 60

    /// The frame's instant: the running time in nanoseconds of the middle of its exposure.
    package var instant: Int64 { start + Int64(min(max(0, exposureTime), 3600) * 5e8) }

    /// Returns whether the frame has this exposure time and ISO number within 1 %, the rounding of a sensor's exposure
    /// steps; nil accepts any.
    func matches(exposureTime: Double?, iso: Double?) -> Bool {
        Self.isNear(self.exposureTime, exposureTime) && Self.isNear(self.iso, iso)
    }

    private static func isNear(_ value: Double, _ target: Double?) -> Bool {
        guard let target else { return true }
        return abs(value - target) <= 0.01 * max(abs(target), 1e-9)
    }
}
