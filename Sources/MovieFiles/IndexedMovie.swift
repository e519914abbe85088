internal import PhotoMetadata

/// A movie file with one index of all samples, which stands before them. Short movies that are complete in memory are
/// written so, because every reader supports it.
///
///     ftyp | moov: tracks with their samples, metadata | mdat: samples of track 1, of track 2, …
package struct IndexedMovie: Sendable {
    /// A track with its samples.
    package struct Track: Sendable {
        /// The format of the track.
        package var format: MovieTrack
        /// The samples in their order.
        package var samples: [MovieSample]
        /// The parts of the track that are shown, in their order; empty to show all samples.
        package var edits: [MovieEdit]
        /// The number of the track that this one describes, from 1; nil for none.
        package var described: UInt32?

        /// Creates a track.
        package init(
            _ format: MovieTrack, _ samples: [MovieSample], edits: [MovieEdit] = [], describing described: UInt32? = nil
        ) {
            (self.format, self.samples, self.edits, self.described) = (format, samples, edits, described)
        }
    }

    /// The tracks in their order.
    package var tracks: [Track]
    /// The metadata of the movie: keys of the namespace `mdta`, such as `com.apple.quicktime.make`, with their texts.
    package var metadata: [(key: String, value: String)]

    /// The unit of the movie's times, in which the durations of edits are: this many are a second.
    package static let timescale: UInt32 = 90000

    /// Creates a movie.
    package init(_ tracks: [Track], metadata: [(key: String, value: String)] = []) {
        (self.tracks, self.metadata) = (tracks, metadata)
    }

    /// Returns the bytes of the file as consecutive pieces.
    package func pieces(in container: MovieContainer) -> [[UInt8]] {
        let type = FragmentedMovie.type(container)
        let size = tracks.reduce(0) { $0 + $1.size }
        // The size of the index is known without the offsets in it.
        let start = type.count + index(container, dataOffset: 0).count + 8
        let head = type + index(container, dataOffset: start)
        let data: [UInt8] = UInt32(clamping: size + 8).bigEndianBytes + Array("mdat".utf8)
        let first: [UInt8] = head + data
        return [first] + tracks.flatMap { $0.samples.map(\.bytes) }
    }

    private func index(_ container: MovieContainer, dataOffset: Int) -> [UInt8] {
        var offset = dataOffset
        var boxes = [FragmentedMovie.header(Self.timescale, duration: duration, tracks.map(\.format))]
        for (number, track) in zip(UInt32(1)..., tracks) {
            boxes.append(track.format.box(number: number, in: container, SampleIndex(track, offset: offset)))
            offset += track.size
        }
        if !metadata.isEmpty { boxes.append(KeyedMetadata.box(metadata, in: container)) }
        return Box.plain("moov", boxes)
    }

    private var duration: UInt64 { tracks.map(\.duration).max() ?? 0 }
}

/// A part of a track that is shown, or a time for which it shows nothing.
package struct MovieEdit: Sendable, Hashable {
    /// How long the part is, in the movie's timescale.
    package var duration: UInt64
    /// The time at which the part begins, in the track's timescale; nil for a time without content.
    package var start: UInt64?

    /// Creates a part of a track.
    package init(duration: UInt64, start: UInt64?) { (self.duration, self.start) = (duration, start) }
}

extension IndexedMovie.Track {
    /// The size of the samples in bytes.
    var size: Int { samples.reduce(0) { $0 + $1.bytes.count } }

    /// The duration of all samples, in the track's timescale.
    var mediaDuration: UInt64 { samples.reduce(0) { $0 + UInt64($1.duration) } }

    /// The time for which the track is shown, in the movie's timescale.
    var duration: UInt64 {
        if edits.isEmpty { return mediaDuration * UInt64(IndexedMovie.timescale) / UInt64(max(1, format.timescale)) }
        return edits.reduce(0) { $0 + $1.duration }
    }
}

/// The samples of a track as the index of a movie file lists them.
struct SampleIndex {
    private let track: IndexedMovie.Track
    /// The offset of the first sample in the file.
    private let offset: Int

    /// Creates the index of samples that follow one another in the file from an offset on.
    init(_ track: IndexedMovie.Track, offset: Int) { (self.track, self.offset) = (track, offset) }

    /// The time for which the track is shown, in the movie's timescale.
    var duration: UInt32 { UInt32(clamping: track.duration) }

    /// The duration of all samples, in the track's timescale.
    var mediaDuration: UInt32 { UInt32(clamping: track.mediaDuration) }

    /// The boxes beside the track's header: the edit list, and the track that this one describes.
    var relations: [[UInt8]] {
        var boxes: [[UInt8]] = []
        if !track.edits.isEmpty {
            let entries = track.edits.flatMap { edit in
                // A media time of -1 stands for no content; the rate is 1.
                Box.words(UInt32(clamping: edit.duration), edit.start.map { UInt32(clamping: $0) } ?? .max, 0x10000)
            }
            boxes.append(Box.plain("edts", Box.full("elst", Box.words(UInt32(track.edits.count)), entries)))
        }
        if let described = track.described {
            boxes.append(Box.plain("tref", Box.plain("cdsc", Box.words(described))))
        }
        return boxes
    }

    /// The boxes of the sample table behind the description: durations, key pictures, sizes and the only chunk.
    var tables: [[UInt8]] {
        let count = UInt32(track.samples.count)
        let sizes = track.samples.flatMap { Box.words(UInt32(clamping: $0.bytes.count)) }
        return [durations] + keys + [
            Box.full("stsc", count == 0 ? Box.words(0) : Box.words(1, 1, count, 1)),
            Box.full("stsz", Box.words(0, count), sizes),
            Box.full("stco", count == 0 ? Box.words(0) : Box.words(1, UInt32(clamping: offset))),
        ]
    }

    /// The durations of the samples: how many in a row have the same one.
    private var durations: [UInt8] {
        var runs: [(count: UInt32, duration: UInt32)] = []
        for sample in track.samples {
            if let last = runs.indices.last, runs[last].duration == sample.duration {
                runs[last].count += 1
            } else {
                runs.append((1, sample.duration))
            }
        }
        return Box.full(
            "stts", Box.words(UInt32(runs.count)), runs.flatMap { Box.words($0.count, $0.duration) })
    }

    /// The numbers of the key pictures; no box if decoding can begin at each sample.
    private var keys: [[UInt8]] {
        let keys = zip(UInt32(1)..., track.samples).filter(\.1.isKey).map(\.0)
        if keys.count == track.samples.count { return [] }
        return [Box.full("stss", Box.words(UInt32(keys.count)), keys.flatMap { Box.words($0) })]
    }
}
