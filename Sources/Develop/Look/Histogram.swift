internal import Glibc
public import RawImage

/// How much light of each strength a picture holds, by colour, counted in eighths of a stop.
public struct Histogram: Sendable, Hashable, Codable {
    /// Fields of a stop.
    public static let fieldsOfStop = 8
    /// Stops from the first field to behind the last, with 0 for the white of paper.
    public static let stops = -14...4

    /// How many pixels there are.
    public let pixelCount: Int
    /// For red, green and blue: how many pixels have so much, from the darkest field to the brightest. What is darker or
    /// brighter than all fields counts in the first or the last.
    public let counts: [[Int]]
    /// For red, green and blue: how many pixels have more than the white of paper.
    public let overWhite: [Int]
    /// For red, green and blue: how many pixels have nothing, or less than nothing.
    public let underBlack: [Int]
    /// The means of red, green and blue.
    public let means: [Double]

    /// The stop that a field starts at.
    public static func stop(of field: Int) -> Double {
        Double(stops.lowerBound) + Double(field) / Double(fieldsOfStop)
    }

    /// How many fields there are.
    public static var fieldCount: Int { (stops.upperBound - stops.lowerBound) * fieldsOfStop }

    /// Counts a picture in linear halves; throws when it is none.
    public init(of picture: Picture) throws(DevelopError) {
        guard picture.color.transfer == .linear, case .halves(let values) = picture.samples else {
            throw DevelopError(.badPicture, "a histogram is of linear light in half floats: render the picture so")
        }
        var counts = [[Int]](repeating: [Int](repeating: 0, count: Self.fieldCount), count: Picture.channels)
        var (over, under) = ([0, 0, 0], [0, 0, 0])
        var sums = [0.0, 0.0, 0.0]
        // There are no more half floats than these: each needs its field but once.
        let fields = (UInt16.min...UInt16.max).map { Self.field(of: Float16(bitPattern: $0)) }
        for (index, value) in values.enumerated() {
            let channel = index % Picture.channels
            counts[channel][fields[Int(value.bitPattern)]] += 1
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

    private static func field(of light: Float16) -> Int {
        guard light > 0 else { return 0 }
        guard light.isFinite else { return fieldCount - 1 }
        let place = (log2(Double(light)) - Double(stops.lowerBound)) * Double(fieldsOfStop)
        return min(max(Int(place.rounded(.down)), 0), fieldCount - 1)
    }
}
