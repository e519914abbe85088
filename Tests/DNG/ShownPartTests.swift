import DNG
import RawImage
import Testing

/// Tests of the part of a photo that previews and finished pictures show.
@Suite struct ShownPartTests {
    /// Returns the tags of a Bayer file of 64×48 pixels with this crop, in which masked borders leave the area from
    /// (8, 4) on if `hasBorders` is true.
    private func tags(crop: PixelRectangle, hasBorders: Bool = false, zoom: Double = 1) throws -> [UInt8] {
        var dng = HandmadeDNG.bayer(width: 64, height: 48, bits: 16)
        dng.parts = [dng.bytes(Array(repeating: 900, count: 64 * 48))]
        dng.tags[50_719] = .shorts([UInt16(crop.left), UInt16(crop.top)])
        dng.tags[50_720] = .shorts([UInt16(crop.width), UInt16(crop.height)])
        if hasBorders { dng.tags[50_829] = .shorts([4, 8, 48, 64]) }
        if zoom > 1 {
            dng.children[34_665] = [.directory([41_988: .rationals([UInt32(zoom * 100), 100])])]
        }
        return try DNGFile(bytes: dng.file).inheritableTags()
    }

    @Test func withoutAZoomAndAFileItIsTheWhole() {
        let part = FrameMetadata().shownPart(width: 30, height: 21)
        #expect(part.area == PixelRectangle(left: 0, top: 0, width: 30, height: 21) && part.zoom == 1)
    }

    @Test(arguments: [(2.0, 16, 12, 32, 24), (4, 24, 18, 16, 12), (1.5, 10, 8, 42, 32)])
    func aZoomShowsTheMiddle(factor: Double, left: Int, top: Int, width: Int, height: Int) {
        var metadata = FrameMetadata()
        metadata.cropFactor = factor
        let part = metadata.shownPart(width: 64, height: 48)
        #expect(part.area == PixelRectangle(left: left, top: top, width: width, height: height))
        #expect(part.zoom == factor)
    }

    /// The crop refers to the file's picture; a preview or an enlarged photo has another size.
    @Test(arguments: [1, 2, 4]) func theDefaultCropOfTheFileIsShown(scale: Int) throws {
        var metadata = FrameMetadata()
        metadata.sourceTags = try tags(crop: PixelRectangle(left: 6, top: 4, width: 52, height: 40))
        let part = metadata.shownPart(width: 64 * scale, height: 48 * scale)
        #expect(
            part.area
                == PixelRectangle(left: 6 * scale, top: 4 * scale, width: 52 * scale, height: 40 * scale))
        #expect(part.zoom == 1)
    }

    /// The pictures have no masked borders, and the crop begins at their first pixel behind these.
    @Test func theDefaultCropIsOneOfTheActiveArea() throws {
        var metadata = FrameMetadata()
        metadata.sourceTags = try tags(crop: PixelRectangle(left: 6, top: 4, width: 48, height: 36), hasBorders: true)
        for scale in [1, 2] {
            let area = metadata.shownPart(width: 56 / scale, height: 44 / scale).area
            #expect(
                area == PixelRectangle(left: 6 / scale, top: 4 / scale, width: 48 / scale, height: 36 / scale))
        }
    }

    /// The crop of a photo that the camera has zoomed.
    @Test func theZoomOfTheFileIsStated() throws {
        var metadata = FrameMetadata()
        metadata.sourceTags = try tags(crop: PixelRectangle(left: 16, top: 12, width: 32, height: 24), zoom: 2)
        let part = metadata.shownPart(width: 64, height: 48)
        #expect(part.area == PixelRectangle(left: 16, top: 12, width: 32, height: 24) && part.zoom == 2)
    }

    /// A zoom of the capture crops the whole picture: its factor refers to that.
    @Test func aZoomTakesPrecedence() throws {
        var metadata = FrameMetadata()
        metadata.sourceTags = try tags(crop: PixelRectangle(left: 0, top: 0, width: 20, height: 20))
        metadata.cropFactor = 2
        #expect(
            metadata.shownPart(width: 64, height: 48).area == PixelRectangle(left: 16, top: 12, width: 32, height: 24))
    }

    @Test func tagsThatAreNoFileAreIgnored() {
        var metadata = FrameMetadata()
        metadata.sourceTags = [0x49, 0x49, 42, 0]
        #expect(
            metadata.shownPart(width: 64, height: 48).area == PixelRectangle(left: 0, top: 0, width: 64, height: 48))
    }
}
