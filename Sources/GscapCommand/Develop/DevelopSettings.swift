internal import DNG
internal import Develop
internal import RawImage

/// The rendering options of `gscap develop`: look, white balance, exposure, noise reduction and sharpening.
struct DevelopSettings {
    static let options: [Options.Declaration] = [
        .value("--look"), .value("--look-amount"), .value("--profile"), .value("--exposure"), .value("--white"),
        .value("--pick"), .value("--boost"),
        .value("--local"), .value("--shadows"), .value("--baseline-exposure"), .flag("--no-gamut-mapping"),
        .flag("--linear"), .value("--sharpness"), .value("--denoise"), .value("--color-denoise"), .flag("--no-lens"),
        .value("--lens-correction"), .value("--lens"), .value("--hdr-amount"), DNGInput.damageOption,
    ]
    /// The photo with the settings of its sidecar and of the options.
    struct Photo {
        var filter: RAWFilter
        /// The part to show that the sidecar specifies, in pixels of the upright photo; nil for all.
        var crop: PixelRectangle?
        /// The look that the settings started with.
        var look: RAWFilter.Look
        /// The name of the chosen camera profile; nil for the file's first.
        var profileName: String?
    }

    /// Whether the picture has linear, unclipped values (`--linear`).
    let isLinear: Bool
    private let look: RAWFilter.Look?
    private let readsSidecar: Bool
    private let cubeLook: CubeLook?
    private let profile: ProfileChoice?
    private let acceptsDamage: Bool
    private let white: White
    private let lens: LensChoice
    /// The functions that apply the numeric and on/off options to the filter.
    private let changes: [(inout RAWFilter) -> Void]

    /// The choices of white balance: the camera's, computed from the photo, a colour temperature, a chromaticity or a
    /// pixel that is to be grey.
    private enum White {
        /// That of the sidecar, or else the camera's.
        case usual
        case camera, automatic
        case temperature(Double, tint: Double?)
        case chromaticity(Double, Double)
        case pixel(column: Int, row: Int)
    }

    init(_ options: Options) throws(Failure) {
        isLinear = options.has("--linear")
        (look, cubeLook) = try LookChoice.looks(options)
        profile = try options.value("--profile").map { (word) throws(Failure) in try ProfileChoice(word) }
        white = try Self.white(options)
        lens = try LensChoice(options)
        readsSidecar = !options.has("--no-sidecar")
        acceptsDamage = options.has(DNGInput.damageOption.name)
        var changes: [(inout RAWFilter) -> Void] = []
        func change(
            _ name: String, in range: ClosedRange<Double>, _ property: WritableKeyPath<RAWFilter, Double>
        ) throws(Failure) {
            guard let value = try options.number(name, in: range) else { return }
            changes.append { $0[keyPath: property] = value }
        }
        try change("--baseline-exposure", in: -10...10, \.baselineExposure)
        try change("--exposure", in: -10...10, \.exposure)
        try change("--boost", in: 0...1, \.boostAmount)
        try change("--local", in: 0...1, \.localToneMapAmount)
        try change("--shadows", in: -0.5...0.5, \.shadowBias)
        try change("--sharpness", in: 0...1, \.sharpnessAmount)
        try change("--denoise", in: 0...1, \.luminanceNoiseReductionAmount)
        try change("--color-denoise", in: 0...1, \.colorNoiseReductionAmount)
        try change("--look-amount", in: 0...1, \.cubeLookAmount)
        try change("--hdr-amount", in: 0...1, \.extendedDynamicRangeAmount)
        if options.has("--no-gamut-mapping") { changes.append { $0.isGamutMappingEnabled = false } }
        self.changes = changes
    }

    /// Returns the white balance of `--white` or `--pick`. Two numbers are a chromaticity x,y if the first is below 1,
    /// otherwise colour temperature and tint.
    private static func white(_ options: Options) throws(Failure) -> White {
        if let text = options.value("--pick") {
            let numbers = text.split(separator: ",").compactMap { Int($0) }
            guard numbers.count == 2, numbers.allSatisfy({ $0 >= 0 }), options.value("--white") == nil else {
                throw Failure(.usage, "--pick needs a pixel, as in --pick 200,300, and excludes --white")
            }
            return .pixel(column: numbers[0], row: numbers[1])
        }
        switch options.value("--white") {
        case nil: return .usual
        case "camera": return .camera
        case "auto": return .automatic
        case let text?:
            let numbers = text.split(separator: ",").compactMap { Double($0) }
            let count = text.split(separator: ",", omittingEmptySubsequences: false).count
            guard numbers.count == count, (1...2).contains(count) else {
                throw Failure(.usage, "--white must be camera, auto, KELVIN[,TINT] or x,y, not \"\(text)\"")
            }
            if count == 2, numbers[0] < 1 { return .chromaticity(numbers[0], numbers[1]) }
            guard WhiteBalance.temperatures.contains(numbers[0]) else {
                throw Failure(.usage, "--white \(text): the colour temperature must be from 1000 to 50000 K")
            }
            if count == 2, !WhiteBalance.tints.contains(numbers[1]) {
                throw Failure(.usage, "--white \(text): the tint must be from -500 to 500")
            }
            return .temperature(numbers[0], tint: count == 2 ? numbers[1] : nil)
        }
    }

    /// Opens a DNG as a raw filter with the settings of its sidecar, which these settings take precedence over.
    func photo(_ path: String, _ console: Console) throws -> Photo {
        var file = try DNGInput.open(path, acceptsDamage: acceptsDamage)
        let sidecar = readsSidecar ? SidecarFile.read(beside: path, console) : nil
        var profileName: String?
        if let profile {
            file = try profile.applied(to: file, path)
            profileName = file.recipe.name
        } else if let name = sidecar?.profileName, let own = file.profiles.first(where: { $0.name == name }) {
            file = try file.applying(own)
            profileName = name
        }
        let look = look ?? sidecar?.look ?? .file
        var filter = try RAWFilter(file: file, look: look)
        sidecar?.apply(to: &filter)
        filter.cubeLook = cubeLook
        switch white {
        case .usual: break
        case .camera: filter.recipe.whiteBalance = nil
        case .automatic: try filter.setAutomaticWhiteBalance()
        case .temperature(let kelvin, let tint): filter.setNeutral(temperature: kelvin, tint: tint ?? 0)
        case .chromaticity(let x, let y): filter.setNeutral(x: x, y: y)
        case .pixel(let column, let row): try filter.setNeutral(column: column, row: row)
        }
        for change in changes { change(&filter) }
        try lens.apply(to: &filter)
        return Photo(filter: filter, crop: sidecar?.crop(of: filter), look: look, profileName: profileName)
    }
}
