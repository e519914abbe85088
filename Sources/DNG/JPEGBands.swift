internal import RawImage
internal import Synchronization

/// One JPEG whose bands were made on several cores.
///
/// Each band is a JPEG of its own, whose coded pixels begin afresh. A restart marker says so to the decoder; so the coded pixels
/// of all bands, with such markers between them, behind the head of the first make a JPEG of the whole.
enum JPEGBands {
    /// Rows of a band: a multiple of the 16 of a coded block.
    private static let bandHeight = 128
    private static let side = 16

    /// The JPEG of a picture in memory.
    static func compress(rgb: [UInt8], width: Int, height: Int, quality: Int) throws(DNGError) -> [UInt8] {
        do {
            return try compress(width: width, height: height, quality: quality) { rows, band in
                let start = rows.lowerBound * width * 3
                for index in 0..<rows.count * width * 3 { band[index] = rgb[start + index] }
            }
        } catch {
            throw error as? DNGError ?? DNGError(.container, "\(error)")
        }
    }

    /// The JPEG of a picture that is made band by band: `make` fills a band with red, green and blue of some rows. It is
    /// called on several threads.
    static func compress(
        width: Int, height: Int, quality: Int, _ make: (Range<Int>, inout MutableSpan<UInt8>) throws -> Void
    ) throws -> [UInt8] {
        let count = (height + bandHeight - 1) / bandHeight
        let finished = Mutex(Array(repeating: [UInt8](), count: count))
        let failure = Mutex<(any Error)?>(nil)
        concurrentBands(rows: height, of: bandHeight) { rows in
            do {
                let band = try compress(rows, width: width, quality: quality, make)
                finished.withLock { $0[rows.lowerBound / bandHeight] = band }
            } catch {
                failure.withLock { $0 = error }
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
        let bands = finished.withLock { $0 }
        return count == 1 ? bands[0] : try join(bands, width: width, height: height)
    }

    private static func compress(
        _ rows: Range<Int>, width: Int, quality: Int,
        _ make: (Range<Int>, inout MutableSpan<UInt8>) throws -> Void
    ) throws -> [UInt8] {
        var rgb = [UInt8](repeating: 0, count: rows.count * width * 3)
        var span = rgb.mutableSpan
        try make(rows, &span)
        return try unsafe rgb.withUnsafeBufferPointer { rgb in
            guard let pixels = rgb.baseAddress else { return [] }
            return try unsafe JPEGCompressor().compress(
                pixels, width: width, height: rows.count, stride: width * 3, quality: quality, chroma: .halved)
        }
    }

    private static func join(_ bands: [[UInt8]], width: Int, height: Int) throws(DNGError) -> [UInt8] {
        let first = try Parts(bands[0])
        var joined = Array(bands[0][..<first.scanHeader.lowerBound])
        // The height of the whole stands behind the frame header's marker, length and depth.
        joined[first.frameHeader + 5] = UInt8(truncatingIfNeeded: height >> 8)
        joined[first.frameHeader + 6] = UInt8(truncatingIfNeeded: height)
        let blocks = (width + side - 1) / side * (bandHeight / side)
        joined += [0xFF, 0xDD, 0, 4, UInt8(truncatingIfNeeded: blocks >> 8), UInt8(truncatingIfNeeded: blocks)]
        joined += bands[0][first.scanHeader]
        for (index, band) in bands.enumerated() {
            joined += band[try Parts(band).codedPixels]
            if index < bands.count - 1 { joined += [0xFF, 0xD0 + UInt8(index % 8)] }
        }
        return joined + [0xFF, 0xD9]
    }
}

/// Where the parts of a JPEG with one scan lie.
private struct Parts {
    /// The marker of the frame header.
    let frameHeader: Int
    /// The scan header, with its marker.
    let scanHeader: Range<Int>
    /// The coded pixels, without the marker of the end.
    let codedPixels: Range<Int>

    init(_ bytes: [UInt8]) throws(DNGError) {
        var frameHeader = 0
        var at = 2
        while at + 4 <= bytes.count, bytes[at] == 0xFF {
            let end = at + 2 + Int(bytes[at + 2]) << 8 + Int(bytes[at + 3])
            if bytes[at + 1] == 0xC0 { frameHeader = at }
            if bytes[at + 1] == 0xDA, frameHeader > 0, end <= bytes.count - 2 {
                self.frameHeader = frameHeader
                scanHeader = at..<end
                codedPixels = end..<bytes.count - 2
                return
            }
            at = end
        }
        throw DNGError(.container, "libjpeg-turbo made a JPEG without a scan")
    }
}
