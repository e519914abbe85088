internal import CaptureSettings
internal import GSCapture
internal import JSON
internal import RawImage

/// The options that describe a photo: exposure, white balance, bracket, flash, file settings and descriptive metadata.
struct ShotOptions {
    private let options: Options

    init(_ options: Options) { self.options = options }

    /// Sets what the options select for a photo of these formats; settings without an option stay unchanged.
    func apply(to settings: inout PhotoSettings, formats: [PhotoFormat]) throws(Failure) {
        try applyExposure(to: &settings)
        try applyFileSettings(to: &settings, formats)
        if let text = options.value("--location") { settings.details.location = try Self.location(text) }
        for setting in CommandOption.settings { try apply(setting, to: &settings) }
    }

    // MARK: Exposure

    private func applyExposure(to settings: inout PhotoSettings) throws(Failure) {
        if let text = options.value("--shutter") {
            settings.exposureTime = try ExposureTimeText.seconds(text, "--shutter")
        }
        if let iso = try options.number("--iso", in: 1...10_000_000) { settings.iso = iso }
        if let bias = try options.number("--ev", in: -16...16) { settings.exposureBias = bias }
        if let text = options.value("--bracket") { settings.bracket = try Self.bracket(text) }
        if let word = options.value("--merge"), word != "off" {
            guard !settings.bracket.isEmpty else {
                throw Failure(.usage, "--merge needs a bracket: --bracket -2,0,2 --merge")
            }
            settings.fusesBracket = true
        }
        if let text = options.value("--white") { settings.whiteBalance = try Self.white(text) }
        let flash = try Suggestions.choice("--flash", options, among: ["off", "on", "auto"])
        if let mode = flash.flatMap(FlashMode.init) { settings.flashMode = mode }
    }

    /// Returns the exposures of a bracket: biases in EV, or exposure times with ISO numbers.
    private static func bracket(_ text: String) throws(Failure) -> [BracketExposure] {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        return try words.map { (word) throws(Failure) in
            if let at = word.firstIndex(of: "@") {
                let time = try ExposureTimeText.seconds(String(word[..<at]), "--bracket")
                guard let iso = Double(word[word.index(after: at)...]), iso > 0 else {
                    throw Failure(.usage, "--bracket \(word): the ISO number after @ is not a number above 0")
                }
                return .manual(exposureTime: time, iso: iso)
            }
            guard let bias = Double(word), bias.isFinite else {
                throw Failure(.usage, "--bracket needs stops such as -2,0,2, or 1/200@100,1/50@100, not \"\(text)\"")
            }
            guard (-16...16).contains(bias) else {
                throw Failure(.usage, "--bracket \(text): \(word) is not between -16 and 16 stops")
            }
            return .bias(bias)
        }
    }

    private static func white(_ text: String) throws(Failure) -> WhiteBalance? {
        guard case .temperature(let kelvin, let tint) = try LightChoice(text, isDeveloped: false) else { return nil }
        return .temperature(kelvin, tint: tint)
    }

    // MARK: Files

    private func applyFileSettings(to settings: inout PhotoSettings, _ formats: [PhotoFormat]) throws(Failure) {
        var file = ProcessedPhotoOptions()
        file.quality = try options.quality()
        file.colorSpace = try ColorWords(options)?.space ?? file.colorSpace
        if file != ProcessedPhotoOptions() {
            for case .processed(let format) in formats { settings.processedOptions[format] = file }
        }
        if let side = try options.integer("--thumbnail", in: 1...65_535) { settings.thumbnailLongestSide = side }
    }

    // MARK: Settings whose rows say all

    private func apply(_ setting: PhotoSetting, to settings: inout PhotoSettings) throws(Failure) {
        guard let text = options.value(setting.option), !settings.set(setting, to: Self.value(text, of: setting)) else {
            return
        }
        throw Failure(.usage, "\(setting.option) needs \(setting.allowed), not \"\(text)\"")
    }

    /// Returns the value that a text stands for, or the text, which no setting of another type allows.
    private static func value(_ text: String, of setting: PhotoSetting) -> JSON {
        switch setting.kind {
        case .truth: .truth(true)
        case .integer: Int(text).map(JSON.integer) ?? .text(text)
        case .number, .positive: Double(text).map(JSON.number) ?? .text(text)
        case .texts: .list(text.split(separator: ",").map { .text(String($0)) })
        default: .text(text)
        }
    }

    // MARK: The place

    private static func location(_ text: String) throws(Failure) -> Location {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard (2...3).contains(numbers.count), let latitude = numbers[0], let longitude = numbers[1],
            numbers.allSatisfy({ $0?.isFinite == true })
        else {
            throw Failure(.usage, "--location needs LAT,LON[,ALT] in degrees and metres, not \"\(text)\"")
        }
        let altitude = numbers.count == 3 ? numbers[2] : nil
        guard let location = Location(latitude: latitude, longitude: longitude, altitude: altitude) else {
            throw Failure(
                .usage, "--location \(text): the latitude must be from -90 to 90, and the longitude from -180 to 180")
        }
        return location
    }
}

extension ColorWords {
    /// The colour space of finished pictures.
    fileprivate var space: ColorSpace {
        switch self {
        case .srgb: .sRGB
        case .displayP3: .displayP3
        case .rec2020: .rec2020
        }
    }
}
