package import GStreamer
package import RawImage

/// The values that a capture request takes from the shutter's properties and the clock.
package struct CaptureDefaults: Sendable {
    var id: UInt64
    var frames: Int
    var time: UInt64?
    var baseTime: UInt64?
    var usesPast: Bool
    var priority: PhotoPriority

    /// Creates the values. `time` is the running time of the press in nanoseconds, by the pipeline's base time
    /// `baseTime`.
    package init(
        id: UInt64, frames: Int, time: UInt64?, baseTime: UInt64?, usesPast: Bool, priority: PhotoPriority = .normal
    ) {
        (self.id, self.frames, self.time, self.baseTime) = (id, frames, time, baseTime)
        (self.usesPast, self.priority) = (usesPast, priority)
    }
}

extension CaptureRequest {
    /// Decodes the structure given to the action signal `capture`, and appends to `problems` what is wrong with it: a
    /// value of a wrong type or out of its range, and a field that the signal does not have.
    package init(_ structure: Structure?, _ defaults: CaptureDefaults, problems: inout [String]) {
        var fields = RequestFields(structure)
        self.init(&fields, defaults)
        fields.refuseUnknown()
        problems += fields.problems
    }

    /// Reads a request's fields.
    package init(_ fields: inout RequestFields, _ defaults: CaptureDefaults) {
        let id = fields.unsigned("id")
        if id == 0 { fields.add("id is 0, which the signal returns for a refused press: use another") }
        self.init(
            id: id ?? defaults.id, frames: 1,
            instant: (fields.runningTime("time") ?? defaults.time).map(Int64.init(clamping:)),
            tolerance: fields.finite("tolerance", in: 0...Double.greatestFiniteMagnitude, "a number of seconds from 0")
                .map { Int64(min(max(0, $0), 1e9) * 1e9) },
            usesPast: fields.truth("zero-shutter-lag") ?? defaults.usesPast,
            fusionMode: fields.choice("fusion-mode", of: FusionMode.allCases))
        receiptID = fields.unsigned("receipt-id")
        if receiptID == 0 { fields.add("receipt-id is 0, which is no capture: use another") }
        baseTime = defaults.baseTime
        takesNearest = fields.truth("nearest") ?? false
        setExposures(&fields)
        biases = exposures.map(\.bias)
        setFrames(&fields, standard: defaults.frames)
        fusesBracket = fields.truth("fuse-bracket") ?? false
        storesEveryFrame = fields.truth("every-frame") ?? true
        priority = fields.choice("priority", of: PhotoPriority.allCases) ?? defaults.priority
        flash = fields.choice("flash", of: CaptureFlash.allCases) ?? .off
        details = CaptureDetails(&fields)
        settings = CaptureTag.settings(fields.settings("settings"))
        companion = fields.companion
        checkBracket(&fields)
    }

    private mutating func setExposures(_ fields: inout RequestFields) {
        let single = CaptureExposure(&fields, "")
        guard let bracket = fields.structures("bracket") else { return set(single) }
        if bracket.isEmpty { fields.add("bracket is empty: it has 1 to \(Self.mostExposures) exposures") }
        if !single.isUnchanged {
            fields.add("exposure-time, iso and exposure-bias belong to the exposures of the bracket")
        }
        var exposures: [CaptureExposure] = []
        for (index, structure) in bracket.prefix(Self.mostExposures + 1).enumerated() {
            var exposure = RequestFields(structure)
            let place = "exposure \(index) of the bracket: "
            exposures.append(CaptureExposure(&exposure, place))
            exposure.refuseUnknown(place)
            for problem in exposure.problems { fields.add(problem) }
        }
        if exposures.count > 1 { self.bracket = exposures } else if let only = exposures.first { set(only) }
    }

    private mutating func set(_ exposure: CaptureExposure) {
        (exposureTime, iso, exposureBias) = (exposure.exposureTime, exposure.iso, exposure.bias)
    }

    /// Sets the number of frames for each exposure: the requested one, or the property's, fewer if a bracket has no
    /// memory for as many.
    private mutating func setFrames(_ fields: inout RequestFields, standard: Int) {
        let requested = fields.integer(
            "frames", in: 1...Self.mostFrames, "an integer from 1 to \(Self.mostFrames)")
        frames = requested ?? min(Self.mostFrames / min(Self.mostExposures, max(1, bracket.count)), max(1, standard))
    }

    private func checkBracket(_ fields: inout RequestFields) {
        if bracket.count > Self.mostExposures {
            fields.add("the bracket has more than \(Self.mostExposures) exposures: request fewer")
        } else if totalFrames > Self.mostFrames {
            fields.add(
                "\(frames) frames for each of \(bracket.count) exposures are more than \(Self.mostFrames): "
                    + "request fewer")
        }
        if fusesBracket, bracket.count < 2 {
            fields.add("fuse-bracket needs a bracket of at least two exposures")
        } else if fusesBracket, bracket.count > FusionMode.mostBracketFrames {
            fields.add("fuse-bracket merges at most \(FusionMode.mostBracketFrames) exposures: request fewer")
        }
        if bracket.count > 1, flash == .on {
            fields.add("the flash cannot fire in a bracket: request flash off, or one exposure")
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
            bias: fields.finite(
                "exposure-bias", in: -Self.mostBias...Self.mostBias,
                "between -\(Self.mostBias) and \(Self.mostBias) EV", place))
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
        orientation = fields.integer("orientation", in: 1...8, "between 1 and 8")
        let tint = fields.finite("white-tint", in: WhiteBalance.tints, "between -500 and 500")
        if let kelvin = fields.finite(
            "white-temperature", in: WhiteBalance.temperatures, "between 1000 and 50000")
        {
            whiteBalance = .temperature(kelvin, tint: tint ?? 0)
        } else if tint != nil {
            fields.add("white-tint has no effect without white-temperature: leave it out, or request both")
        }
        let (latitude, longitude) = (fields.finite("latitude"), fields.finite("longitude"))
        let altitude = fields.finite("altitude")
        if let latitude, let longitude {
            location = Location(latitude: latitude, longitude: longitude, altitude: altitude)
            if location == nil { fields.add("latitude is not in -90…90, or longitude not in -180…180") }
        } else if latitude != nil || longitude != nil || altitude != nil {
            fields.add("a location needs both latitude and longitude")
        }
        calibration = fields.calibration("camera-geometry")
        cropFactor = fields.finite("crop-factor", in: 1...100, "between 1 and 100")
    }
}

extension RequestFields {
    /// Reads the geometry of the camera: the numbers of the field of the same name in the metadata of frames.
    mutating func calibration(_ name: String) -> CameraCalibration? {
        read(name, "an array of \(CameraCalibration.count) numbers that describe a camera") { value in
            value.elements.flatMap { CameraCalibration(numbers: $0.compactMap(\.number)) }
        }
    }

    /// Reads the property values of a capture: a structure with a field for each element, which is a structure, too.
    mutating func settings(_ name: String) -> Structure? {
        guard let settings = structure(name) else { return nil }
        for field in settings.fields where field.value.structure == nil {
            add("\(name): \(field.name) is not a structure with property values: \(field.value.requestText)")
        }
        return settings
    }
}
