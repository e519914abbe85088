import RawImage

/// A small raw file of a camera with an X-Trans sensor as Fujifilm stores it: a header that points to a JPEG
/// file, which may be empty, to a list of records about the raw picture, and to a TIFF structure with its codes.
struct HandmadeRAF {
    var width = 96
    var height = 72
    /// The crop that the camera states: left, top, width and height.
    var crop: (left: UInt16, top: UInt16, width: UInt16, height: UInt16) = (6, 12, 72, 54)
    /// The black level of each position of the 6×6 cell.
    var black = [UInt32](repeating: 1022, count: 36)

    /// The JPEG file with the preview and Exif; empty for none.
    var jpeg: [UInt8] = []

    /// The codes of the raw picture: a texture between black and white.
    var codes: [UInt16] {
        var dice = Dice(seed: 11)
        return (0..<width * height).map { _ in UInt16.random(in: 1100..<10_000, using: &dice) }
    }

    var bytes: [UInt8] {
        // LibRaw stores the cell from its end.
        let cell = XTransPattern.standard.planes.reversed().map { UInt8($0) }
        let (width, height) = (UInt16(width), UInt16(height))
        let records: [(UInt16, [UInt8])] = [
            (0x100, big([height, width])), (0x110, big([crop.top, crop.left])),
            (0x111, big([crop.height, crop.width])),
            (0x121, big([height, width])), (0x131, cell), (0x2FF0, big([302, 604, 302, 450])),
        ]
        let list = big32([UInt32(records.count)]) + records.flatMap { big([$0, UInt16($1.count)]) + $1 }
        let start = 0x94
        let container = tiff
        let position = (start + list.count + 3) / 4 * 4
        // The JPEG file is behind all else, since LibRaw looks for Exif where it is.
        let end = position + container.count
        let preview: [UInt32] = jpeg.isEmpty ? [0, 0] : [UInt32(end), UInt32(jpeg.count)]
        let pointers = preview + [UInt32(start), UInt32(list.count), UInt32(position), UInt32(container.count)]
        var file = padded(Array("FUJIFILMCCD-RAW 0201FF129502X-T2".utf8), to: 0x54) + big32(pointers)
        file = padded(file, to: start) + list
        return padded(file, to: position) + container + jpeg
    }

    /// Whether a mosaic has the codes of this file in the crop, which is at this area of the mosaic.
    func isEqual(to mosaic: XTransMosaic, at area: PixelRectangle) -> Bool {
        let codes = codes
        return (0..<Int(crop.height)).allSatisfy { (row: Int) -> Bool in
            (0..<Int(crop.width)).allSatisfy { (column: Int) -> Bool in
                let place: Int = (area.top + row) * mosaic.width + area.left + column
                let own: Int = (Int(crop.top) + row) * width + Int(crop.left) + column
                return mosaic.codes[place] == codes[own]
            }
        }
    }

    /// The TIFF structure: a directory with make and model, one that describes the codes, and the codes.
    private var tiff: [UInt8] {
        let position: UInt32 = 2048
        var raw = HandmadeDNG.directory([
            0xF001: .longs([UInt32(width)]), 0xF002: .longs([UInt32(height)]), 0xF003: .longs([16]),
            0xF007: .longs([position]), 0xF008: .longs([UInt32(2 * width * height)]), 0xF00A: .longs(black),
            0xF00E: .longs([302, 604, 400]),
        ])
        raw.parts = []
        var first = HandmadeDNG.directory([271: .text("FUJIFILM"), 272: .text("X-T2")])
        first.children = [0xF000: [raw]]
        // LibRaw reads uncompressed codes of 16 bits in the byte order of the header.
        return padded(first.file, to: Int(position)) + big(codes)
    }

    private func padded(_ bytes: [UInt8], to count: Int) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: count - bytes.count)
    }

    private func big(_ numbers: [UInt16]) -> [UInt8] {
        numbers.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }

    private func big32(_ numbers: [UInt32]) -> [UInt8] {
        numbers.flatMap { big([UInt16($0 >> 16), UInt16(truncatingIfNeeded: $0)]) }
    }
}
