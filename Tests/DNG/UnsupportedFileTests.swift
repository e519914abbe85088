import DNG
import RawImage
import Testing

/// Tests that files which cannot be read yet are named in the error, with a remedy.
@Suite(.timeLimit(.minutes(10))) struct UnsupportedFileTests {
    private func mosaic(_ sides: [UInt16], _ colors: [UInt8]) -> [UInt8] {
        var dng = HandmadeDNG.bayer(width: 12, height: 12, bits: 8)
        dng.tags[33_421] = .shorts(sides)
        dng.tags[33_422] = .bytes(colors)
        dng.parts = [[UInt8](repeating: 9, count: 144)]
        return dng.file
    }

    private func linear(_ samples: Int) -> [UInt8] {
        var dng = HandmadeDNG.bayer(width: 4, height: 4, bits: 8)
        dng.tags[258] = .shorts([UInt16](repeating: 8, count: samples))
        dng.tags[262] = .shorts([34_892])
        dng.tags[277] = .shorts([UInt16(samples)])
        (dng.tags[33_421], dng.tags[33_422]) = (nil, nil)
        dng.parts = [[UInt8](repeating: 9, count: 16 * samples)]
        return dng.file
    }

    /// Checks that the pixels are refused with these words and a remedy, and that `verify` says the same.
    private func expect(_ bytes: [UInt8], _ words: String) throws {
        let file = try DNGFile(bytes: bytes)
        for read in [{ _ = try file.mosaic() }, { _ = try file.linearImage() }, { _ = try file.storedSamples() }] {
            let error = #expect(throws: DNGError.self) { try read() }
            #expect(error?.code == .unsupported)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
            #expect(error?.message.contains("darktable") == true)
        }
        #expect(file.verify().contains { $0.message.contains(words) })
    }

    @Test func mosaicsOfOtherPatterns() throws {
        try expect(mosaic([6, 6], (0..<36).map { UInt8($0 % 3) }), "not Fujifilm's X-Trans")
        try expect(mosaic([4, 4], [0, 1, 1, 0, 1, 2, 2, 1, 1, 2, 2, 1, 0, 1, 1, 0]), "not a Bayer pattern")
        try expect(mosaic([2, 2], [1, 4, 3, 5]), "CMYG")
        try expect(mosaic([2, 2], [0, 1, 3, 2]), "four colours")
        try expect(mosaic([2, 2], [0, 6, 6, 2]), "white")
        try expect(mosaic([2, 2], [0, 0, 1, 2]), "not a Bayer pattern")
    }

    @Test func linearPicturesOfOtherSamples() throws {
        try expect(linear(2), "2 samples")
        try expect(linear(5), "5 samples")
    }

    @Test(arguments: [
        ("FUJIFILMCCD-RAW 0201", "Fujifilm"), ("\0\0\0\u{18}ftypcrx ", "CR3"),
        ("II*\0\u{10}\0\0\0CR\u{2}\0", "CR2"), ("IIU\0\u{18}\0\0\0", "Panasonic"), ("IIRO\u{8}\0\0\0", "Olympus"),
        ("\0MRM\0\0\0\0", "Minolta"), ("FOVb\0\0\0\0", "Sigma"), ("\0\0\0\u{18}ftypheic", "HEIF"),
    ]) func filesOfOtherFormats(head: String, words: String) {
        let bytes = Array(head.utf8) + [UInt8](repeating: 0, count: 40)
        let error = #expect(throws: DNGError.self) { try DNGFile(bytes: bytes) }
        #expect(error?.code == (words == "HEIF" ? .unsupported : .cameraRaw))
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [("NIKON CORPORATION", "NEF"), ("SONY", "ARW"), ("A camera", "another format")])
    func rawFilesInTIFF(make: String, words: String) {
        var nef = HandmadeDNG.bayer(width: 4, height: 4, bits: 8)
        nef.tags[50_706] = nil
        nef.tags[271] = .text(make)
        nef.parts = [[UInt8](repeating: 9, count: 16)]
        let error = #expect(throws: DNGError.self) { try DNGFile(bytes: nef.file) }
        #expect(error?.message.contains(words) == true && error?.message.contains("convert it") == true)
    }
}
