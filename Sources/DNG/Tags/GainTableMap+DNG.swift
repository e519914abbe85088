internal import RawImage

extension GainTableMap {
    /// Decodes a ProfileGainTableMap value, or with `isSecond` a ProfileGainTableMap2 value.
    init(dng bytes: [UInt8], isSecond: Bool, isBigEndian: Bool) throws(GscapError) {
        var reader = ByteReader(bytes, isBigEndian: isBigEndian)
        let (rows, columns) = (Int(try reader.uint32()), Int(try reader.uint32()))
        let spacing = RelativePoint(down: try reader.float64(), across: try reader.float64())
        let origin = RelativePoint(down: try reader.float64(), across: try reader.float64())
        let tableLength = Int(try reader.uint32())
        var weights: [Float] = []
        for _ in 0..<5 { weights.append(try reader.float32()) }
        var coding = GainCoding.float32
        var gamma: Float = 1
        if isSecond {
            (coding, gamma) = try Self.coding(&reader)
        }
        let sides = 1...65_536
        guard sides.contains(rows), sides.contains(columns), sides.contains(tableLength),
            rows * columns * tableLength <= Self.maximumGainCount,
            rows * columns * tableLength * coding.size <= reader.remaining
        else {
            throw GscapError(
                .malformed, "\(reader.remaining) bytes cannot hold \(rows)×\(columns) tables of \(tableLength) gains")
        }
        var gains: [Float] = []
        gains.reserveCapacity(rows * columns * tableLength)
        for _ in 0..<rows * columns * tableLength { gains.append(try coding.gain(&reader)) }
        do {
            try self.init(
                rows: rows, columns: columns, tableLength: tableLength, weights: weights, gains: gains, gamma: gamma,
                spacing: spacing, origin: origin)
        } catch {
            throw GscapError(.malformed, error.message, cause: error)
        }
    }

    /// Decodes the additional header of ProfileGainTableMap2: data type, gamma and gain range.
    private static func coding(_ reader: inout ByteReader) throws(GscapError) -> (GainCoding, gamma: Float) {
        let type = try reader.uint32()
        let gamma = try reader.float32()
        let (low, high) = (try reader.float32(), try reader.float32())
        guard low >= 1.0 / 4096, high <= 4096, low <= high else {
            throw GscapError(.malformed, "the gain range \(low) to \(high) is not within 1/4096 to 4096")
        }
        switch type {
        case 0: return (.bytes(low, high), gamma)
        case 1: return (.shorts(low, high), gamma)
        case 2: return (.float16, gamma)
        case 3: return (.float32, gamma)
        default: throw GscapError(.malformed, "the gains are of type \(type), which is not one of 0 to 3")
        }
    }
}

/// The data type in which a file stores gains.
private enum GainCoding {
    /// 8-bit integers that map linearly to a range of gains.
    case bytes(Float, Float)
    /// 16-bit integers that map linearly to a range of gains.
    case shorts(Float, Float)
    case float16, float32

    var size: Int {
        switch self {
        case .bytes: 1
        case .shorts, .float16: 2
        case .float32: 4
        }
    }

    func gain(_ reader: inout ByteReader) throws(GscapError) -> Float {
        switch self {
        case .bytes(let low, let high): low + (high - low) * Float(try reader.uint8()) / 255
        case .shorts(let low, let high): low + (high - low) * Float(try reader.uint16()) / 65_535
        case .float16: try reader.float16()
        case .float32: try reader.float32()
        }
    }
}
