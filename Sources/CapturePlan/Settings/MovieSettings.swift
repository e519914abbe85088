internal import CaptureSettings
internal import GStreamer

/// The settings of a movie recording.
public struct MovieSettings: Sendable, Hashable {
    /// An encoder of H.264, an element of GStreamer.
    public enum Encoder: String, Sendable, Hashable, CaseIterable {
        /// Cisco's openh264enc, under the BSD licence; in Debian's gstreamer1.0-plugins-bad.
        case openH264 = "openh264"
        /// x264enc: better pictures at the same size. Its library is under the GPL; in Debian's
        /// gstreamer1.0-plugins-ugly.
        case x264

        /// The most bits per second: those of openh264enc's highest level (5.2), or of the library for x264enc.
        package var maxBitRate: Int { self == .openH264 ? 288_000_000 : 1_000_000_000 }
    }

    /// The encoder.
    public var encoder = Encoder.openH264
    /// The bits per second of the pictures, at most 288,000,000 with openh264enc and 1,000,000,000 with x264enc; nil
    /// for a tenth of a bit per pixel, at least 500,000.
    public var bitRate: Int?
    /// The source of the sound as a live GStreamer element with its properties, such as `pulsesrc` or `alsasrc
    /// device=hw:1`; nil for a movie without sound. It is opened when the recording starts. A source that is not live,
    /// such as a file, is refused unless `! clocksync` follows, which plays it from the start of the session on. Names
    /// of elements that begin with `gscap-` are reserved.
    public var audioSource: String?
    /// The length of a file, to a frame, after which another one begins; nil for no limit.
    public var maxFileDuration: Duration?
    /// The size in bytes before which another file begins; nil for no limit. A file becomes larger only if one
    /// second needs more than 1.5 times the bytes of the largest second before it.
    public var maxFileSize: Int?
    /// The length after which the recording ends, to a frame and without its pauses; nil for no limit.
    public var maxDuration: Duration?
    /// Whether files that exist are replaced.
    public var replacesFiles = false

    /// Creates settings with the default values.
    public init() {}
}

extension CaptureError.Code {
    /// A limit of a movie recording is too small, its bit rate is not one of the encoder, its source of sound cannot be
    /// recorded, or the file's name ends neither in .mp4 nor in .mov.
    public static let movieSettingsInvalid = Self(rawValue: "movieSettingsInvalid")
    /// A movie is being recorded already, or it excludes what is requested.
    public static let movieInProgress = Self(rawValue: "movieInProgress")
}

extension MovieSettings {
    /// The smallest limit of a file's size: that of a few seconds at a low bit rate.
    static let smallestFile = 100_000
    /// The smallest number of bits per second.
    package static let leastBitRate = 10_000

    /// Returns the first rule that the settings violate; nil if they are valid.
    package var brokenRule: CaptureError? {
        func invalid(_ message: String) -> CaptureError { CaptureError(.movieSettingsInvalid, message) }
        if let bitRate, !(Self.leastBitRate...encoder.maxBitRate).contains(bitRate) {
            let range = "from \(Self.leastBitRate) to \(encoder.maxBitRate) bits per second"
            return CaptureError(
                .movieSettingsInvalid, .bitRate, "\(bitRate) is not \(range), as \(encoderFactory) requires")
        }
        for (name, limit) in [("of a file", maxFileDuration), ("of the movie", maxDuration)] {
            if let limit, limit < .seconds(1) { return invalid("the length \(name) is less than a second") }
        }
        if let maxFileSize, maxFileSize < Self.smallestFile {
            return invalid("the limit of \(maxFileSize) bytes is below the smallest one, \(Self.smallestFile)")
        }
        return nil
    }

    /// Whether a file of this length, in nanoseconds, is followed by another one.
    package func isFileComplete(after length: UInt64, period: UInt64) -> Bool {
        Self.reaches(maxFileDuration, length, period)
    }

    /// Whether a movie of this length, in nanoseconds, ends.
    package func isComplete(after length: UInt64, period: UInt64) -> Bool {
        length > 0 && Self.reaches(maxDuration, length, period)
    }

    /// Whether a length reaches a limit. Times of frames are exact to half the time from frame to frame.
    private static func reaches(_ limit: Duration?, _ length: UInt64, _ period: UInt64) -> Bool {
        guard let limit = limit?.nanoseconds else { return false }
        return length + period / 2 >= UInt64(clamping: limit)
    }

    /// The factory name of the encoder's element.
    package var encoderFactory: String {
        switch encoder {
        case .openH264: "openh264enc"
        case .x264: "x264enc"
        }
    }
}
