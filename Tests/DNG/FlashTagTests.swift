import DNG
import RawImage
import Testing

/// Exif's Flash tag in DNG files.
@Suite struct FlashTagTests {
    @Test(arguments: [nil, false, true] as [Bool?]) func theFlashRoundTrips(fired: Bool?) throws {
        var mosaic = try TestPictures.mosaic(61, 43)
        mosaic.metadata.flashFired = fired
        let file = try DNGFile(bytes: DNGWriter().encode(mosaic))
        #expect(file.verify().isEmpty, "\(file.verify())")
        #expect(file.metadata.flashFired == fired)
    }
}
