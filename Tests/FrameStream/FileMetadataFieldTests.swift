import FrameStream
import GStreamer
import RawImage
import Testing

/// Tests that the metadata of files travels with buffers.
@Suite struct FileMetadataFieldTests {
    @Test(arguments: [CaptureTimeZone.machine, .unknown, .offset(-12_600)])
    func timeZoneRatingAndKeywordsTravel(_ zone: CaptureTimeZone) throws {
        var metadata = FrameMetadata(bitDepth: 12)
        (metadata.wallClock, metadata.timeZone) = (1_790_000_000_000_000, zone)
        metadata.details.rating = -1
        metadata.details.digitalZoomRatio = 1.5
        metadata.details.label = "Red"
        metadata.details.keywords = ["lake", "Zürich"]
        metadata.sourceTags = [0x49, 0x49, 42, 0]
        var buffer = try Buffer(size: 16)
        try buffer.setFrameMetadata(metadata)
        let decoded = buffer.frameMetadata
        let found = try #require(decoded)
        #expect(found.timeZone == zone)
        #expect(found.details == metadata.details)
        #expect(found.sourceTags == metadata.sourceTags)
    }
}
