internal import Kernels
internal import RawImage

/// Memory that a video codec takes a picture from: a plane of brightness and two of colour, in codes of 8 bits, or of more
/// bits in two bytes each.
@safe struct VideoPlanes: @unchecked Sendable {
    // Sendable: each row is written by one thread, and the owner of the memory waits for all.

    /// A plane and the bytes from a row to the next.
    typealias Plane = (base: UnsafeMutablePointer<UInt8>, stride: Int)

    private let luma: Plane
    private let blueness: Plane?
    private let redness: Plane?
    private let bits: Int
    /// Whether colour is as fine as brightness, and not half as wide and high.
    private let isColorFull: Bool

    init(luma: Plane, blueness: Plane?, redness: Plane?, bits: Int, isColorFull: Bool) {
        (unsafe self.luma, unsafe self.blueness, unsafe self.redness) = unsafe (luma, blueness, redness)
        (self.bits, self.isColorFull) = (bits, isColorFull)
    }

    /// Writes a grey picture.
    func fill(grey codes: [UInt16], width: Int) {
        for row in 0..<codes.count / width {
            unsafe store(Array(codes[row * width..<(row + 1) * width]), in: luma, row: row)
        }
    }

    /// Writes a picture, on all cores. All codes of the bits are used.
    func fill(_ picture: Picture) {
        concurrentBands(rows: picture.height, of: 64) { rows in
            let pixels = picture.codes(rows, maximum: maximum)
            let step = isColorFull ? 1 : 2
            var lines = Array(repeating: Line(width: picture.width), count: step)
            for row in stride(from: 0, to: rows.count, by: step) {
                for line in 0..<step {
                    // A last row without another is taken twice.
                    let from = min(row + line, rows.count - 1) * picture.rowCount
                    lines[line].split(pixels, from: from, picture.color)
                    guard row + line < rows.count else { continue }
                    unsafe store(lines[line].luma, in: luma, row: rows.lowerBound + row + line)
                }
                let place = (rows.lowerBound + row) / step
                if let plane = unsafe blueness {
                    unsafe store(colors(lines.map(\.blueness), width: picture.width), in: plane, row: place)
                }
                if let plane = unsafe redness {
                    unsafe store(colors(lines.map(\.redness), width: picture.width), in: plane, row: place)
                }
            }
        }
    }

    private var maximum: Int { (1 << bits) - 1 }

    /// A row of colour codes, of one row of pixels or of two.
    private func colors(_ lines: [[Float]], width: Int) -> [UInt16] {
        let (middle, most) = (Float(1 << (bits - 1)), Float(maximum))
        var codes = [UInt16](repeating: 0, count: isColorFull ? width : (width + 1) / 2)
        if isColorFull {
            unsafe storeColor(lines[0], count: codes.count, middle: middle, maximum: most, into: &codes)
        } else {
            unsafe storeHalvedColor(
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

/// A row of pixels as brightness and two colours.
private struct Line {
    private let width: Int
    var luma: [UInt16]
    var blueness: [Float]
    var redness: [Float]

    init(width: Int) {
        self.width = width
        luma = [UInt16](repeating: 0, count: width)
        blueness = [Float](repeating: 0, count: width + width % 2)
        redness = blueness
    }

    /// Takes a row of codes. A last column without another is taken twice.
    mutating func split(_ pixels: [UInt16], from start: Int, _ color: PictureColor) {
        let shares = color.lumaShares
        unsafe pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            unsafe splitColor(
                base + start, count: width, red: shares.red, blue: shares.blue, luma: &luma, blueness: &blueness,
                redness: &redness)
        }
        if blueness.count > width { (blueness[width], redness[width]) = (blueness[width - 1], redness[width - 1]) }
    }
}

extension PictureColor {
    /// The number of the matrix in H.273, and the shares of red and blue in brightness: BT.2020's for its primaries, and for all
    /// else those of BT.601, which readers take that look for no matrix.
    var lumaShares: (code: UInt16, red: Float, blue: Float) {
        primaries == .rec2020 ? (9, 0.2627, 0.0593) : (6, 0.299, 0.114)
    }
}
