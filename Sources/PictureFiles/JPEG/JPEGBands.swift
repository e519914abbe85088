/// One JPEG whose bands were made on several cores.
///
/// Each band is a JPEG of its own, whose coded pixels begin afresh. A restart marker says so to the decoder; so the coded pixels
/// of all bands, with such markers between them, behind the head of the first make a JPEG of the whole.
package enum JPEGBands {
    /// The JPEG of a picture in memory.
    package static func compress(
        rgb: [UInt8], width: Int, height: Int, quality: Int
    ) throws(PictureFileError) -> [UInt8] {
        try compress(width: width, height: height, quality: quality, watch: nil) { rows in
            Array(rgb[rows.lowerBound * width * 3..<rows.upperBound * width * 3])
        }
    }

    /// The JPEG of a picture that is made band by band: `make` fills a band with red, green and blue of some rows. It is
    /// called on several threads.
    package static func compress(
        width: Int, height: Int, quality: Int, _ make: (Range<Int>, inout MutableSpan<UInt8>) throws -> Void
    ) throws -> [UInt8] {
        let plan = Plan(width: width, height: height, quality: quality)
        let bands = try codedBands(rows: height, of: plan.bandHeight) { rows in
            var rgb = [UInt8](repeating: 0, count: rows.count * width * 3)
            var span = rgb.mutableSpan
            try make(rows, &span)
            return try plan.compress(rgb)
        }
        return try plan.join(bands)
    }

    /// The JPEG of a picture whose rows are given on demand, on several threads, and some at least together.
    static func compress(
        width: Int, height: Int, quality: Int, bandHeight: Int? = nil, watch: EncodingWatch?,
        _ bytes: (Range<Int>) -> [UInt8]
    ) throws(PictureFileError) -> [UInt8] {
        let plan = Plan(width: width, height: height, quality: quality, wanted: bandHeight ?? 128)
        let bands = try codedBands(rows: height, of: plan.bandHeight, watch: watch) {
            rows throws(PictureFileError) in try plan.compress(bytes(rows))
        }
        try watch?.check()
        return try plan.join(bands)
    }
}

/// How a picture is cut into bands, and how they are put together.
private struct Plan {
    let width: Int
    let height: Int
    let quality: Int

    private var chroma: JPEGCompressor.Chroma { JPEGCompressor.Chroma(quality: quality) }

    /// How many rows a band should have.
    var wanted = 128

    /// Rows of a band: a multiple of those of a coded block. A band's blocks are counted in 16 bits.
    var bandHeight: Int {
        let most = 65_535 / ((width + side - 1) / side) * side
        return max(16, min(wanted, most) / 16 * 16)
    }

    /// The side of a coded block.
    private var side: Int { chroma == .halved ? 16 : 8 }

    /// The JPEG of a band.
    func compress(_ rgb: [UInt8]) throws(PictureFileError) -> [UInt8] {
        try unsafe rgb.withUnsafeBufferPointer { rgb throws(PictureFileError) in
            guard let pixels = rgb.baseAddress else { return [] }
            return try unsafe JPEGCompressor().compress(
                pixels, width: width, height: rgb.count / (width * 3), stride: width * 3, quality: quality,
                chroma: chroma)
        }
    }

    /// The whole, of all bands.
    func join(_ bands: [[UInt8]]) throws(PictureFileError) -> [UInt8] {
        if bands.count == 1 { return bands[0] }
        let first = try JPEGParts(bands[0])
        var joined = Array(bands[0][..<first.scanHeader.lowerBound])
        joined.reserveCapacity(bands.reduce(0) { $0 + $1.count })
        // The height of the whole stands behind the frame header's marker, length and depth.
        joined[first.frameHeader + 5] = UInt8(truncatingIfNeeded: height >> 8)
        joined[first.frameHeader + 6] = UInt8(truncatingIfNeeded: height)
        let blocks = (width + side - 1) / side * (bandHeight / side)
        joined += [0xFF, 0xDD, 0, 4, UInt8(truncatingIfNeeded: blocks >> 8), UInt8(truncatingIfNeeded: blocks)]
        joined += bands[0][first.scanHeader]
        for (index, band) in bands.enumerated() {
            joined += band[try JPEGParts(band).codedPixels]
            if index < bands.count - 1 { joined += [0xFF, 0xD0 + UInt8(index % 8)] }
        }
        return joined + [0xFF, 0xD9]
    }
}
