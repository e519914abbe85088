internal import FrameStream
internal import GStreamer
internal import MovieFiles
internal import RawImage

/// The dates of frames that are being encoded, by the times of the frames.
struct FrameDates: Sendable {
    private var dates: [(time: UInt64, date: MovieDate)] = []

    /// Adds the date of a frame, whose time is above that of the frames before.
    mutating func add(_ date: MovieDate, at time: UInt64) { dates.append((time, date)) }

    /// Returns the date of a frame, and forgets it and those of earlier frames.
    mutating func take(at time: UInt64) -> MovieDate? {
        let found = dates.last { $0.time <= time }?.date
        dates.removeAll { $0.time <= time }
        return found
    }
}

extension MovieDate {
    /// Returns the date of a frame of this time: that in its metadata or, if its camera states none, the machine's.
    /// `now` returns the present time of the frames' clock.
    init(of frame: borrowing Buffer, at time: UInt64, _ now: () -> UInt64?) {
        if let moment = frame.captureMoment {
            self.init(microseconds: moment, utcOffset: frame.captureOffset)
        } else {
            let present = max(now() ?? time, time)
            self = MovieDate.now.moved(from: present, to: time)
        }
    }

    /// Returns the date of a photo, that of the start of its exposure, which its file states; nil if it is unknown.
    init?(_ metadata: FrameMetadata) {
        guard metadata.wallClock != 0 else { return nil }
        switch metadata.timeZone {
        case .machine: self.init(microseconds: metadata.wallClock)
        case .offset(let seconds): self.init(microseconds: metadata.wallClock, utcOffset: seconds)
        case .unknown: return nil
        }
    }
}
