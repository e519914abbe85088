internal import PhotoMetadata

/// The movie file of a Live Photo: encoded pictures from before and after the press, as they left the encoder.
///
/// Decoding begins at a key picture, which may precede the first picture that is shown; an edit list hides the pictures
/// before it. In QuickTime files the content identifier, which the still has as well, is metadata of the movie, and a
/// track of timed metadata has a single sample at the time of the still.
package struct LivePhotoMovieFile: Sendable {
    /// An encoded picture.
    package struct Picture: Sendable {
        /// The access unit with lengths in front of its NAL units.
        package var bytes: [UInt8]
        /// The time of the picture in nanoseconds.
        package var time: UInt64
        /// Whether decoding can begin here.
        package var isKey: Bool

        /// Creates a picture.
        package init(bytes: [UInt8], time: UInt64, isKey: Bool) {
            (self.bytes, self.time, self.isKey) = (bytes, time, isKey)
        }
    }

    /// The pictures in their order; the first one is a key picture.
    package var pictures: [Picture]
    /// The time of the first picture that is shown.
    package var start: UInt64
    /// The end of the last picture.
    package var end: UInt64
    /// The time of the still, from `start` to `end`.
    package private(set) var stillTime: UInt64
    /// Width and height of the pictures.
    package var size: (width: Int, height: Int)
    /// The parameter sets of the pictures.
    package var parameters: H264Parameters
    /// The date of `start`.
    private let date: MovieDate
    /// The date of the still.
    private let stillDate: MovieDate
    /// How the pictures are to be turned, as an Exif orientation.
    private let orientation: Int

    /// Creates a movie; times are in nanoseconds of one clock; a time of the still outside the movie is moved into it.
    /// `date` is that of `start`, and `orientation` Exif's orientation of the still.
    package init(
        _ pictures: [Picture], start: UInt64, end: UInt64, stillTime: UInt64, size: (width: Int, height: Int),
        parameters: H264Parameters, date: MovieDate, stillDate: MovieDate, orientation: Int
    ) {
        (self.date, self.stillDate, self.orientation) = (date, stillDate, orientation)
        (self.pictures, self.start, self.end) = (pictures, start, end)
        self.stillTime = min(max(stillTime, start), max(start, end))
        (self.size, self.parameters) = (size, parameters)
    }

    /// The key of the content identifier in the movie's metadata.
    package static let identifierKey = "com.apple.quicktime.content.identifier"

    /// Returns the QuickTime file of Apple's pair of still and movie, as consecutive pieces. As in Apple's files, the
    /// creation date in the metadata is that of the still, while the headers have that of the first picture.
    package func pair(identifier: String, software: String) -> [[UInt8]] {
        let still = MovieTrack(.stillTime, timescale: IndexedMovie.timescale, date: date)
        let frame = UInt32(clamping: max(1, ticks(stillTime + meanPeriod) - ticks(stillTime)))
        // One sample: a value of key 1, which is -1 by convention; its time is that of the still.
        let sample = MovieSample(bytes: Box.words(9, 1) + [0xFF], time: 0, duration: frame, isKey: true)
        let before = ticks(stillTime) - ticks(start)
        let edits =
            (before > 0 ? [MovieEdit(duration: before, start: nil)] : [])
            + [MovieEdit(duration: UInt64(frame), start: 0)]
        let movie = IndexedMovie(
            [video, IndexedMovie.Track(still, [sample], edits: edits, describing: 1)],
            metadata: [(key: Self.identifierKey, value: identifier)] + KeyedMetadata.origin(software, stillDate))
        return movie.pieces(in: .mov)
    }

    /// Returns the MP4 file of a Motion Photo, as consecutive pieces.
    package var motionPhoto: [[UInt8]] { IndexedMovie([video]).pieces(in: .mp4) }

    private var video: IndexedMovie.Track {
        let ends = pictures.dropFirst().map(\.time) + [end]
        let samples = zip(pictures, ends).map { picture, end in
            let (first, next) = (ticks(picture.time), ticks(end))
            return MovieSample(
                bytes: picture.bytes, time: first, duration: UInt32(clamping: next > first ? next - first : 1),
                isKey: picture.isKey)
        }
        return IndexedMovie.Track(
            MovieTrack(
                .video(width: size.width, height: size.height, parameters), timescale: IndexedMovie.timescale,
                date: date, orientation: orientation),
            samples, edits: [MovieEdit(duration: ticks(end) - ticks(start), start: ticks(start))])
    }

    /// The mean time from picture to picture in nanoseconds.
    private var meanPeriod: UInt64 {
        guard let first = pictures.first?.time, end > first else { return 1 }
        return max(1, (end - first) / UInt64(pictures.count))
    }

    /// Returns a time since the first picture in the movie's timescale.
    private func ticks(_ time: UInt64) -> UInt64 {
        let first = pictures.first?.time ?? 0
        return time > first ? ((time - first) * UInt64(IndexedMovie.timescale) + 500_000_000) / 1_000_000_000 : 0
    }
}
