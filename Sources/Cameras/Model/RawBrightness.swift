package import RawImage

/// How bright a raw frame in the driver's memory is, by a few thousand of its codes: the signals above black, as shares
/// of the range, that certain parts of the codes do not exceed. Where a part is clipped or dark, another may not be.
package struct RawBrightness: Sendable, Hashable {
    /// The signals, in ascending order.
    package var levels: [Double]

    /// The parts of the codes.
    private static let parts = [0.15, 0.35, 0.55, 0.75, 0.92]
    /// The number of levels.
    static let count = parts.count
    /// The signals between which a level is proportional to the exposure: above noise and an imprecise black level, and
    /// below white.
    static let proportional = 0.004...0.9

    private static let rows = 48
    private static let columns = 64
    private static let bins = 2048

    /// Creates the levels of a flat frame.
    package init(flat signal: Double) { levels = [Double](repeating: signal, count: Self.count) }

    /// Measures a frame; nil if its bytes are too few.
    package init?(
        _ bytes: RawSpan, _ codes: BayerDialect.CodeFormat, width: Int, height: Int, stride: Int, black: Double
    ) {
        let largest = Double(1 << codes.bitDepth)
        var histogram = [Int](repeating: 0, count: Self.bins)
        var count = 0
        let (down, right) = (max(1, height / Self.rows), max(1, width / Self.columns))
        for row in Swift.stride(from: 0, to: height, by: down) {
            // Every second sampled row and column is odd, so that all colours count.
            let line = (row & ~1) + (row / down) % 2
            for column in Swift.stride(from: 0, to: width, by: right) {
                let place = (column & ~1) + (column / right / 2) % 2
                guard place < width, line < height,
                    let code = Self.code(bytes, codes, at: line * stride, column: place)
                else { continue }
                let signal = (code - black) / (largest - black)
                // Fine steps near black: the bins are those of the square root.
                histogram[Int((min(max(signal, 0), 1).squareRoot() * Double(Self.bins - 1)).rounded())] += 1
                count += 1
            }
        }
        guard count > 0 else { return nil }
        levels = []
        var (bin, sum) = (0, histogram[0])
        for part in Self.parts {
            while bin < Self.bins - 1, Double(sum) < part * Double(count) {
                bin += 1
                sum += histogram[bin]
            }
            let root = Double(bin) / Double(Self.bins - 1)
            levels.append(root * root)
        }
    }

    /// Returns a code; of packed ones the upper eight bits.
    private static func code(
        _ bytes: RawSpan, _ codes: BayerDialect.CodeFormat, at row: Int, column: Int
    ) -> Double? {
        func byte(_ offset: Int) -> Int? {
            guard row + offset < bytes.byteCount else { return nil }
            // Safe: the guard has compared the offset with the length.
            return Int(unsafe bytes.unsafeLoad(fromByteOffset: row + offset, as: UInt8.self))
        }
        let upper = Double(1 << max(0, codes.bitDepth - 8))
        switch codes.layout {
        case .bytes: return byte(column).map(Double.init)
        case .littleEndian:
            guard let low = byte(2 * column), let high = byte(2 * column + 1) else { return nil }
            return Double(high << 8 | low)
        case .bigEndian:
            guard let high = byte(2 * column), let low = byte(2 * column + 1) else { return nil }
            return Double(high << 8 | low)
        case .mipi10: return byte(column / 4 * 5 + column % 4).map { Double($0) * upper }
        case .mipi12: return byte(column / 2 * 3 + column % 2).map { Double($0) * upper }
        case .mipi14: return byte(column / 4 * 7 + column % 4).map { Double($0) * upper }
        // Drivers of the kernel have none of GenICam's packings.
        default: return nil
        }
    }
}
