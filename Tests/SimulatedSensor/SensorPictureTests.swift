internal import Glibc
internal import RawImage
internal import SimulatedSensor
internal import Testing

/// Tests of PNG and TIFF files as scenes, valid and malformed ones.
@Suite struct SensorPictureTests {
    private func sensor(_ path: String, _ width: Int, _ height: Int) throws -> SimulatedSensor {
        try SimulatedSensor(
            .of(width, height) { settings in
                settings.removeImperfections()
                settings.bitDepth = 16
                settings.scene = .picture(path: path)
            })
    }

    /// Checks that a frame shows the colour of every pixel of a scene file that has the frame's size.
    private func check(_ file: PictureFile, _ light: (Int, Int) -> SIMD3<Double>) throws {
        let sensor = try sensor(file.path, 40, 30)
        let frame = try sensor.frame()
        for row in 0..<30 {
            for column in 0..<40 {
                let expected = sensor.signal(of: light(row, column), controls: SensorControls())
                let plane = frame.settings.pattern.plane(row: row, column: column)
                #expect(abs(frame.signal(row, column) - expected[plane]) < 0.0005 + 0.002 * expected[plane])
            }
        }
    }

    private func code(_ row: Int, _ column: Int, _ channel: Int) -> Int {
        (row * 7 + column * 5 + channel * 60) & 255
    }

    private func linear(_ code: Int) -> Double {
        let value = Double(code) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private func colors(_ row: Int, _ column: Int) -> SIMD3<Double> {
        SIMD3(linear(code(row, column, 0)), linear(code(row, column, 1)), linear(code(row, column, 2)))
    }

    @Test func aPNGIsShownExactly() throws {
        try check(PictureFile(.png(width: 40, height: 30, value: code)), colors)
    }

    @Test(arguments: [8, 16])
    func aTIFFIsShownExactly(bits: Int) throws {
        let factor = bits == 16 ? 257.0 : 1
        let file = try PictureFile(
            .tiff(width: 40, height: 30, bits: bits, samples: 3) { Double(code($0, $1, $2)) * factor })
        try check(file, colors)
    }

    @Test(arguments: [8, 16])
    func aGreyTIFFIsShownExactly(bits: Int) throws {
        let factor = bits == 16 ? 257.0 : 1
        let file = try PictureFile(
            .tiff(width: 40, height: 30, bits: bits, samples: 1) { row, column, _ in
                Double(code(row, column, 0)) * factor
            })
        try check(file) { SIMD3(repeating: linear(code($0, $1, 0))) }
    }

    @Test func sixteenBitsAreNotCutToEight() throws {
        let file = try PictureFile(
            .tiff(width: 256, height: 64, bits: 16, samples: 1) { _, column, _ in 40_000 + Double(column) })
        let frame = try sensor(file.path, 256, 64).frame()
        #expect(Set(frame.signals(1, rows: 0..<2, columns: 0..<256)).count > 50)
    }

    @Test func aPictureCoversTheFrameAtAnySize() throws {
        // A white disc on black in a square image must remain a centred disc, cropped at the top and bottom.
        let file = try PictureFile(
            .png(width: 100, height: 100) { row, column, _ in
                (row - 50) * (row - 50) + (column - 50) * (column - 50) < 900 ? 255 : 0
            })
        for (width, height) in [(200, 150), (48, 36), (800, 600)] {
            let frame = try sensor(file.path, width, height).frame()
            func bright(_ x: Double, _ y: Double) -> Bool {
                frame.signal(Int(y * Double(height)) | 1, Int(x * Double(width)) & ~1) > 0.4
            }
            #expect(bright(0.5, 0.5))
            #expect(bright(0.25, 0.5))
            #expect(!bright(0.15, 0.5))
            #expect(bright(0.5, 0.15))
            #expect(!bright(0.5, 0.05))
        }
    }

    @Test func badFilesAreNamedErrors() throws {
        let picture = PictureFile.Bytes.tiff(width: 40, height: 30, bits: 16, samples: 3) { _, _, _ in 9 }
        let png = PictureFile.Bytes.png(width: 40, height: 30, value: code)
        var corrupt = png
        corrupt.bytes[png.bytes.count / 2] ^= 0xff
        var vast = picture
        // The test sets ImageWidth and ImageLength, the first two directory entries, to 983,040.
        let directory = 8 + 40 * 30 * 6 + 2
        for entry in 0..<2 {
            let value = directory + entry * 12 + 8
            vast.bytes.replaceSubrange(value..<value + 4, with: [0, 0, 15, 0])
        }
        let bad: [(PictureFile.Bytes, String)] = [
            (PictureFile.Bytes(bytes: []), "too short"),
            (PictureFile.Bytes(bytes: Array("a text and no picture".utf8)), "neither"),
            (PictureFile.Bytes(bytes: Array(png.bytes.prefix(60))), "PNG"),
            (PictureFile.Bytes(bytes: Array(png.bytes.prefix(8))), "PNG"),
            (corrupt, "PNG"),
            (.png(width: 2, height: 900_000, claimedWidth: 900_000, value: { _, _, _ in 0 }), "at most"),
            (PictureFile.Bytes(bytes: Array(picture.bytes.prefix(4))), "TIFF"),
            (PictureFile.Bytes(bytes: Array(picture.bytes.prefix(3000))), "TIFF"),
            (PictureFile.Bytes(bytes: Array(picture.bytes.prefix(directory + 70))), "TIFF"),
            (vast, "at most"),
        ]
        for (bytes, words) in bad {
            let file = try PictureFile(bytes)
            let error = #expect(throws: SensorError.self) { try sensor(file.path, 40, 30) }
            #expect(error?.code == .badScene)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
            #expect(error?.message.contains(file.path) == true)
        }
    }

    @Test func missingFilesAndFoldersAreErrors() throws {
        let missing = #expect(throws: SensorError.self) { try sensor("/nowhere/scene.png", 40, 30) }
        #expect(missing?.code == .noScene)
        let folder = #expect(throws: SensorError.self) { try sensor("/tmp", 40, 30) }
        #expect(folder?.code == .badScene)
        #expect(throws: SensorError.self) { try sensor("", 40, 30) }
        #expect(throws: SensorError.self) { try sensor("/dev/zero", 40, 30) }
    }
}
