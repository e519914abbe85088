import GSCapture
import RandomSequences
import RawImage

/// Random settings of captures, legal and illegal ones.
enum RandomSettings {
    /// Returns settings that violate no rule, except that a format may be unavailable.
    static func legal(
        raw: [RAWPhotoFormat], processed: [ProcessedPhotoFormat], title: String, using random: inout SeededRandom
    ) -> PhotoSettings {
        var formats = (
            raw: Set(raw.filter { _ in Bool.random(using: &random) }),
            processed: Set(processed.filter { _ in Bool.random(using: &random) })
        )
        if formats.raw.isEmpty && formats.processed.isEmpty { formats.raw = [.bayer] }
        var settings = PhotoSettings(raw: formats.raw, processed: formats.processed)
        if !formats.raw.contains(.bayer) {
            settings.photoQualityPrioritization = pick([.speed, .speed, .balanced, .quality], &random)
        }
        settings.frames = isOne(in: 10, &random) ? nil : Int.random(in: 1...4, using: &random)
        settings.everyFrame = isOne(in: 6, &random)
        settings.momentTolerance = pick([.seconds(60), .seconds(60), .seconds(60), nil, .zero], &random)
        settings.zeroShutterLag = pick([nil, nil, true, false], &random)
        setExposure(of: &settings, &random)
        setOptions(of: &settings, &random)
        settings.details.title = title
        return settings
    }

    private static func setExposure(of settings: inout PhotoSettings, _ random: inout SeededRandom) {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: settings.exposureBias = pick([-2, 1], &random)
        case 1: settings.exposureTime = pick([0.000_5, 0.002, 0.008], &random)
        case 2: settings.iso = pick([100, 400, 1600], &random)
        case 3: (settings.exposureTime, settings.iso) = (0.004, 200)
        case 4: settings.flashMode = pick([.on, .auto], &random)
        case 5: settings.bracket = [.bias(-1), .bias(0), .bias(2)]
        case 6: settings.bracket = [.manual(exposureTime: 0.001, iso: nil), .manual(exposureTime: nil, iso: 400)]
        case 7:
            settings.bracket = [.bias(-2), .bias(1)]
            settings.fusesBracket = settings.formats.contains { $0 != .raw(.bayer) }
        default: break
        }
        // A capture without a number of frames has up to twelve for each exposure.
        if !settings.bracket.isEmpty { settings.frames = Int.random(in: 1...2, using: &random) }
    }

    private static func setOptions(of settings: inout PhotoSettings, _ random: inout SeededRandom) {
        if isOne(in: 4, &random) { settings.thumbnailLongestSide = pick([1, 32, 48, 100_000], &random) }
        if settings.processedFormats.contains(.jpeg), isOne(in: 3, &random) {
            settings.processedOptions[.jpeg] = ProcessedPhotoOptions(
                quality: pick([0, 0.5, 1], &random), colorSpace: pick([nil, .sRGB], &random))
        }
        if isOne(in: 4, &random) { settings.details.orientation = Int.random(in: 1...8, using: &random) }
        if isOne(in: 6, &random) { settings.details.location = Location(latitude: -33.5, longitude: 151.25) }
    }

    /// Changes settings so that they violate a rule, whatever the camera and the formats; returns the change.
    static func spoil(_ settings: inout PhotoSettings, using random: inout SeededRandom) -> String {
        let number = Int.random(in: 0..<18, using: &random)
        let impossible = pick([0.0, -1, .nan, .infinity, -.infinity], &random)
        settings.bracket = []
        settings.fusesBracket = false
        (settings.exposureTime, settings.iso, settings.exposureBias) = (nil, nil, 0)
        switch number {
        case 0: settings.frames = pick([0, -1, 65, .max, .min], &random)
        case 1: settings.momentTolerance = .milliseconds(-1)
        case 2: (settings.rawFormats, settings.processedFormats) = ([], [])
        case 3: (settings.rawFormats, settings.photoQualityPrioritization) = ([.bayer], .quality)
        case 4: settings.bracket = Array(repeating: .bias(0), count: pick([17, 65, 1000], &random))
        case 5: settings.bracket = [.bias(0), .manual(exposureTime: 0.01, iso: nil)]
        case 6: (settings.bracket, settings.exposureTime) = ([.bias(0), .bias(1)], 0.01)
        case 7: (settings.bracket, settings.flashMode) = ([.bias(0), .bias(1)], .on)
        case 8: settings.fusesBracket = true
        case 9: (settings.bracket, settings.frames) = ([.bias(0), .bias(1)], 33)
        case 10: settings.exposureTime = impossible
        case 11: settings.iso = impossible
        case 12: settings.exposureBias = pick([21, -21, .nan, .infinity], &random)
        case 13: settings.bracket = [.manual(exposureTime: impossible, iso: nil)]
        case 14:
            settings.processedFormats = [.jpeg]
            settings.processedOptions[.jpeg] = ProcessedPhotoOptions(quality: pick([-0.1, 1.1, .nan], &random))
        case 15: settings.thumbnailLongestSide = pick([0, -1, .min], &random)
        case 16: settings.details.orientation = pick([0, 9, -1, .max, .min], &random)
        default: settings.features = [pick(PhotoFeature.allCases, &random)]
        }
        return "change \(number)"
    }

    private static func isOne(in count: Int, _ random: inout SeededRandom) -> Bool {
        Int.random(in: 0..<count, using: &random) == 0
    }

    /// Returns a random element of an array that is not empty.
    static func pick<T>(_ values: [T], _ random: inout SeededRandom) -> T {
        values[Int.random(in: values.indices, using: &random)]
    }
}
