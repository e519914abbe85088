import Develop
import RawImage
import Testing

/// Tests of pictures of monochrome cameras, which have neither colour matrices nor a white balance.
@Suite struct MonochromeTests {
    private func photo(isMonochrome: Bool) throws -> LinearImage {
        let format = LinearFormat(width: 4, height: 4)
        var metadata = FrameMetadata()
        metadata.isMonochrome = isMonochrome
        let values = (0..<16).flatMap { pixel in
            let grey = UInt16(4000 * pixel)
            return [grey, grey, grey, .max]
        }
        return try LinearImage(format: format, metadata: metadata, values: values)
    }

    /// Missing colour matrices are a fault of the files of other cameras only.
    @Test func noMatricesAreMissed() throws {
        func misses(_ photo: LinearImage) throws -> Bool {
            try Renderer(linear: photo, recipe: Recipe()).warnings.contains { $0.contains("colour matrices") }
        }
        #expect(try !misses(photo(isMonochrome: true)))
        #expect(try misses(photo(isMonochrome: false)))
    }
}
