internal import Glibc
public import RawImage

/// A histogram of a linear picture per channel, in bins of an eighth of a stop.
public struct Histogram: Sendable, Hashable, Codable {
    /// Bins per stop.
    public static let fieldsOfStop = 8
    /// The range of the bins in stops relative to diffuse white: from 2^-14 to 2^4 times diffuse white.
    public static let stops = -14...4

    /// The number of pixels.
    public let pixelCount: Int
    /// For red, green and blue, the number of pixels in each bin, from darkest to brightest. Values beyond the range
    /// count in the first or last bin.
    public let counts: [[Int]]
    /// For red, green and blue, the number of pixels above 1 (diffuse white).
    public let overWhite: [Int]
    /// For red, green and blue, the number of pixels at or below 0.
    public let underBlack: [Int]
    /// The mean linear values of red, green and blue; infinity and NaN count as 0.
    public let means: [Double]

    /// Returns the lower bound of a bin, in stops relative to diffuse white.
    public static func stop(of bin: Int) -> Double {
        Double(stops.lowerBound) + Double(bin) / Double(fieldsOfStop)
    }

    /// The number of bins.
    public static var fieldCount: Int { (stops.upperBound - stops.lowerBound) * fieldsOfStop }

    /// Counts a linear half-float picture; throws for any other format.
    public init(of picture: Picture) throws(GscapError) {
        guard picture.color.transfer == .linear, case .halves(let values) = picture.samples else {
            throw GscapError(
                .badPicture, "a histogram needs linear half floats: render with the linear transfer and half depth")
        }
        var counts = [[Int]](repeating: [Int](repeating: 0, count: Self.fieldCount), count: Picture.channels)
        var (over, under) = ([0, 0, 0], [0, 0, 0])
        var sums = [0.0, 0.0, 0.0]
        // All 65,536 half-float values: the bin of each is computed once.
        let bins = (UInt16.min...UInt16.max).map { Self.bin(of: Float16(bitPattern: $0)) }
        for (index, value) in values.enumerated() {
            let channel = index % Picture.channels
            counts[channel][bins[Int(value.bitPattern)]] += 1
            if value > 1 { over[channel] += 1 }
            if !(value > 0) { under[channel] += 1 }
            sums[channel] += value.isFinite ? Double(value) : 0
        }
        let pixels = picture.width * picture.height
        pixelCount = pixels
        self.counts = counts
        overWhite = over
        underBlack = under
        means = sums.map { $0 / Double(pixels) }
    }

    private static func bin(of linear: Float16) -> Int {
        guard linear > 0 else { return 0 }
        guard linear.isFinite else { return fieldCount - 1 }
        let position = (log2(Double(linear)) - Double(stops.lowerBound)) * Double(fieldsOfStop)
        return min(max(Int(position.rounded(.down)), 0), fieldCount - 1)
    }
}
