internal import Glibc
internal import PhotoMetadata
internal import PictureCodecs
internal import RawImage
internal import Synchronization

/// Collects the pixels of a thumbnail while a picture is encoded: the mean of up to 4×4 pixels, evenly spaced, in each
/// pixel's area. That reads few rows, so it costs next to nothing.
///
/// *Thread-safe*: bands of rows may be added at the same time.
final class ThumbnailSampler: Sendable {
    private let width: Int
    private let height: Int
    private let color: PictureColor
    /// The columns of the picture that are sampled, by the thumbnail's column.
    private let columns: [[Int]]
    /// The rows of the picture that are sampled, ascending, with the thumbnail's row.
    private let rows: [(source: Int, target: Int)]
    private let sums: Mutex<[Float]>

    /// The longest side, in pixels, as Exif's readers expect.
    private static let longestSide = 160
    private static let samples = 4

    /// Plans the thumbnail of a picture; nil if the picture is no larger than a thumbnail.
    init?(width: Int, height: Int, color: PictureColor) {
        let longest = max(width, height)
        guard longest > Self.longestSide else { return nil }
        func side(_ side: Int) -> Int { max(1, (side * Self.longestSide + longest / 2) / longest) }
        (self.width, self.height, self.color) = (side(width), side(height), color)
        columns = Self.samples(of: width, for: self.width)
        rows = Self.samples(of: height, for: self.height).enumerated().flatMap { target, sources in
            sources.map { ($0, target) }
        }
        sums = Mutex([Float](repeating: 0, count: self.width * self.height * 4))
    }

    /// Returns, for each of `count` equal parts of `length`, up to four evenly spaced indices in it.
    private static func samples(of length: Int, for count: Int) -> [[Int]] {
        (0..<count).map { part in
            let range = part * length / count..<(part + 1) * length / count
            let step = max(1, range.count / samples)
            return stride(from: range.lowerBound + step / 2, to: range.upperBound, by: step).prefix(samples).map(\.self)
        }
    }

    /// Adds the sampled ones of the rows that `pixels` contains, in the memory layout `layout`.
    func add(_ pixels: Span<UInt8>, _ layout: PixelLayout, rows range: Range<Int>) {
        let (red, green, blue) = layout.order.offsets
        for (source, target) in rows where range.contains(source) {
            let start = (source - range.lowerBound) * layout.stride
            add(to: target) { column in
                let pixel = start + column * layout.order.count
                return SIMD3(Float(pixels[pixel + red]), Float(pixels[pixel + green]), Float(pixels[pixel + blue]))
                    / 255
            }
        }
    }

    /// Adds the sampled rows of a picture in memory.
    func add(_ picture: Picture) {
        for (source, target) in rows {
            let values = picture.floats(source..<source + 1)
            add(to: target) { SIMD3(values[$0 * 3], values[$0 * 3 + 1], values[$0 * 3 + 2]) }
        }
    }

    private func add(to row: Int, _ pixel: (Int) -> SIMD3<Float>) {
        var line = [Float](repeating: 0, count: width * 4)
        for (column, sources) in columns.enumerated() {
            var sum = SIMD3<Float>()
            for source in sources { sum += pixel(source) }
            (line[column * 4], line[column * 4 + 1], line[column * 4 + 2]) = (sum.x, sum.y, sum.z)
            line[column * 4 + 3] = Float(sources.count)
        }
        sums.withLock { sums in
            for index in line.indices { sums[row * line.count + index] += line[index] }
        }
    }

    /// Returns the thumbnail as a JPEG, for Exif.
    func jpeg() throws(GscapError) -> ExifThumbnail {
        let bytes = rgb
        let jpeg = try JPEGBands.compress(rgb: bytes, width: width, height: height, quality: 80)
        return ExifThumbnail(width: width, height: height, .jpeg(jpeg))
    }

    /// Returns the thumbnail as red, green and blue bytes, for TIFF.
    var uncompressed: ExifThumbnail { ExifThumbnail(width: width, height: height, .rgb(rgb)) }

    /// The pixels in sRGB. HDR pictures are tone-mapped as their ICC profile does for readers of SDR.
    private var rgb: [UInt8] {
        let matrix = color.primaries.matrix(to: .sRGB)
        let transfer = color.transfer
        let isHDR = transfer == .pq || transfer == .hlg
        return sums.withLock { sums in
            stride(from: 0, to: sums.count, by: 4).flatMap { at -> [UInt8] in
                let encoded =
                    SIMD3(Double(sums[at]), Double(sums[at + 1]), Double(sums[at + 2]))
                    / max(1, Double(sums[at + 3]))
                if color == .sRGB { return (0..<3).map { Self.byte(encoded[$0]) } }
                var light = SIMD3<Double>()
                for plane in 0..<3 {
                    let value = transfer.linearValue(encoded[plane])
                    light[plane] = isHDR ? ICCProfile.toneMapped(value, peak: transfer.peak) : value
                }
                let shown = matrix * light
                return (0..<3).map { Self.byte(Self.encoded(shown[$0])) }
            }
        }
    }

    /// Converts a linear value to sRGB's encoded value, clipped to 0…1.
    private static func encoded(_ linear: Double) -> Double {
        let light = max(0, min(1, linear))
        return light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    private static func byte(_ value: Double) -> UInt8 { UInt8((max(0, min(1, value)) * 255).rounded()) }
}
