internal import RawImage

/// A noise-adaptive companding curve, which stores linear values in fewer bits: the spacing of codes is proportional
/// to the noise's standard deviation, so shadows keep fine steps and highlights, with more noise, get coarse ones.
///
/// The file carries the inverse as LinearizationTable (tag 50712).
struct CompandingCurve: Sendable {
    /// The linear value of each code, in ascending order: the LinearizationTable.
    let values: [UInt16]
    /// The nearest code of each linear value, indexed by 0…65535.
    let codes: [UInt16]

    /// The darkest step of a 12-bit curve at most, as a fraction of the range from black to white: 14 stops of dynamic
    /// range. With fewer bits the darkest step is larger.
    static let darkestStep = 1.0 / 16_384

    /// Creates a curve of `2^bits` codes for linear values 0 to `white` of a picture with this black level and noise;
    /// nil if `bits` is not in 8…15 or there are enough codes for every value.
    init?(bits: Int, black: Double, white: Int, noise: NoiseProfile?) {
        let count = 1 << bits
        guard (8...15).contains(bits), count <= white else { return nil }
        let position = Self.positions(black: black, white: white, noise: noise)
        // Codes must have distinct values: where a step is smaller than 1, consecutive codes get consecutive values.
        let scale = Double(count - 1) / position[white]
        var values = [UInt16](repeating: 0, count: count)
        var value = 0
        for code in 1..<count {
            let target = Double(code) / scale
            while value < white, position[value] < target { value += 1 }
            let nearest =
                value > 0 && target - position[value - 1] < position[value] - target ? value - 1 : value
            let least = Int(values[code - 1]) + 1
            // Leave at least one distinct value for each remaining code.
            values[code] = UInt16(min(max(nearest, least), white - (count - 1 - code)))
        }
        self.values = values
        codes = Self.inverse(values)
    }

    /// Creates a curve of 65,536 codes for lossy compression of 16-bit samples: neighbouring codes of dark values share
    /// a value, so that compression errors of a constant size are in proportion to the noise.
    init(interpolatedFrom black: Double, to white: Int, noise: NoiseProfile?) {
        let position = Self.positions(black: black, white: white, noise: noise)
        let scale = 65_535 / position[white]
        var values = [UInt16](repeating: 0, count: 65_536)
        var value = 0
        for code in values.indices {
            let target = Double(code) / scale
            while value < white, position[value + 1] - target <= target - position[value] { value += 1 }
            values[code] = UInt16(value)
        }
        self.values = values
        codes = (0..<65_536).map { UInt16((position[min($0, white)] * scale).rounded()) }
    }

    /// Creates the curve for the levels and noise of a picture: with 16 bits that of lossy compression. Nil if there
    /// are enough codes for every value.
    init?(bits: Int, black: [Double], white: Double, _ metadata: FrameMetadata) {
        // All planes share one LinearizationTable; the plane with the least noise needs the finest steps.
        let noise = metadata.hasUsableNoise ? metadata.noise.min { $0.shot < $1.shot } : nil
        let (black, white) = (black.min() ?? 0, Int(min(max(white.rounded(), 255), 65_535)))
        if bits == 16 {
            self.init(interpolatedFrom: black, to: white, noise: noise)
        } else {
            self.init(bits: bits, black: black, white: white, noise: noise)
        }
    }

    /// Returns, for each value 0 to `white`, the number of noise-sized steps from 0 to it.
    private static func positions(black: Double, white: Int, noise: NoiseProfile?) -> [Double] {
        let deviation = deviation(noise, range: max(Double(white) - black, 1))
        var position = [Double](repeating: 0, count: white + 1)
        for value in 1...white {
            position[value] = position[value - 1] + 1 / deviation(max(Double(value) - 0.5 - black, 0))
        }
        return position
    }

    /// Returns a function from a signal (linear value less black) to the noise's standard deviation, both in linear
    /// values. The read noise is limited so that the darkest step of a 12-bit curve is about 1/16,384 of the range (14
    /// stops).
    private static func deviation(_ noise: NoiseProfile?, range: Double) -> (Double) -> Double {
        let isKnown = noise.map { $0.shot.isFinite && $0.shot > 0 && $0.read.isFinite && $0.read >= 0 } ?? false
        let shot = isKnown ? (noise?.shot ?? 1) : 1e-4
        // Variance = shot·x + read for x in 0…1; a curve of c codes then has a darkest step of at most about
        // √(read/shot)·2/c: with read ≤ shot/64, 1/(4·c).
        let read = min(isKnown ? (noise?.read ?? 0) : 0, shot / 64)
        return { signal in (shot * signal / range + read + shot * darkestStep / 8).squareRoot() * range }
    }

    /// Returns, for each linear value 0…65535, the code whose value is nearest.
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
