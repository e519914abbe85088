/// A slow reference encoder of lossless JPEG, bit by bit from ITU-T T.81, with features that `LosslessJPEGEncoder` does
/// not use: a table for each component, long codes, restart markers, a point transform, other segments, fill bytes.
struct HandmadeLosslessJPEG {
    var width = 5
    var height = 4
    var components = 2
    var precision = 12
    var predictor = 1
    var pointTransform = 0
    /// The restart interval in rows; 0 for none.
    var restartRows = 0
    /// For each component's Huffman table, the number of codes of each length from 1 to 16; their symbols are 0, 1, 2
    /// and so on.
    var counts: [[UInt8]] = [shortCodes, longCodes]
    /// The number of 0xFF fill bytes before each marker.
    var fillBytes = 0

    /// A Huffman table of 17 symbols with codes of 4 and 5 bits, as the number of codes of each length from 1 to 16.
    static let shortCodes: [UInt8] = [0, 0, 0, 14, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    /// A Huffman table with one code of each length from 1 to 15 and two of 16 bits, as the number of codes of each
    /// length.
    static let longCodes: [UInt8] = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2]

    /// Encodes samples to which the point transform has already been applied.
    func bytes(of samples: [UInt16]) -> [UInt8] {
        var bytes = [0xFF, 0xD8] + segment(0xE1, [1, 2, 3]) + segment(0xFE, [])
        for (table, counts) in counts.enumerated() {
            let symbols = (0..<counts.reduce(0) { $0 + Int($1) }).map { UInt8($0) }
            bytes += segment(0xC4, [UInt8(table)] + counts + symbols)
        }
        if restartRows > 0 { bytes += segment(0xDD, word(restartRows * width)) }
        var frame = [UInt8(precision)] + word(height) + word(width) + [UInt8(components)]
        var scan = [UInt8(components)]
        for component in 0..<components {
            frame += [UInt8(component + 7), 0x11, 0]
            scan += [UInt8(component + 7), UInt8(component % counts.count) << 4]
        }
        scan += [UInt8(predictor), 0, UInt8(pointTransform)]
        bytes += segment(0xC3, frame) + segment(0xDA, scan)
        let rows = restartRows > 0 ? restartRows : height
        for (index, start) in stride(from: 0, to: height, by: rows).enumerated() {
            if index > 0 { bytes += marker(0xD0 | UInt8(index - 1) & 7) }
            bytes += entropyCoded(samples, start..<min(height, start + rows))
        }
        return bytes + marker(0xD9)
    }

    private func word(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }

    private func marker(_ code: UInt8) -> [UInt8] { [UInt8](repeating: 255, count: fillBytes + 1) + [code] }

    private func segment(_ code: UInt8, _ content: [UInt8]) -> [UInt8] {
        marker(code) + word(content.count + 2) + content
    }

    /// Encodes the entropy-coded segment of the rows between two restart markers.
    private func entropyCoded(_ samples: [UInt16], _ rows: Range<Int>) -> [UInt8] {
        var bits: [Bool] = []
        func put(_ value: Int, _ count: Int) {
            for bit in stride(from: count - 1, through: 0, by: -1) { bits.append(value >> bit & 1 == 1) }
        }
        for row in rows {
            for index in row * width * components..<(row + 1) * width * components {
                let expected = expected(samples, index, isFirstRow: row == rows.lowerBound)
                let difference = Int(Int16(truncatingIfNeeded: Int(samples[index]) >> pointTransform - expected))
                let category = Int.bitWidth - abs(difference).leadingZeroBitCount
                let (code, length) = code(category, counts[index % components % counts.count])
                put(code, length)
                if category < 16 { put(difference < 0 ? difference - 1 : difference, category) }
            }
        }
        while bits.count % 8 > 0 { bits.append(true) }
        return stride(from: 0, to: bits.count, by: 8).flatMap { start -> [UInt8] in
            let byte = bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
            return byte == 255 ? [255, 0] : [byte]
        }
    }

    private func expected(_ samples: [UInt16], _ index: Int, isFirstRow: Bool) -> Int {
        let column = index % (width * components) / components
        func sample(_ back: Int) -> Int { Int(samples[index - back]) >> pointTransform }
        let row = width * components
        if column == 0 { return isFirstRow ? 1 << (precision - pointTransform - 1) : sample(row) }
        let a = sample(components)
        if isFirstRow { return a }
        let (b, c) = (sample(row), sample(row + components))
        return [a, b, c, a + b - c, a + (b - c) >> 1, b + (a - c) >> 1, (a + b) >> 1][predictor - 1]
    }

    private func code(_ symbol: Int, _ counts: [UInt8]) -> (Int, Int) {
        var (code, firstSymbol) = (0, 0)
        for length in 1...16 {
            let count = Int(counts[length - 1])
            if symbol < firstSymbol + count { return (code + symbol - firstSymbol, length) }
            (code, firstSymbol) = ((code + count) * 2, firstSymbol + count)
        }
        return (0, 0)
    }
}
