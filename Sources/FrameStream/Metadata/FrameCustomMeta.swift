package import GStreamer
package import RawImage

/// The GstCustomMeta of frame metadata on buffers: the structure "GscapFrame", readable from any language.
package enum FrameCustomMeta {
    /// The name of the metadata and of its structure in GStreamer's registry.
    package static let name = "GscapFrame"

    /// The media type of DNG files, which frames read from files carry for the tags in them.
    package static let fileType = "image/x-adobe-dng"

    private static let registered = Result { () throws(GscapError) in try CustomMeta(registering: name) }

    /// Returns the metadata type, which is registered on the first call.
    package static func kind() throws(GscapError) -> CustomMeta {
        try registered.get()
    }
}

extension Buffer {
    /// The metadata of the frame in this buffer; nil if the buffer has none.
    package var frameMetadata: FrameMetadata? {
        var ignored = IgnoredFields()
        return frameMetadata(noting: &ignored)
    }

    /// Returns the metadata of the frame in this buffer, and records its invalid fields, which stay unknown.
    package func frameMetadata(noting ignored: inout IgnoredFields) -> FrameMetadata? {
        // GscapPlugin.register reports the error of a failed registration.
        guard let kind = try? FrameCustomMeta.kind(), let structure = structure(of: kind) else { return nil }
        return FrameMetadata(structure, &ignored)
    }

    /// Copies flags, timestamps and metadata from the frame that this buffer was made from, except the frame metadata,
    /// which the element sets itself. `view` is the part of the frame that this buffer shows; nil for all of it in its
    /// own size.
    package mutating func inherit(from frame: borrowing Buffer, view: PictureView? = nil) {
        copyProperties(of: frame, omitting: try? FrameCustomMeta.kind(), view: view)
    }

    /// Whether this buffer has frame metadata; cheaper than decoding it.
    package var hasFrameMetadata: Bool {
        guard let kind = try? FrameCustomMeta.kind() else { return false }
        return value(of: "white-level", in: kind) != nil
    }

    /// Whether this buffer has frame metadata with a noise profile; cheaper than decoding it.
    package var hasNoiseProfile: Bool {
        guard let kind = try? FrameCustomMeta.kind() else { return false }
        return value(of: "noise-profile", in: kind)?.elements?.isEmpty == false
    }

    /// The ticket (id) of the capture that this buffer belongs to, read without decoding the other fields.
    package var captureIdentifier: UInt64? {
        guard let kind = try? FrameCustomMeta.kind() else { return nil }
        return value(of: "capture-id", in: kind)?.unsigned
    }

    /// The start of the frame's exposure in microseconds since 1970-01-01 00:00 UTC, read without decoding the other
    /// fields; nil if it is unknown, also because of an unknown time zone.
    package var captureMoment: Int64? {
        guard let kind = try? FrameCustomMeta.kind(), let moment = value(of: "wall-clock", in: kind)?.integer,
            moment != 0, value(of: "time-zone-unknown", in: kind)?.truth != true
        else { return nil }
        return Int64(moment)
    }

    /// The Exif orientation of the frame, read without decoding the other fields; 1 if it is not stated.
    package var captureOrientation: Int {
        guard let kind = try? FrameCustomMeta.kind() else { return 1 }
        return value(of: "orientation", in: kind)?.integer ?? 1
    }

    /// The camera's time zone in seconds east of UTC, read without decoding the other fields; nil for the machine's.
    package var captureOffset: Int? {
        guard let kind = try? FrameCustomMeta.kind() else { return nil }
        return value(of: "utc-offset", in: kind)?.integer
    }

    /// The index of this buffer's exposure in its capture, 0 outside a bracket, read without decoding the other fields.
    package var captureExposure: Int {
        guard let kind = try? FrameCustomMeta.kind() else { return 0 }
        return value(of: "capture-exposure", in: kind)?.integer ?? 0
    }

    /// The place of this buffer in its burst in order of time, 0 outside a capture, read without decoding the other
    /// fields.
    package var captureIndex: Int {
        guard let kind = try? FrameCustomMeta.kind() else { return 0 }
        return value(of: "capture-index", in: kind)?.integer ?? 0
    }

    /// Whether this buffer is the reference of its burst, read without decoding the other fields; true outside a
    /// capture.
    package var isCaptureReference: Bool {
        guard let kind = try? FrameCustomMeta.kind() else { return true }
        return value(of: "capture-reference", in: kind)?.truth ?? (captureIndex == 0)
    }

    /// The priority of the threads that compute this buffer's photo, read without decoding the other fields.
    package var photoPriority: PhotoPriority {
        guard let kind = try? FrameCustomMeta.kind() else { return .normal }
        return value(of: "capture-priority", in: kind)?.text.flatMap(PhotoPriority.init) ?? .normal
    }

    /// Sets the frame metadata of this buffer, which must be writable.
    package mutating func setFrameMetadata(_ metadata: FrameMetadata) throws(GscapError) {
        setStructure(metadata.structure, of: try FrameCustomMeta.kind())
    }
}

extension FrameMetadata {
    /// Decodes the metadata from a buffer's structure; missing fields and fields of a wrong type keep their defaults.
    /// Invalid looks and lens corrections are recorded in `ignored`.
    init(_ structure: Structure, _ ignored: inout IgnoredFields) {
        self.init()
        exposureTime = structure["exposure-time"]?.number ?? 0
        iso = structure["iso"]?.number ?? 0
        if let levels = structure.numbers("black-level"), levels.count == 4 { blackLevel = levels }
        whiteLevel = structure["white-level"]?.number ?? whiteLevel
        if let values = structure.numbers("neutral"), values.count == 3 {
            neutral = SIMD3(values[0], values[1], values[2])
        }
        calibrations = [1, 2, 3].compactMap { ColorCalibration(structure, number: $0) }
        noise = Self.noise(structure.numbers("noise-profile") ?? [])
        isNoiseEstimated = structure["noise-estimated"]?.truth ?? false
        sensorTimestamp = structure["sensor-timestamp"]?.unsigned ?? 0
        frameNumber = structure["frame-number"]?.unsigned ?? 0
        wallClock = Int64(structure["wall-clock"]?.integer ?? 0)
        timeZone = CaptureTimeZone(structure)
        orientation = structure["orientation"]?.integer ?? 1
        make = structure["make"]?.text ?? ""
        model = structure["model"]?.text ?? ""
        fusedFrames = structure["fused-frames"]?.integer ?? 1
        fusion = FusionReport(structure.structure("fusion"))
        isMonochrome = structure["monochrome"]?.truth ?? false
        isStoredReference = structure["stored-reference"]?.truth ?? false
        sensorDigests = structure["sensor-digests"]?.elements?.compactMap(\.text) ?? []
        history.acceptedDamage = structure["accepted-damage"]?.elements?.compactMap(\.text) ?? []
        history.isEdited = structure["edited"]?.truth ?? false
        lens = LensCorrection(structure, &ignored)
        calibration = structure.numbers("camera-geometry").flatMap { CameraCalibration(numbers: $0) }
        if let factor = structure["crop-factor"]?.number, factor > 1, factor.isFinite { cropFactor = factor }
        details = DescriptiveMetadata(structure)
        if let value = structure["recipe"] {
            recipe = value.structure.flatMap { Recipe($0, &ignored) }
            if recipe == nil { ignored.add("recipe", "not a recipe structure") }
        }
        flashFired = structure["flash-fired"]?.truth
        exposureBias = structure["capture-exposure-bias"]?.number
        capture = CaptureTag(structure)
        sourceTags = structure["source-tags"]?.sample?.bytes ?? []
    }

    private static func noise(_ values: [Double]) -> [NoiseProfile] {
        stride(from: 0, to: values.count - 1, by: 2).map { NoiseProfile(shot: values[$0], read: values[$0 + 1]) }
    }

    /// The metadata encoded as a buffer's structure.
    var structure: Structure {
        var structure = Structure(
            FrameCustomMeta.name,
            [
                "exposure-time": .double(exposureTime), "iso": .double(iso), "black-level": .numbers(blackLevel),
                "white-level": .double(whiteLevel), "neutral": .numbers([neutral.x, neutral.y, neutral.z]),
                "noise-profile": .numbers(noise.flatMap { [$0.shot, $0.read] }),
                "sensor-timestamp": .uint64(sensorTimestamp), "frame-number": .uint64(frameNumber),
                "wall-clock": .int64(wallClock), "orientation": .int(Int32(clamping: orientation)),
                "make": .string(make), "model": .string(model), "fused-frames": .int(Int32(clamping: fusedFrames)),
            ])
        if isNoiseEstimated { structure["noise-estimated"] = .boolean(true) }
        timeZone.encode(into: &structure)
        for (index, calibration) in calibrations.prefix(3).enumerated() {
            calibration.encode(into: &structure, number: index + 1)
        }
        if isMonochrome { structure["monochrome"] = .boolean(true) }
        if isStoredReference { structure["stored-reference"] = .boolean(true) }
        if !sensorDigests.isEmpty { structure["sensor-digests"] = .array(sensorDigests.map(Value.string)) }
        if !history.acceptedDamage.isEmpty {
            structure["accepted-damage"] = .array(history.acceptedDamage.map(Value.string))
        }
        if history.isEdited { structure["edited"] = .boolean(true) }
        structure["fusion"] = fusion.map { .structure($0.structure) }
        lens.encode(into: &structure)
        structure["camera-geometry"] = calibration.map { .numbers($0.numbers) }
        if cropFactor > 1 { structure["crop-factor"] = .double(cropFactor) }
        details.encode(into: &structure)
        structure["recipe"] = recipe.map { .structure($0.structure) }
        structure["flash-fired"] = flashFired.map(Value.boolean)
        structure["capture-exposure-bias"] = exposureBias.map(Value.double)
        capture?.encode(into: &structure)
        if !sourceTags.isEmpty { structure["source-tags"] = (try? Sample(dng: sourceTags)).map { .sample($0) } }
        return structure
    }
}

extension Sample {
    /// Creates a sample of a DNG file, whose bytes all copies of a structure share.
    fileprivate convenience init(dng bytes: [UInt8]) throws(GscapError) {
        try self.init(Buffer(sharing: bytes), caps: Caps(FrameCustomMeta.fileType))
    }

    /// A copy of the bytes of the buffer; empty if the sample has none.
    fileprivate var bytes: [UInt8] {
        guard let buffer = self.buffer else { return [] }
        return buffer.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
    }
}

extension CaptureTimeZone {
    /// Decodes the time zone of `wall-clock`: the machine's unless the structure says otherwise.
    fileprivate init(_ structure: Structure) {
        if structure["time-zone-unknown"]?.truth == true {
            self = .unknown
        } else if let seconds = structure["utc-offset"]?.integer, abs(seconds) < 86_400 {
            self = .offset(seconds)
        } else {
            self = .machine
        }
    }

    fileprivate func encode(into structure: inout Structure) {
        switch self {
        case .machine: break
        case .offset(let seconds): structure["utc-offset"] = .int(Int32(clamping: seconds))
        case .unknown: structure["time-zone-unknown"] = .boolean(true)
        }
    }
}

extension ColorCalibration {
    fileprivate init?(_ structure: Structure, number: Int) {
        guard let matrix = structure.numbers("color-matrix-\(number)").flatMap({ Matrix3($0) }) else { return nil }
        let illuminant = structure["illuminant-\(number)"]?.integer.flatMap(UInt16.init(exactly:)) ?? 0
        self.init(
            illuminant: Illuminant(rawValue: illuminant), colorMatrix: matrix,
            forwardMatrix: structure.numbers("forward-matrix-\(number)").flatMap { Matrix3($0) },
            cameraCalibration: structure.numbers("camera-calibration-\(number)").flatMap { Matrix3($0) } ?? .identity)
        if let color = structure.numbers("light-color-\(number)"), color.count == 2 {
            lightColor = Chromaticity(SIMD3(color[0], color[1], 1 - color[0] - color[1]))
        }
    }

    fileprivate func encode(into structure: inout Structure, number: Int) {
        structure["illuminant-\(number)"] = .int(Int32(illuminant.rawValue))
        structure["color-matrix-\(number)"] = .numbers(colorMatrix.values)
        structure["forward-matrix-\(number)"] = forwardMatrix.map { .numbers($0.values) }
        structure["light-color-\(number)"] = lightColor.map { .numbers([$0.x, $0.y]) }
        if cameraCalibration != .identity {
            structure["camera-calibration-\(number)"] = .numbers(cameraCalibration.values)
        }
    }
}

extension Value {
    static func numbers(_ values: [Double]) -> Value { .array(values.map(Value.double)) }
}

extension Structure {
    package func numbers(_ field: String) -> [Double]? {
        self[field]?.elements?.compactMap(\.number)
    }
}
