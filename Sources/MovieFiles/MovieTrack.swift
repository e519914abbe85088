internal import Glibc
internal import PhotoMetadata

/// A track of a movie file.
package struct MovieTrack: Sendable, Hashable {
    /// The content of a track.
    package enum Content: Sendable, Hashable {
        /// H.264 pictures of this size, in BT.709 colours.
        case video(width: Int, height: Int, H264Parameters)
        /// AAC (low complexity) of one or two channels.
        case audio(channels: Int)
        /// Timed metadata with the time of a Live Photo's still, in QuickTime files.
        case stillTime
    }

    /// The content of the track.
    package var content: Content
    /// The unit of the track's times: this many are a second. For audio, the sampling rate.
    package var timescale: UInt32
    /// When the track begins.
    package var date: MovieDate
    /// How the pictures are to be turned, as an Exif orientation, 1 to 8.
    package var orientation: Int

    /// Creates a track.
    package init(_ content: Content, timescale: UInt32, date: MovieDate = .now, orientation: Int = 1) {
        self.content = content
        self.timescale = timescale
        self.date = date
        self.orientation = orientation
    }
}

/// A date in a movie file.
package struct MovieDate: Sendable, Hashable {
    /// The microseconds since 1970-01-01 00:00 UTC.
    package var microseconds: Int64
    /// The time zone of the camera, in seconds east of UTC; nil for the machine's.
    package var utcOffset: Int?

    /// Creates a date from microseconds since 1970-01-01 00:00 UTC, and a time zone.
    package init(microseconds: Int64, utcOffset: Int? = nil) {
        (self.microseconds, self.utcOffset) = (microseconds, utcOffset)
    }

    /// The present time.
    package static var now: MovieDate {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return MovieDate(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    /// Returns the date of `instant` if this is that of `anchor`, both in nanoseconds of one clock.
    package func moved(from anchor: UInt64, to instant: UInt64) -> MovieDate {
        let distance = (Int64(clamping: instant) - Int64(clamping: anchor)) / 1000
        let moved = microseconds.addingReportingOverflow(distance).partialValue
        return MovieDate(microseconds: moved, utcOffset: utcOffset)
    }

    /// The local time with its offset from UTC as QuickTime's metadata states it, `2026-01-31T12:00:00+0100`; nil
    /// outside the years 1 to 9999.
    package var text: String? {
        let offset = utcOffset ?? CivilTime.localOffset(microseconds: microseconds)
        return CivilTime(microseconds: microseconds, utcOffset: offset).map { time in
            "\(time.iso8601.prefix(19))\(time.offset.filter { $0 != ":" })"
        }
    }

    /// The seconds since 1904-01-01 00:00 UTC, which files state.
    var seconds: UInt32 {
        let seconds = Int64((Double(microseconds) / 1e6).rounded(.down)) + 2_082_844_800
        return UInt32(truncatingIfNeeded: max(0, seconds))
    }
}

/// A sample of a track: a picture, or a packet of sound.
package struct MovieSample: Sendable {
    /// The encoded bytes.
    package var bytes: [UInt8]
    /// The time at which it is shown, in the track's timescale.
    package var time: UInt64
    /// How long it is shown, in the track's timescale.
    package var duration: UInt32
    /// Whether decoding can begin here.
    package var isKey: Bool

    /// Creates a sample.
    package init(bytes: [UInt8], time: UInt64, duration: UInt32, isKey: Bool) {
        self.bytes = bytes
        self.time = time
        self.duration = duration
        self.isKey = isKey
    }
}

/// The kind of a movie file.
package enum MovieContainer: String, Sendable, Hashable, CaseIterable {
    case mp4, mov
}

// MARK: - Boxes

extension MovieTrack {
    /// The box of the track (`trak`). `samples` is nil if the samples are in fragments.
    func box(number: UInt32, in container: MovieContainer, _ samples: SampleIndex? = nil) -> [UInt8] {
        let media = Box.plain("mdia", mediaHeader(samples), handler(container), information(container, samples))
        return Box.plain("trak", [header(number, samples)] + (samples?.relations ?? []) + [media])
    }

    private func header(_ number: UInt32, _ samples: SampleIndex?) -> [UInt8] {
        let (volume, width, height): (UInt16, Int, Int) =
            switch content {
            case .video(let width, let height, _): (0, width, height)
            case .audio: (0x100, 0, 0)
            case .stillTime: (0, 0, 0)
            }
        // The flags say that the track is enabled and part of the movie. Fragments have durations themselves.
        return Box.full(
            "tkhd", flags: 3, Box.dates(date), Box.words(number, 0, samples?.duration ?? 0, 0, 0),
            Box.halves(0, 0, volume, 0), Box.matrix(orientation: orientation, width: width, height: height),
            Box.words(UInt32(clamping: width) << 16, UInt32(clamping: height) << 16))
    }

    /// Returns the media header, whose language is undetermined ("und").
    private func mediaHeader(_ samples: SampleIndex?) -> [UInt8] {
        Box.full("mdhd", Box.dates(date), Box.words(timescale, samples?.mediaDuration ?? 0), Box.halves(0x55C4, 0))
    }

    private func handler(_ container: MovieContainer) -> [UInt8] {
        let (type, name) =
            switch content {
            case .video: ("vide", "VideoHandler")
            case .audio: ("soun", "SoundHandler")
            case .stillTime: ("meta", "MetadataHandler")
            }
        let component = container == .mov ? Array("mhlr".utf8) : Box.words(0)
        // QuickTime's strings begin with their length; those of ISO files end with a zero.
        let text = container == .mov ? [UInt8(name.utf8.count)] + name.utf8 : name.utf8 + [0]
        return Box.full("hdlr", component, Array(type.utf8), Box.words(0, 0, 0), text)
    }

    private func information(_ container: MovieContainer, _ samples: SampleIndex?) -> [UInt8] {
        let header =
            switch content {
            case .video: Box.full("vmhd", flags: 1, Box.words(0, 0))
            case .audio: Box.full("smhd", Box.words(0))
            // The graphics mode copies, with the usual colour for it, and no balance of sound.
            case .stillTime: Box.plain("gmhd", Box.full("gmin", Box.halves(0x40, 0x8000, 0x8000, 0x8000, 0, 0)))
            }
        let data = Box.plain(
            "dinf", Box.full("dref", Box.words(1), Box.full(container == .mov ? "alis" : "url ", flags: 1)))
        // QuickTime requires a handler of the data, too.
        let handler = Box.full("hdlr", Array("dhlralis".utf8), Box.words(0, 0, 0), [0])
        return Box.plain(
            "minf", [header] + (container == .mov ? [handler] : []) + [data, sampleTable(container, samples)])
    }

    /// Returns the sample table, which is empty if the samples are in fragments.
    private func sampleTable(_ container: MovieContainer, _ samples: SampleIndex?) -> [UInt8] {
        let samples = samples ?? SampleIndex(IndexedMovie.Track(self, []), offset: 0)
        return Box.plain("stbl", [Box.full("stsd", Box.words(1), entry(container))] + samples.tables)
    }

    private func entry(_ container: MovieContainer) -> [UInt8] {
        switch content {
        case .video(let width, let height, let parameters):
            Self.video(width, height, parameters, container)
        case .audio(let channels): audio(UInt16(clamping: channels), container)
        case .stillTime: Self.stillTime
        }
    }

    /// The description of samples with one key: its name, and its type, a signed integer of 8 bits (65).
    private static var stillTime: [UInt8] {
        let key = Box.plain("keyd", Array("mdtacom.apple.quicktime.still-image-time".utf8))
        let type = Box.plain("dtyp", Box.words(0, 65))
        // The number of the key in samples stands in the place of the box's type.
        let declaration = Box.words(UInt32(8 + key.count + type.count), 1) + key + type
        return Box.plain("mebx", Box.halves(0, 0, 0, 1), Box.plain("keys", declaration))
    }

    private static func video(
        _ width: Int, _ height: Int, _ parameters: H264Parameters, _ container: MovieContainer
    ) -> [UInt8] {
        let head = Box.halves(0, 0, 0, 1) + Box.words(0, 0, 0, 0)
        let size = Box.halves(UInt16(clamping: width), UInt16(clamping: height)) + Box.words(0x48_0000, 0x48_0000, 0)
        // One frame a sample, no compressor's name, 24 bits, no colour table.
        let rest = Box.halves(1) + [UInt8](repeating: 0, count: 32) + Box.halves(24, 0xFFFF)
        // BT.709 primaries, transfer and matrix; ISO files add that the range is not the full one.
        let color =
            Array((container == .mov ? "nclc" : "nclx").utf8) + Box.halves(1, 1, 1) + (container == .mov ? [] : [0])
        return Box.plain(
            "avc1", head, size, rest, Box.plain("avcC", parameters.configuration), Box.plain("colr", color))
    }

    private func audio(_ channels: UInt16, _ container: MovieContainer) -> [UInt8] {
        let isQuickTime = container == .mov
        let version: UInt16 = isQuickTime ? 1 : 0
        let head = Box.halves(0, 0, 0, 1, version, 0, 0, 0, channels, 16, isQuickTime ? 0xFFFE : 0, 0)
        let rate = Box.words(timescale << 16)
        let stream = Box.full("esds", elementaryStream(channels))
        guard isQuickTime else { return Box.plain("mp4a", head, rate, stream) }
        // QuickTime's version 1 states the samples of a packet, and has the stream's description in `wave`.
        let packets = Box.words(1024, 0, 0, 2)
        let wave = Box.plain(
            "wave", Box.plain("frma", Array("mp4a".utf8)), Box.plain("mp4a", Box.words(0)), stream, Box.words(8, 0))
        return Box.plain("mp4a", head, rate, packets, wave)
    }

    /// The descriptors of an AAC stream (ISO 14496-1) with its AudioSpecificConfig (ISO 14496-3).
    private func elementaryStream(_ channels: UInt16) -> [UInt8] {
        func descriptor(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
            [tag, UInt8(clamping: content.count)] + content
        }
        let rates: [UInt32] = [
            96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000,
        ]
        let rate = UInt16(rates.firstIndex(of: timescale) ?? 3)
        // Object type 2 (low complexity) in 5 bits, the rate in 4, the channels in 4.
        let configuration = (2 << 11 | rate << 7 | channels << 3).bigEndianBytes
        // MPEG-4 audio in an audio stream; the size of the decoder's buffer and the bit rates are not stated.
        let decoder = descriptor(4, [0x40, 0x15, 0, 0, 0] + Box.words(0, 0) + descriptor(5, configuration))
        return descriptor(3, [0, 0, 0] + decoder + descriptor(6, [2]))
    }
}
