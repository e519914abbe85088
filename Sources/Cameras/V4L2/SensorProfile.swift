internal import Errors
internal import GStreamer
package import RawImage

/// What the data sheet of a sensor says and no driver states, read from a small text:
///
/// ```
/// [imx219]
/// make = Sony
/// gain = 256/(256-code)
/// black-level = 64 of 10 bits
/// exposure-delay = 2
/// ```
///
/// | key | value |
/// |---|---|
/// | `make`, `model` | the names for the files |
/// | `gain` | `code/16`, `256/(256-code)`, `0.3 dB` a code, or `a b c d` for (a·code + b) / (c·code + d) |
/// | `black-level`, `white-level` | a code, `64 of 10 bits`; for several gains `64@1 68@8 of 10 bits` |
/// | `exposure-delay`, `gain-delay` | the frames after which a new value shows |
/// | `exposure-margin` | the lines by which the exposure is shorter than the frame |
/// | `base-iso` | the ISO number of gain 1; 100 without it |
/// | `color-matrix-a`, `color-matrix-d65` | nine numbers: from CIE XYZ to the camera's colours under these lights |
/// | `noise` | shot and read variance at gain 1, as in DNG's NoiseProfile |
package struct SensorProfile: Sendable, Hashable {
    /// A code, as a share of the largest one.
    package struct Level: Sendable, Hashable {
        /// The shares by the gains from which they hold, in ascending order.
        var shares: [(gain: Double, share: Double)]

        /// Returns the code at a gain, for codes of a number of bits.
        package func code(gain: Double, bitDepth: Int) -> Double {
            let share = (shares.last { $0.gain <= gain } ?? shares.first)?.share ?? 0
            return share * Double(1 << bitDepth)
        }

        package static func == (one: Level, other: Level) -> Bool {
            one.shares.elementsEqual(other.shares) { $0 == $1 }
        }

        package func hash(into hasher: inout Hasher) { for item in shares { hasher.combine(item.share) } }
    }

    /// The sensor's name, such as `imx219`.
    package var name: String
    package var make = ""
    package var model = ""
    package var gain: GainModel?
    package var blackLevel: Level?
    package var whiteLevel: Level?
    package var exposureDelay: Int?
    package var gainDelay: Int?
    package var exposureMargin: Int?
    package var baseISO = 100.0
    package var calibrations: [ColorCalibration] = []
    package var noise: NoiseProfile?

    private static let keys = [
        "make", "model", "gain", "black-level", "white-level", "exposure-delay", "gain-delay", "exposure-margin",
        "base-iso", "color-matrix-a", "color-matrix-d65", "noise",
    ]

    /// Reads the profile of a group of a text. Throws for an unknown key or a value that cannot be understood.
    init(_ group: KeyFile.Group, place: String) throws(GscapError) {
        name = group.name
        let values = group.values
        func fail(_ key: String, _ expected: String) -> GscapError {
            GscapError(.malformed, "[\(group.name)] \(key) = \(values[key] ?? ""): \(expected)", place: place)
        }
        func numbers(_ key: String, _ count: Int) throws(GscapError) -> [Double]? {
            guard let text = values[key] else { return nil }
            let numbers = text.split(separator: " ").compactMap { Double($0) }
            guard numbers.count == count, numbers.allSatisfy(\.isFinite) else {
                throw fail(key, count == 1 ? "state a number" : "state \(count) numbers")
            }
            return numbers
        }
        func count(_ key: String) throws(GscapError) -> Int? {
            guard let number = try numbers(key, 1)?.first else { return nil }
            guard let whole = Int(exactly: number), (0...1000).contains(whole) else {
                throw fail(key, "state a whole number from 0 to 1000")
            }
            return whole
        }
        if let unknown = values.keys.sorted().first(where: { !Self.keys.contains($0) }) {
            throw fail(unknown, "there is no such key; the keys are " + Self.keys.joined(separator: ", "))
        }
        make = values["make"] ?? ""
        model = values["model"] ?? ""
        if let text = values["gain"] {
            gain = GainModel(text)
            if gain == nil { throw fail("gain", "write code/16, 256/(256-code), 0.3 dB or four numbers") }
        }
        for (key, path) in [("black-level", \SensorProfile.blackLevel), ("white-level", \SensorProfile.whiteLevel)] {
            guard let text = values[key] else { continue }
            guard let level = Level(text) else { throw fail(key, "write a code such as 64 of 10 bits") }
            self[keyPath: path] = level
        }
        (exposureDelay, gainDelay) = (try count("exposure-delay"), try count("gain-delay"))
        exposureMargin = try count("exposure-margin")
        if let iso = try numbers("base-iso", 1)?.first {
            guard iso > 0 else { throw fail("base-iso", "state a number above 0") }
            baseISO = iso
        }
        for (key, light) in [("color-matrix-a", Illuminant.standardA), ("color-matrix-d65", .d65)] {
            guard let matrix = try numbers(key, 9).flatMap(Matrix3.init) else { continue }
            calibrations.append(ColorCalibration(illuminant: light, colorMatrix: matrix))
        }
        if let numbers = try numbers("noise", 2) { noise = NoiseProfile(shot: numbers[0], read: numbers[1]) }
    }
}

extension SensorProfile.Level {
    /// Reads `64 of 10 bits` or `64@1 68@8 of 10 bits`; nil for other text.
    fileprivate init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count >= 4, words.last == "bits", words[words.count - 3] == "of",
            let bits = Int(words[words.count - 2]), (1...16).contains(bits)
        else { return nil }
        shares = []
        for word in words.dropLast(3) {
            let parts = word.split(separator: "@")
            guard let code = parts.first.flatMap({ Double($0) }), code >= 0, code < Double(1 << bits),
                let gain = parts.count == 2 ? Double(parts[1]) : 1, gain.isFinite
            else { return nil }
            shares.append((gain, code / Double(1 << bits)))
        }
        shares.sort { $0.gain < $1.gain }
    }
}
