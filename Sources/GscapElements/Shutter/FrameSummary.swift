internal import FrameStream

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
    /// Whether the flash fired; nil when unknown.
    package var flashFired: Bool?
    /// Whether the frame has the exposure of the frame before it; nil when unknown.
    package var isSettled: Bool?

    /// Whether the frame was the reference of the burst that it was stored with, by its file.
    package var isStoredReference = false

    /// Creates the summary of a frame.
    package init(number: UInt64, start: Int64, exposureTime: Double, iso: Double) {
        self.number = number
        serial = number
        self.start = CaptureRequest.limited(start)
        self.exposureTime = exposureTime
        self.iso = iso
    }

    /// The frame's instant: the running time in nanoseconds of the middle of its exposure.
    package var instant: Int64 { start + Int64(min(max(0, exposureTime), 3600) * 5e8) }

    /// Returns whether the frame has this exposure time and ISO number within 1 %, the rounding of a sensor's exposure
    /// steps; nil accepts any.
    func matches(exposureTime: Double?, iso: Double?) -> Bool {
        Self.isNear(self.exposureTime, exposureTime) && Self.isNear(self.iso, iso)
    }

    /// Returns whether two frames show the same exposure time and ISO number.
    func hasExposure(of other: Self) -> Bool { matches(exposureTime: other.exposureTime, iso: other.iso) }

    private static func isNear(_ value: Double, _ target: Double?) -> Bool {
        guard let target else { return true }
        return abs(value - target) <= 0.01 * max(abs(target), 1e-9)
    }
}
