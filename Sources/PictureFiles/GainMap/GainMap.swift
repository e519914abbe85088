internal import Glibc
internal import Kernels
internal import PictureCodecs
internal import RawImage

/// A gain map of half the width and height: HDR displays multiply the SDR picture by it to show the HDR rendition (ISO
/// 21496-1).
struct GainMap {
    /// The size in pixels of the SDR picture.
    let base: (width: Int, height: Int)
    /// The width of the map in pixels.
    let width: Int
    /// The height of the map in pixels.
    let height: Int
    /// The log2 gains of red, green and blue per pixel: 0 encodes `least`, 255 `most`.
    let bytes: [UInt8]
    /// The least log2 gain in the map, which the byte 0 encodes.
    let least: Double
    /// The greatest log2 gain in the map, which the byte 255 encodes.
    let most: Double

    /// The offset added to SDR and HDR linear values, so that the gain of black is finite.
    static let offset = 1.0 / 64

    /// The log2 of a display's peak luminance relative to diffuse white; displays of at least this ratio apply the gain
    /// map fully.
    var headroom: Double { max(most, 0.01) }

    /// The range to which log2 gains are clamped; gains beyond it have no visible effect.
    private static let bounds = -8.0...8.0

    /// The map as a picture. Its colours have no meaning but the luma weights with which video codecs store it.
    func picture() throws(GscapError) -> Picture {
        return try GscapError.recoding(
            as: .badPicture, try Picture(width: width, height: height, color: .sRGB, samples: .bytes(bytes)))
    }

    /// Computes the map from an SDR picture, stored with `bits` bits per sample, to its HDR rendition.
    init(from base: Picture, bits: Int, to hdr: Picture) throws(GscapError) {
        guard hdr.width == base.width, hdr.height == base.height else {
            throw GscapError(
                .badPicture,
                "the HDR picture has \(hdr.width)×\(hdr.height) pixels, but the SDR one \(base.width)×\(base.height)"
            )
        }
        guard hdr.color.transfer == .linear else {
            throw GscapError(
                .unsupported, "a gain map needs an HDR picture in linear values, but it is \(hdr.color.name)")
        }
        self.base = (base.width, base.height)
        (width, height) = ((base.width + 1) / 2, (base.height + 1) / 2)
        let rows = GainRows(base: base, bits: bits, hdr: hdr, width: width)
        let bands = encodedBands(rows: height, of: 64) { rows.gains($0) }
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
        func clamped(_ gain: Float) -> Double { max(bounds.lowerBound, min(bounds.upperBound, Double(gain))) }
        return (clamped(least), clamped(most))
    }
}

/// Computes rows of a gain map.
private struct GainRows {
    let base: Picture
    let hdr: Picture
    let width: Int
    /// The linear value of each code of the SDR picture.
    let linear: [Float]
    /// The conversion of the HDR picture's colours to the primaries of the SDR picture.
    let matrix: Matrix3

    init(base: Picture, bits: Int, hdr: Picture, width: Int) {
        (self.base, self.hdr, self.width) = (base, hdr, width)
        let most = (1 << bits) - 1
        linear = (0...most).map { Float(base.color.transfer.linearValue(Double($0) / Double(most))) }
        matrix = hdr.color.primaries.matrix(to: base.color.primaries)
    }

    /// Returns the log2 gains of a range of rows of the map: red, green and blue of each pixel.
    func gains(_ rows: Range<Int>) -> [Float] {
        let reach = rows.lowerBound * 2..<min(base.height, rows.upperBound * 2)
        var hdrValues = hdr.floats(reach)
        let mix = matrix.rows
        unsafe convertPrimaries(
            &hdrValues, count: hdrValues.count / 3, red: SIMD3<Float>(mix.0), green: SIMD3<Float>(mix.1),
            blue: SIMD3<Float>(mix.2))
        var gains = halved(hdrValues)
        let sdr = halved(base.codes(reach, maximum: linear.count - 1).map { linear[Int($0)] })
        unsafe doublings(from: sdr, to: &gains, offset: Float(GainMap.offset), count: gains.count)
        return gains
    }

    /// Returns RGB pixels of half the width and height, the means of 2×2 pixels; an odd last column or row is repeated.
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
                unsafe averageBlocksRGB(first, second, count: width, into: start + row / 2 * width * 3)
            }
        }
        return result
    }

    private func even(_ row: ArraySlice<Float>) -> [Float] {
        base.width % 2 == 0 ? Array(row) : Array(row + row.suffix(3))
    }
}
