import DNG
import RawImage
import Testing

/// Files that lack tiles, as an interrupted copy leaves them: the rest is read, with a warning.
@Suite(.timeLimit(.minutes(10))) struct MissingTileTests {
    /// A picture of 32×32 pixels in four tiles, of which those of the given numbers have no bytes.
    private func file(missing: Set<Int>, byteCounts: [UInt32]? = nil) throws -> DNGFile {
        var dng = HandmadeDNG.bayer(width: 32, height: 32, bits: 16)
        dng.tags[278] = nil
        (dng.tags[322], dng.tags[323]) = (.shorts([16]), .shorts([16]))
        dng.tags[50_708] = .text("A camera")
        dng.tags[50_721] = .signedRationals([1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1])
        dng.tags[50_728] = .rationals([1, 2, 1, 1, 1, 2])
        dng.isTiled = true
        dng.parts = (0..<4).map { tile in
            missing.contains(tile) ? [] : dng.bytes([UInt16](repeating: UInt16(1000 * (tile + 1)), count: 256))
        }
        return try DNGFile(bytes: dng.file)
    }

    @Test func theOtherTilesAreRead() throws {
        let file = try file(missing: [2])
        let mosaic = try file.mosaic()
        let corners = [0, 16, 16 * 32, 16 * 32 + 16].map { mosaic.codes[$0] }
        #expect(corners == [1000, 2000, 0, 4000])
        #expect(mosaic.codes.count { $0 == 0 } == 256)
        #expect(file.acceptedDamage == ["the raw picture is damaged: tile 2 is missing of 4"])
        #expect(mosaic.metadata.history.acceptedDamage == file.acceptedDamage)
        #expect(file.verification().verdict == .damaged)
        #expect(DNGSummary(file).images[0].contains { $0.label == "damaged" && $0.text == "tile 2 is missing of 4" })
    }

    /// Two passes of tiles are the most that may be missing: without most of them there is no picture.
    @Test func withoutMostTilesThereIsNoPicture() throws {
        #expect(try file(missing: [0, 3]).mosaic().codes[16] == 2000)
        let error = #expect(throws: DNGError.self) { try file(missing: [0, 1, 3]).mosaic() }
        #expect(error?.message.contains("3 tiles, the first 0, are missing of 4") == true, "\(error?.message ?? "")")
    }

    @Test func wholeFilesHaveNoDamage() throws {
        let file = try file(missing: [])
        #expect(try file.mosaic().metadata.history.acceptedDamage.isEmpty)
        #expect(file.acceptedDamage.isEmpty && !DNGSummary(file).images[0].contains { $0.label == "damaged" })
    }

    /// A copy names the damage of its source.
    @Test func copiesNameTheDamage() throws {
        let copy = try DNGFile(try DNGTranscoder().encode(try file(missing: [1])).data)
        #expect(copy.metadata.history.acceptedDamage.contains { $0.contains("tile 1 is missing of 4") })
        #expect(copy.verification().verdict == .damageAccepted)
        #expect(try copy.mosaic().codes[0] == 1000)
    }
}
