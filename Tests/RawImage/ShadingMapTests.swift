import RawImage
import Testing

/// Tests that a map of lens shading has the same meaning after its mosaic is cropped, demosaiced or enlarged.
@Suite struct ShadingMapTests {
    private func map(_ area: PixelGrid, gains: [Float] = [1, 4, 1, 4]) throws -> ShadingMap {
        try ShadingMap(
            area: area, rows: 2, columns: 2, spacing: GainTableMap.RelativePoint(down: 1, across: 1),
            origin: GainTableMap.RelativePoint(down: 0, across: 0), gains: gains)
    }

    private func position(row: Int, column: Int) -> PixelGrid {
        PixelGrid(top: row, left: column, bottom: 48, right: 64, rowPitch: 2, columnPitch: 2)
    }

    /// Maps of single positions of the CFA cell, as Android's cameras store them, become maps of colours.
    @Test(arguments: BayerPattern.allCases) func positionsBecomeColours(_ pattern: BayerPattern) throws {
        var planes: [Int] = []
        for row in 0..<2 {
            for column in 0..<2 {
                let map = try map(position(row: row, column: column))
                let maps = map.demosaiced(pattern.plane)
                #expect(maps.count == 1)
                let color = try #require(maps.first)
                #expect(color.area == PixelGrid(top: 0, left: 0, bottom: 48, right: 64))
                #expect(color.planeCount == 1 && color.plane == pattern.plane(row: row, column: column))
                // Two maps for the greens correct by both together.
                #expect(color.gains == (color.plane == 1 ? [1, 2, 1, 2] : [1, 4, 1, 4]))
                planes.append(color.plane)
            }
        }
        #expect(planes == pattern.planes)
    }

    @Test func aMapOfAllPixelsIsOfAllColours() throws {
        let map = try map(PixelGrid(top: 4, left: 2, bottom: 48, right: 64))
        var expected = map
        expected.planeCount = 3
        #expect(map.demosaiced(BayerPattern.rggb.plane) == [expected])
        #expect(map.demosaiced(XTransPattern.standard.plane) == [expected])
        var other = map
        other.plane = 1
        #expect(other.demosaiced(BayerPattern.rggb.plane).isEmpty)
    }

    @Test func aMapOfRowsConcernsHalfOfTheGreens() throws {
        let map = try map(PixelGrid(top: 0, left: 0, bottom: 48, right: 64, rowPitch: 2, columnPitch: 1))
        let maps = map.demosaiced(BayerPattern.rggb.plane)
        #expect(maps.map(\.plane) == [0, 1] && maps.map(\.gains) == [[1, 4, 1, 4], [1, 2, 1, 2]])
    }

    /// A crop moves the pixels and the grid of gains; pixels before its corner leave the phase of the cell.
    @Test func aCropMovesTheMap() throws {
        var metadata = FrameMetadata(bitDepth: 12)
        metadata.lens.shading = [try map(position(row: 0, column: 0)), try map(position(row: 30, column: 33))]
        let format = MosaicFormat(width: 64, height: 48, pattern: .rggb, bitDepth: 12)
        let mosaic = try Mosaic(format: format, metadata: metadata, codes: Array(repeating: 300, count: 64 * 48))
        let maps = try #require(mosaic.cropped(left: 17, top: 12, width: 32, height: 24)).metadata.lens.shading
        #expect(maps[0].area == PixelGrid(top: 0, left: 1, bottom: 24, right: 32, rowPitch: 2, columnPitch: 2))
        #expect(maps[1].area == PixelGrid(top: 18, left: 16, bottom: 24, right: 32, rowPitch: 2, columnPitch: 2))
        // The gain of a pixel is the same: (position / size - origin) / spacing.
        #expect(maps[0].spacing == GainTableMap.RelativePoint(down: 2, across: 2))
        #expect(maps[0].origin == GainTableMap.RelativePoint(down: -0.5, across: -17.0 / 32))
    }

    @Test func anEnlargedPictureIsCovered() throws {
        let map = try map(PixelGrid(top: 0, left: 1, bottom: 48, right: 63)).enlarged(by: 1.5)
        #expect(map.area == PixelGrid(top: 0, left: 2, bottom: 72, right: 95))
    }

    /// A code above the white level does not change the bit depth of a frame.
    @Test func theDepthIsThatOfTheWhiteLevel() throws {
        var metadata = FrameMetadata(bitDepth: 11)
        metadata.whiteLevel = 2000
        func mosaic(_ depth: Int, _ codes: [UInt16]) throws -> Mosaic {
            try Mosaic(
                format: MosaicFormat(width: 2, height: 2, pattern: .rggb, bitDepth: depth), metadata: metadata,
                codes: codes)
        }
        let clipped = try mosaic(12, [1, 2000, 2047, 2100]).ofWhiteLevelDepth
        #expect(clipped.format.bitDepth == 11 && clipped.codes == [1, 2000, 2047, 2047])
        #expect(try mosaic(11, [1, 2, 3, 4]).ofWhiteLevelDepth.codes == [1, 2, 3, 4])
    }
}
