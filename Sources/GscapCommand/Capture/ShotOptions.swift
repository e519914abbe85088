internal import GSCapture
internal import RawImage

/// The options that describe a photo: exposure, white balance, bracket, flash, file settings and descriptive metadata.
struct ShotOptions {
    static let declared: [Options.Declaration] = [
        .value("--shutter"), .value("--iso"), .value("--ev"), .value("--white"), .value("--bracket"), .flag("--merge"),
        .value("--flash"), .value("--file-quality"), .value("--color"), .value("--thumbnail"), .value("--artist"),
        .value("--title"), .value("--copyright"), .value("--location"), .value("--frames"),
    ]

    static let help = """
        The photo
          --frames N                the frames of a burst, 1 to 64, in place of those of --quality or the pipeline;
                                    Bayer frames that are not fused are all stored
          --shutter TIME            the exposure time in seconds, such as 1/200 or 0.5
          --iso N                   the gain as an ISO number
          --ev N                    the exposure relative to the camera's, in stops: -2, 0.7
          --bracket EV,EV,…         one photo for each exposure, relative to the camera's: -2,0,2; or TIME@ISO,…
          --merge                   also fuse the exposures of the bracket into one photo
          --white LIGHT             the white balance: camera (default) or KELVIN[,TINT]
          --flash MODE              off (default), on or auto
          --file-quality Q          the compression quality of JPEG, HEIF, AVIF, JPEG XL and WebP: 2 to 100, or 0 to 1,
                                    the best
          --color SPACE             the colour space of finished pictures: srgb, display-p3 or rec2020
          --thumbnail N             the longest side of the preview in a DNG, in pixels
          --artist NAME, --title TEXT, --copyright TEXT
                                    descriptive metadata of the files
          --location LAT,LON[,ALT]  the place, in degrees and metres: 48.137,11.575,519
        """

    private let options: Options

    init(_ options: Options) { self.options = options }

    /// Sets what the options select for a photo of these formats; settings without an option stay unchanged.
    func apply(to settings: inout PhotoSettings, formats: [PhotoFormat]) throws(Failure) {
        try applyExposure(to: &settings)
        try applyFileSettings(to: &settings, formats)
        try applyDetails(to: &settings)
    }

    // MARK: Exposure

    private func applyExposure(to settings: inout PhotoSettings) throws(Failure) {
        if let text = options.value("--shutter") { settings.exposureTime = try Self.time(text, "--shutter") }
        if let iso = try options.number("--iso", in: 1...10_000_000) { settings.iso = iso }
        if let bias = try options.number("--ev", in: -16...16) { settings.exposureBias = bias }
        if let text = options.value("--bracket") { settings.bracket = try Self.bracket(text) }
        if options.has("--merge") {
            guard !settings.bracket.isEmpty else {
                throw Failure(.usage, "--merge needs a bracket: --bracket -2,0,2 --merge")
            }
            settings.fusesBracket = true
        }
        if let text = options.value("--white") { settings.whiteBalance = try Self.white(text) }
        if let word = options.value("--flash") {
            guard let mode = FlashMode(rawValue: word) else {
                throw Suggestions.unknown(word, of: "--flash", among: ["off", "on", "auto"])
            }
            settings.flashMode = mode
        }
    }

    /// Returns an exposure time in seconds from a fraction or a number.
    private static func time(_ text: String, _ option: String) throws(Failure) -> Double {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) }
        let value: Double? =
            switch parts.count {
            case 1: parts[0]
            case 2: parts[0].flatMap { numerator in parts[1].map { numerator / $0 } }
            default: nil
            }
        guard let value, value.isFinite, value > 0 else {
            throw Failure(.usage, "\(option) needs seconds, such as 1/200 or 0.5, not \"\(text)\"")
        }
        return value
    }

    /// Returns the exposures of a bracket: biases in EV, or exposure times with ISO numbers.
    private static func bracket(_ text: String) throws(Failure) -> [BracketExposure] {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        return try words.map { (word) throws(Failure) in
            if let at = word.firstIndex(of: "@") {
                let time = try time(String(word[..<at]), "--bracket")
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
        if text == "camera" { return nil }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard (1...2).contains(numbers.count), let kelvin = numbers[0],
            let tint = numbers.count == 2 ? numbers[1] : 0
        else {
            throw Failure(.usage, "--white must be camera or KELVIN[,TINT], not \"\(text)\"")
        }
        guard WhiteBalance.temperatures.contains(kelvin), WhiteBalance.tints.contains(tint) else {
            throw Failure(
                .usage, "--white \(text): the temperature must be from 1000 to 50000 K, and the tint from -500 to 500")
        }
        return .temperature(kelvin, tint: tint)
    }

    // MARK: Files

    private func applyFileSettings(to settings: inout PhotoSettings, _ formats: [PhotoFormat]) throws(Failure) {
        var file = ProcessedPhotoOptions()
        file.quality = try options.quality("--file-quality")
        if let word = options.value("--color") {
            guard let space = ColorSpace.allCases.first(where: { $0.rawValue.lowercased() == word.lowercased() })
            else {
                throw Suggestions.unknown(word, of: "--color", among: ["srgb", "display-p3", "rec2020"])
            }
            file.colorSpace = space
        }
        if file != ProcessedPhotoOptions() {
            for case .processed(let format) in formats { settings.processedOptions[format] = file }
        }
        if let side = try options.integer("--thumbnail", in: 1...65_535) { settings.thumbnailLongestSide = side }
    }

    private func applyDetails(to settings: inout PhotoSettings) throws(Failure) {
        var details = settings.details
        details.artist = options.value("--artist") ?? details.artist
        details.title = options.value("--title") ?? details.title
        details.copyright = options.value("--copyright") ?? details.copyright
        if let text = options.value("--location") { details.location = try Self.location(text) }
        if details != settings.details { settings.details = details }
    }

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
