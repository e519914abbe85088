internal import RawImage

/// A curve that stores a wide range in few codes: it steps through the picture's noise in equal parts, so that dark
/// places keep fine steps and bright ones, whose noise is larger, get coarse ones.
///
/// A file states its way back as LinearizationTable.
struct CompandingCurve: Sendable {
    /// The value that each code stands for.
    let values: [UInt16]
    /// The code of each value, 0…65535.
    let codes: [UInt16]

    /// The darkest step is at most this share of the range: 14 stops.
    private static let darkestStep = 1.0 / 16_384

    /// A curve of `2^bits` codes from 0 to `white` for a picture of this noise; `black` is its code of no light. nil when
    /// there are codes enough for all values.
    init?(bits: Int, black: Double, white: Int, noise: NoiseProfile?) {
        let count = 1 << bits
        guard (8...15).contains(bits), count <= white else { return nil }
        let range = max(Double(white) - black, 1)
        let deviation = Self.deviation(noise, range: range)
        // Counts steps of the noise's size up to each value; the sum of a million parts would lose the last ones.
        var position = [Double](repeating: 0, count: white + 1)
        for value in 1...white {
            position[value] = position[value - 1] + 1 / deviation(max(Double(value) - 0.5 - black, 0))
        }
        // Neighbouring codes must stand for different values: where there are more codes than values, one each.
        let scale = Double(count - 1) / position[white]
        var values = [UInt16](repeating: 0, count: count)
        var value = 0
        for code in 1..<count {
            let target = Double(code) / scale
            while value < white, position[value] < target { value += 1 }
            let nearest =
                value > 0 && target - position[value - 1] < position[value] - target ? value - 1 : value
            let least = Int(values[code - 1]) + 1
            // Codes still to come need values of their own too.
            values[code] = UInt16(min(max(nearest, least), white - (count - 1 - code)))
        }
        self.values = values
        codes = Self.inverse(values)
    }

    /// The noise's standard deviation at a signal, in codes, but nowhere less even than 14 stops need.
    private static func deviation(_ noise: NoiseProfile?, range: Double) -> (Double) -> Double {
        let isKnown = noise.map { $0.shot.isFinite && $0.shot > 0 && $0.read.isFinite && $0.read >= 0 } ?? false
        let shot = isKnown ? (noise?.shot ?? 1) : 1e-4
        // With c codes the darkest step is √(read/shot)·2/c of the range at most.
        let read = min(isKnown ? (noise?.read ?? 0) : 0, shot / 64)
        return { signal in (shot * signal / range + read + shot * darkestStep / 8).squareRoot() * range }
    }

    /// The code whose value is nearest to each value.
    private static func inverse(_ values: [UInt16]) -> [UInt16] {
        var codes = [UInt16](repeating: UInt16(values.count - 1), count: 65_536)
        var start = 0
        for code in 0..<values.count - 1 {
            let border = (Int(values[code]) + Int(values[code + 1]) + 1) / 2
            for value in start..<border { codes[value] = UInt16(code) }
            start = border
        }
        return codes
    }
}
