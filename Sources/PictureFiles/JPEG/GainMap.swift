internal import Glibc
internal import Kernels
internal import RawImage

/// How much brighter an HDR picture is than the plain one, as a picture of half the size: screens that can show more light
/// multiply the plain picture with it (ISO 21496-1).
struct GainMap {
    /// Pixels in a row.
    let width: Int
    /// Rows.
    let height: Int
    /// Gains of red, green and blue: 0 is `least`, 255 `most`.
    let bytes: [UInt8]
    /// The least gain, in doublings of light.
    let least: Double
    /// The greatest gain, in doublings of light.
    let most: Double

    /// What is added to both lights, lest black's gain be infinite.
    static let offset = 1.0 / 64

    /// The light that a screen must have to show all, in doublings of that of paper.
    var headroom: Double { max(most, 0.01) }

    /// Gains beyond these mean nothing on any screen.
    private static let bounds = -8.0...8.0

    /// The map that makes one picture the other.
    init(from base: Picture, to hdr: Picture) throws(PictureFileError) {
        guard hdr.width == base.width, hdr.height == base.height else {
            throw PictureFileError(
                .badPicture,
                "the HDR picture is of \(hdr.width)×\(hdr.height) pixels, the plain one of \(base.width)×\(base.height)"
            )
        }
        guard hdr.color.transfer == .linear else {
            throw PictureFileError(
                .unsupported, "a gain map is made of an HDR picture in linear light, and it is \(hdr.color.name)")
        }
        (width, height) = ((base.width + 1) / 2, (base.height + 1) / 2)
        let rows = GainRows(base: base, hdr: hdr, width: width)
        let bands = codedBands(rows: height, of: 64) { rows.gains($0) }
        let sizes = bands.map { Self.extent($0) }
        let least = sizes.map(\.least).min() ?? 0
        let most = max(least, sizes.map(\.most).max() ?? 0)
        let scale = most > least ? Float(255 / (most - least)) : 0
        bytes = bands.flatMap { gains in
            var bytes = [UInt8](repeating: 0, count: gains.count)
            unsafe storeGains(
                gains, count: gains.count / 3, least: SIMD3(repeating: Float(least)), scale: SIMD3(repeating: scale),
                into: &bytes)
            return bytes
        }
        (self.least, self.most) = (least, most)
    }

    private static func extent(_ gains: [Float]) -> (least: Double, most: Double) {
        var (least, most) = (Float.infinity, -Float.infinity)
        for gain in gains { (least, most) = (min(least, gain), max(most, gain)) }
        func held(_ gain: Float) -> Double { max(bounds.lowerBound, min(bounds.upperBound, Double(gain))) }
        return (held(least), held(most))
    }
}

/// Makes rows of gains.
private struct GainRows {
    let base: Picture
    let hdr: Picture
    let width: Int
    /// Light of the plain picture's bytes.
    let light: [Float]
    /// The HDR picture's colours in the plain one's primaries.
    let matrix: Matrix3

    init(base: Picture, hdr: Picture, width: Int) {
        (self.base, self.hdr, self.width) = (base, hdr, width)
        light = (0...255).map { Float(base.color.transfer.light(Double($0) / 255)) }
        matrix = hdr.color.primaries.matrix(to: base.color.primaries)
    }

    /// The gains of some rows of the map, in doublings.
    func gains(_ rows: Range<Int>) -> [Float] {
        let reach = rows.lowerBound * 2..<min(base.height, rows.upperBound * 2)
        var bright = hdr.floats(reach)
        let mix = matrix.rows
        unsafe mixLight(
            &bright, count: bright.count / 3, red: SIMD3<Float>(mix.0), green: SIMD3<Float>(mix.1),
            blue: SIMD3<Float>(mix.2))
        var gains = halved(bright)
        let plain = halved(base.bytes(reach).map { light[Int($0)] })
        unsafe doublings(from: plain, to: &gains, offset: Float(GainMap.offset), count: gains.count)
        return gains
    }

    /// The means of two by two pixels. A last column or row that has no other is taken twice.
    private func halved(_ pixels: [Float]) -> [Float] {
        let rowCount = base.rowCount
        let rows = pixels.count / rowCount
        var result = [Float](repeating: 0, count: (rows + 1) / 2 * width * 3)
        for row in stride(from: 0, to: rows, by: 2) {
            let first = even(pixels[row * rowCount..<(row + 1) * rowCount])
            let below = min(row + 1, rows - 1)
            let second = even(pixels[below * rowCount..<(below + 1) * rowCount])
            unsafe result.withUnsafeMutableBufferPointer { result in
                guard let start = result.baseAddress else { return }
                unsafe addSquares(first, second, count: width, into: start + row / 2 * width * 3)
            }
        }
        return result
    }

    private func even(_ row: ArraySlice<Float>) -> [Float] {
        base.width % 2 == 0 ? Array(row) : Array(row + row.suffix(3))
    }
}
