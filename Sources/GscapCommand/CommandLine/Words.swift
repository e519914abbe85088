internal import GSCapture
internal import PictureFiles
internal import RawImage

/// The light that `--white` names, when taking as in `develop`.
enum LightChoice {
    case camera, automatic
    case temperature(Double, tint: Double)
    case chromaticity(Double, Double)

    /// The lights with the white points that raw converters usually give them.
    private static let lights: [(name: String, kelvin: Double, tint: Double)] = [
        ("daylight", 5500, 10), ("cloudy", 6500, 10), ("shade", 7500, 10), ("tungsten", 2850, 0),
        ("fluorescent", 3800, 21), ("flash", 5500, 0),
    ]
    static let names = lights.map(\.name)
    /// The lights and their white points for the help.
    static let help =
        lights.map { "\($0.name) (\(Int($0.kelvin))K\($0.tint == 0 ? "" : ",\(Int($0.tint))"))" }
        .joined(separator: ", ") + ", or KELVIN[,TINT]: 5000, 5000K, 5000K,10"

    /// Reads a light. Only a photo that exists (`isDeveloped`) can be the source of `auto`, or have a chromaticity x,y:
    /// two numbers of which the first is below 1.
    init(_ text: String, isDeveloped: Bool) throws(Failure) {
        let word = text.lowercased()
        let light = Self.lights.first { $0.name == word }
        switch word {
        case "camera": self = .camera
        case "auto" where isDeveloped: self = .automatic
        case "auto":
            throw Failure(
                .usage, "--white auto is computed by gscap develop; when taking, name camera or a light: daylight")
        default:
            if let light {
                self = .temperature(light.kelvin, tint: light.tint)
            } else {
                self = try Self.point(text, isDeveloped)
            }
        }
    }

    private static func point(_ text: String, _ isDeveloped: Bool) throws(Failure) -> LightChoice {
        var parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let hasUnit = parts[0].last == "K" || parts[0].last == "k"
        if hasUnit { parts[0].removeLast() }
        let numbers = parts.compactMap { Double($0) }
        guard numbers.count == parts.count, (1...2).contains(parts.count) else {
            let names = (isDeveloped ? ["camera", "auto"] : ["camera"]) + names
            let list = names.joined(separator: ", ") + (isDeveloped ? ", KELVIN[,TINT] or x,y" : " or KELVIN[,TINT]")
            throw Failure(
                .usage, "--white must be \(list), not \"\(text)\"" + Suggestions.advice(text, among: names))
        }
        if isDeveloped, numbers.count == 2, numbers[0] < 1, !hasUnit { return .chromaticity(numbers[0], numbers[1]) }
        let tint = numbers.count == 2 ? numbers[1] : 0
        guard WhiteBalance.temperatures.contains(numbers[0]), WhiteBalance.tints.contains(tint) else {
            throw Failure(
                .usage, "--white \(text): the temperature must be from 1000 to 50000 K, and the tint from -500 to 500")
        }
        return .temperature(numbers[0], tint: tint)
    }
}

/// The words of `--format`, which have several spellings.
enum FormatWords {
    private static let spellings = [("jpg", "jpeg"), ("tif", "tiff"), ("heic", "heif")]

    /// Returns a word, such as "heic" or "heic-pq", in the spelling of the help.
    static func usual(_ word: String) -> String {
        for (other, usual) in spellings where word.hasPrefix(other) && !word.hasPrefix(usual) {
            return usual + word.dropFirst(other.count)
        }
        return word
    }

    /// Returns the word for a format of `gscap develop`.
    static func word(_ format: PictureFormat) -> String { usual(format.rawValue) }
}

/// The colour spaces of `--color`.
enum ColorWords: String, CaseIterable {
    case srgb
    case displayP3 = "display-p3"
    case rec2020

    /// Reads `--color`; nil without it.
    init?(_ options: Options) throws(Failure) {
        guard let text = options.value("--color") else { return nil }
        let word = text.lowercased() == "p3" ? "display-p3" : text.lowercased()
        guard let space = Self(rawValue: word) else {
            throw Suggestions.unknown(text, of: "--color", among: Self.allCases.map(\.rawValue))
        }
        self = space
    }
}

/// An exposure time as photographers write it.
enum ExposureTimeText {
    private static let units = [("ms", 1e-3), ("us", 1e-6), ("µs", 1e-6), ("s", 1.0)]

    /// Returns the seconds of a time such as 1/200, 0.5, 1/100s or 10ms.
    static func seconds(_ text: String, _ option: String) throws(Failure) -> Double {
        let unit = units.first { text.hasSuffix($0.0) }
        let parts = text.dropLast(unit?.0.count ?? 0).split(separator: "/", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double($0) }
        let value = numbers.count == 2 ? numbers[0] / numbers[1] : numbers.first ?? 0
        guard numbers.count == parts.count, parts.count <= 2, value.isFinite, value > 0 else {
            throw Failure(.usage, "\(option) needs seconds, such as 1/200, 0.5 or 10ms, not \"\(text)\"")
        }
        return value * (unit?.1 ?? 1)
    }
}
