internal import Kernels
internal import RawImage

/// The YCbCr planes of a video codec's image: luma and two chroma planes, with samples of 8 bits, or of more bits in
/// two bytes each.
@safe struct VideoPlanes: @unchecked Sendable {
    // Sendable: each row is written by one thread, and the owner of the memory waits for all.

    /// The first byte of a plane, and the distance between its rows in bytes.
    typealias Plane = (base: UnsafeMutablePointer<UInt8>, stride: Int)

    private let luma: Plane
    private let cb: Plane?
    private let cr: Plane?
    private let bits: Int
    /// Whether chroma has full resolution (4:4:4), not half the width and height (4:2:0).
    private let hasFullChroma: Bool

    init(luma: Plane, cb: Plane?, cr: Plane?, bits: Int, hasFullChroma: Bool) {
        (unsafe self.luma, unsafe self.cb, unsafe self.cr) = unsafe (luma, cb, cr)
        (self.bits, self.hasFullChroma) = (bits, hasFullChroma)
    }

    /// Stores a grey picture's codes, row by row, in the luma plane.
    func fill(grey codes: [UInt16], width: Int) {
        for row in 0..<codes.count / width {
            unsafe store(Array(codes[row * width..<(row + 1) * width]), in: luma, row: row)
        }
    }

    /// Converts a picture to full-range YCbCr and stores it in the planes, on all cores.
    func fill(_ picture: Picture) {
        concurrentBands(rows: picture.height, of: 64) { rows in
            let pixels = picture.codes(rows, maximum: maximum)
            let step = hasFullChroma ? 1 : 2
            var lines = Array(repeating: Line(width: picture.width), count: step)
            for row in stride(from: 0, to: rows.count, by: step) {
                for line in 0..<step {
                    // 4:2:0 averages pairs of rows, so an odd last row is repeated.
                    let from = min(row + line, rows.count - 1) * picture.rowCount
                    lines[line].split(pixels, from: from, picture.color)
                    guard row + line < rows.count else { continue }
                    unsafe store(lines[line].luma, in: luma, row: rows.lowerBound + row + line)
                }
                let chromaRow = (rows.lowerBound + row) / step
                if let plane = unsafe cb {
                    unsafe store(colors(lines.map(\.cb), width: picture.width), in: plane, row: chromaRow)
                }
                if let plane = unsafe cr {
                    unsafe store(colors(lines.map(\.cr), width: picture.width), in: plane, row: chromaRow)
                }
            }
        }
    }

    private var maximum: Int { (1 << bits) - 1 }

    /// Returns a row of chroma samples, from one row of pixels (4:4:4) or two (4:2:0).
    private func colors(_ lines: [[Float]], width: Int) -> [UInt16] {
        let (middle, most) = (Float(1 << (bits - 1)), Float(maximum))
        var codes = [UInt16](repeating: 0, count: hasFullChroma ? width : (width + 1) / 2)
        if hasFullChroma {
            unsafe storeChroma(lines[0], count: codes.count, middle: middle, maximum: most, into: &codes)
        } else {
            unsafe storeSubsampledChroma(
                lines[0], lines[1], count: codes.count, middle: middle, maximum: most, into: &codes)
        }
        return codes
    }

    private func store(_ codes: [UInt16], in plane: Plane, row: Int) {
        let target = unsafe plane.base + row * plane.stride
        if bits == 8 {
            unsafe lowBytes(codes, count: codes.count, into: target)
        } else {
            unsafe codes.withUnsafeBytes { source in
                unsafe UnsafeMutableRawBufferPointer(start: target, count: source.count).copyMemory(from: source)
            }
        }
    }
}

/// A row of pixels separated into luma and two chroma components.
private struct Line {
    private let width: Int
    var luma: [UInt16]
    var cb: [Float]
    var cr: [Float]

    init(width: Int) {
        self.width = width
        luma = [UInt16](repeating: 0, count: width)
        cb = [Float](repeating: 0, count: width + width % 2)
        cr = cb
    }

    /// Converts a row of RGB codes, which begins at index `start`, to luma and chroma. An odd last column of chroma is
    /// repeated.
    mutating func split(_ pixels: [UInt16], from start: Int, _ color: PictureColor) {
        let weights = color.lumaWeights
        unsafe pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            unsafe splitLumaChroma(
                base + start, count: width, red: weights.red, blue: weights.blue, luma: &luma, cb: &cb,
                cr: &cr)
        }
        if cb.count > width { (cb[width], cr[width]) = (cb[width - 1], cr[width - 1]) }
    }
}

extension PictureColor {
    /// The MatrixCoefficients code of H.273, and the luma weights of red and blue: those of BT.2020 for its primaries,
    /// otherwise those of BT.601, which readers that ignore the code assume.
    var lumaWeights: (code: UInt16, red: Float, blue: Float) {
        primaries == .rec2020 ? (9, 0.2627, 0.0593) : (6, 0.299, 0.114)
    }
}
