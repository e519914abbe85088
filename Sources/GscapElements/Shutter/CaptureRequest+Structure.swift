internal import Fusion
internal import GStreamer
internal import RawImage

/// The values that a capture request takes from the shutter's properties and the clock.
struct CaptureDefaults: Sendable {
    var id: UInt64
    var frames: Int
    /// The running time of the press in nanoseconds.
    var time: UInt64?
    var usesPast: Bool
}

extension CaptureRequest {
    /// Decodes the structure given to the action signal `capture`, and appends to `problems` what is wrong with it.
    init(_ structure: Structure?, _ defaults: CaptureDefaults, problems: inout [String]) {
        var fields = RequestFields(structure)
        let id = fields.unsigned("id")
        if id == 0 { fields.add("id is 0, which the signal returns for a refused press: use another") }
        self.init(
            id: id ?? defaults.id, frames: 1,
            instant: (fields.unsigned("time") ?? defaults.time).map(Int64.init(clamping:)),
            tolerance: fields.finite("tolerance").map { Int64(min(max(0, $0), 1e9) * 1e9) },
            usesPast: fields.truth("zero-shutter-lag") ?? defaults.usesPast,
            fusionMode: fields.choice("fusion-mode", of: FusionMode.allCases))
        setExposures(&fields)
        biases = exposures.map { $0.bias ?? 0 }
        setFrames(&fields, standard: defaults.frames)
        fusesBracket = fields.truth("fuse-bracket") ?? false
        flash = fields.choice("flash", of: CaptureFlash.allCases) ?? .off
        details = CaptureDetails(&fields)
        settings = CaptureTag.settings(fields.structure("settings"))
        problems += fields.problems
        checkBracket(&problems)
    }

    private mutating func setExposures(_ fields: inout RequestFields) {
        let single = CaptureExposure(&fields, "")
        guard let bracket = fields.structures("bracket"), !bracket.isEmpty else { return set(single) }
        if !single.isUnchanged {
            fields.add("exposure-time, iso and exposure-bias belong to the exposures of the bracket")
        }
        var exposures: [CaptureExposure] = []
        for (index, structure) in bracket.prefix(Self.mostExposures + 1).enumerated() {
            var exposure = RequestFields(structure)
            exposures.append(CaptureExposure(&exposure, "exposure \(index) of the bracket: "))
            for problem in exposure.problems { fields.add(problem) }
        }
        if exposures.count > 1 { self.bracket = exposures } else if let only = exposures.first { set(only) }
    }

    private mutating func set(_ exposure: CaptureExposure) {
        (exposureTime, iso, exposureBias) = (exposure.exposureTime, exposure.iso, exposure.bias)
    }

    /// Sets the number of frames for each exposure: the requested one, at most 64, or the property's, fewer if a
    /// bracket has no memory for as many.
    private mutating func setFrames(_ fields: inout RequestFields, standard: Int) {
        let requested = fields.integer("frames")
        let most = requested == nil ? Self.mostFrames / min(Self.mostExposures, max(1, bracket.count)) : Self.mostFrames
        frames = min(most, max(1, requested ?? standard))
    }

    private func checkBracket(_ problems: inout [String]) {
        if bracket.count > Self.mostExposures {
            problems.append("the bracket has more than \(Self.mostExposures) exposures: request fewer")
        } else if totalFrames > Self.mostFrames {
            problems.append(
                "\(frames) frames for each of \(bracket.count) exposures are more than \(Self.mostFrames): "
                    + "request fewer"
            )
        }
        if fusesBracket, bracket.count < 2 {
            problems.append("fuse-bracket needs a bracket of at least two exposures")
        } else if fusesBracket, bracket.count > BracketFusion.mostFrames {
            problems.append("fuse-bracket merges at most \(BracketFusion.mostFrames) exposures: request fewer")
        }
        if bracket.count > 1, flash == .on {
            problems.append("the flash cannot fire in a bracket: request flash off, or one exposure")
        }
    }
}

extension CaptureExposure {
    /// The largest exposure bias in EV, above and below.
    private static let mostBias = 20.0

    /// Decodes an exposure; `place` begins the texts of its problems.
    fileprivate init(_ fields: inout RequestFields, _ place: String) {
        self.init(
            exposureTime: fields.positive("exposure-time", place), iso: fields.positive("iso", place),
            bias: fields.finite("exposure-bias", place))
        if let bias, abs(bias) > Self.mostBias {
            fields.add("\(place)exposure-bias is not between -\(Self.mostBias) and \(Self.mostBias) EV")
        }
        if bias != nil, exposureTime != nil, iso != nil {
            fields.add("\(place)exposure-bias has no effect with both exposure-time and iso: leave one out")
        }
    }
}

extension CaptureDetails {
    fileprivate init(_ fields: inout RequestFields) {
        self.init()
        artist = fields.text("artist")
        title = fields.text("title")
        copyright = fields.text("copyright")
        orientation = fields.integer("orientation")
        if let orientation, !(1...8).contains(orientation) { fields.add("orientation is not between 1 and 8") }
        if let kelvin = fields.finite("white-temperature") {
            whiteBalance = .temperature(kelvin, tint: fields.finite("white-tint") ?? 0)
            if !(1000...50_000).contains(kelvin) { fields.add("white-temperature is not between 1000 and 50000") }
        }
        let (latitude, longitude) = (fields.finite("latitude"), fields.finite("longitude"))
        let altitude = fields.finite("altitude")
        if let latitude, let longitude {
            location = Location(latitude: latitude, longitude: longitude, altitude: altitude)
            if location == nil { fields.add("latitude is not in -90…90, or longitude not in -180…180") }
        } else if latitude != nil || longitude != nil || altitude != nil {
            fields.add("a location needs both latitude and longitude")
        }
    }
}

/// The fields of a request's structure; a field of a wrong type or value is nil and becomes a problem.
private struct RequestFields {
    private let structure: Structure?
    private(set) var problems: [String] = []

    init(_ structure: Structure?) { self.structure = structure }

    mutating func add(_ problem: String) { problems.append(problem) }

    private mutating func read<T>(
        _ name: String, _ expected: String, in place: String = "", _ value: (Value) -> T?
    ) -> T? {
        guard let field = structure?[name], field != .null else { return nil }
        if let found = value(field) { return found }
        add("\(place)\(name) is not \(expected)")
        return nil
    }

    mutating func unsigned(_ name: String) -> UInt64? { read(name, "an integer from 0") { $0.unsigned } }

    mutating func integer(_ name: String) -> Int? { read(name, "an integer") { $0.integer } }

    mutating func truth(_ name: String) -> Bool? { read(name, "a boolean") { $0.truth } }

    mutating func text(_ name: String) -> String? { read(name, "a string") { $0.text } }

    mutating func finite(_ name: String, _ place: String = "") -> Double? {
        read(name, "a finite number", in: place) { value in value.number.flatMap { $0.isFinite ? $0 : nil } }
    }

    mutating func positive(_ name: String, _ place: String) -> Double? {
        read(name, "a number above 0", in: place) { value in value.number.flatMap { $0.isFinite && $0 > 0 ? $0 : nil } }
    }

    mutating func choice<T: RawRepresentable<String>>(_ name: String, of choices: [T]) -> T? {
        let names = choices.map(\.rawValue).joined(separator: ", ")
        return read(name, "one of \(names)") { $0.text.flatMap(T.init(rawValue:)) }
    }

    mutating func structure(_ name: String) -> Structure? { read(name, "a structure") { $0.structure } }

    mutating func structures(_ name: String) -> [Structure]? {
        read(name, "an array of structures") { value in
            guard let elements = value.elements else { return nil }
            let structures = elements.compactMap(\.structure)
            return structures.count == elements.count ? structures : nil
        }
    }
}
