import CapturePlan
import GStreamer
import MovieFiles
import TemporaryFolders
import Testing

@testable import Movies

/// The files of movies from pictures and packets of sound with given times.
struct MovieStorageTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func storage(_ rate: String, sound: String? = nil) throws -> MovieStorage {
        var settings = MovieSettings()
        settings.audioSource = sound
        var storage = try MovieStorage(path: folder.path("movie.mp4"), .mp4, settings)
        storage.setFormat(try MovieEncoder.Format(Caps("video/x-raw,width=64,height=48,framerate=\(rate)")))
        return storage
    }

    /// An access unit with parameter sets and a key picture, which no decoder reads.
    private var picture: H264AccessUnit {
        H264AccessUnit(byteStream: [0, 0, 1, 0x67, 100, 0, 31, 0xAC, 0, 0, 1, 0x68, 0xEE, 0x3C, 0, 0, 1, 0x65, 0x88])
    }

    /// The fault: sound whose packets overlap, as those of a device with a fast clock, became later and later than the
    /// pictures.
    @Test func soundStaysBesideThePictures() throws {
        var storage = try storage("10/1", sound: "autoaudiosrc")
        for tenth in 0..<600 as Range<UInt64> {
            _ = try storage.add(picture, at: tenth * 100_000_000, takenAt: nil)
            // Packets of 21.3 ms, 20 ms apart.
            for packet in tenth * 5..<tenth * 5 + 5 { _ = try storage.add(sound: [0], at: packet * 20_000_000) }
        }
        let file = try #require(try storage.finish().first)
        #expect(file.duration >= .seconds(60) && file.duration < .milliseconds(60_050), "\(file.duration)")
    }

    /// The fault: gaps between frames of a variable rate counted as lost frames.
    @Test(arguments: [("0/1", 0), ("30000/1001", 4)]) func onlyASteadyRateLosesFrames(rate: String, lost: Int) throws {
        var storage = try storage(rate)
        for time in [0, 33_366_667, 200_200_000] as [UInt64] { _ = try storage.add(picture, at: time, takenAt: nil) }
        #expect(try storage.finish().first?.frameCount == 3)
        #expect(storage.lostFrames == lost)
    }
}
