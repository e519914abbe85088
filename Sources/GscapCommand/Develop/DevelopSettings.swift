internal import DNG
internal import Develop
internal import RawImage

/// The rendering options of `gscap develop`: look, white balance, exposure, noise reduction and sharpening.
struct DevelopSettings {
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

    /// The choices of white balance: that of the sidecar, or else the camera's, a light, or a pixel that is to be grey.
    private enum White {
        case usual
        case light(LightChoice)
        case pixel(column: Int, row: Int)
    }

    init(_ options: Options) throws(Failure) {
        isLinear = options.has("--linear")
        (look, cubeLook) = try LookChoice.looks(options)
        profile = try options.value("--profile").map { (word) throws(Failure) in try ProfileChoice(word) }
        white = try Self.white(options)
        lens = try LensChoice(options)
        readsSidecar = !options.has("--no-sidecar")
        acceptsDamage = options.has("--accept-damage")
        var changes: [(inout RAWFilter) -> Void] = []
        func change(
            _ name: String, in range: ClosedRange<Double>, _ property: WritableKeyPath<RAWFilter, Double>
        ) throws(Failure) {
            guard let value = try options.number(name, in: range) else { return }
            changes.append { $0[keyPath: property] = value }
        }
        try change("--baseline-exposure", in: -10...10, \.baselineExposure)
        try change("--ev", in: -10...10, \.exposure)
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

    /// Returns the white balance of `--white` or `--pick`.
    private static func white(_ options: Options) throws(Failure) -> White {
        guard let text = options.value("--pick") else {
            guard let light = options.value("--white") else { return .usual }
            return .light(try LightChoice(light, isDeveloped: true))
        }
        let numbers = text.split(separator: ",").compactMap { Int($0) }
        guard numbers.count == 2, numbers.allSatisfy({ $0 >= 0 }), options.value("--white") == nil else {
            throw Failure(.usage, "--pick needs a pixel, as in --pick 200,300, and excludes --white")
        }
        return .pixel(column: numbers[0], row: numbers[1])
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
        case .light(.camera): filter.recipe.whiteBalance = nil
        case .light(.automatic): try filter.setAutomaticWhiteBalance()
        case .light(.temperature(let kelvin, let tint)): filter.setNeutral(temperature: kelvin, tint: tint)
        case .light(.chromaticity(let x, let y)): filter.setNeutral(x: x, y: y)
        case .pixel(let column, let row): try filter.setNeutral(column: column, row: row)
        }
        for change in changes { change(&filter) }
        try lens.apply(to: &filter)
        return Photo(filter: filter, crop: sidecar?.crop(of: filter), look: look, profileName: profileName)
    }
}
