internal import PhotoMetadata
internal import RawImage

/// A summary of a DNG file as named fields, for a table or JSON.
public struct DNGSummary: Sendable, Hashable {
    /// A named value of the summary.
    public struct Field: Sendable, Hashable {
        /// The field's name in words, such as `exposure time`.
        public var label: String
        /// The field's value for programs.
        public var value: Value
        /// The field's value as text for people.
        public var text: String

        /// The field's name in camel case, such as `exposureTime`.
        public var key: String {
            let words = label.split(separator: " ")
            let capitalized = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
            return words.prefix(1).joined() + capitalized.joined()
        }
    }

    /// A field's value for programs.
    public enum Value: Sendable, Hashable {
        /// A text.
        case text(String)
        /// A number.
        case number(Double)
        /// Several numbers.
        case numbers([Double])
    }

    /// The fields that describe the whole file.
    public var fields: [Field]
    /// The fields that describe each picture, in the order of the file's directories.
    public var images: [[Field]]

    /// Creates the summary of a file.
    public init(_ file: DNGFile) {
        fields = Self.fields(of: file)
        // The other pictures of a camera's own raw file are not read.
        images = file.images.filter { file.cameraRaw == nil || $0.isMain }.map { Self.fields(of: $0, file) }
    }

    private static func format(of file: DNGFile) -> String {
        if let raw = file.cameraRaw { return "\(raw.format), read by \(raw.reader)" }
        return "DNG \(file.version)" + (file.container.layout == .big ? ", BigTIFF" : "")
    }

    private static func fields(of file: DNGFile) -> [Field] {
        let metadata = file.metadata
        var fields = [
            text("format", format(of: file)),
            text("camera", file.uniqueCameraModel), text("make", metadata.make), text("model", metadata.model),
        ]
        if let raw = file.cameraRaw {
            fields.append(text("serial number", raw.serial))
        } else {
            fields.append(text("software", file.software))
        }
        if let time = metadata.civilTime { fields.append(text("date", time.iso8601)) }
        if metadata.exposureTime > 0 {
            fields.append(number("exposure time", metadata.exposureTime, text: exposure(metadata.exposureTime)))
        }
        if metadata.iso > 0 { fields.append(number("ISO", metadata.iso)) }
        fields.append(number("orientation", Double(metadata.orientation)))
        if file.main != nil {
            fields.append(numbers("black level", metadata.blackLevel))
            fields.append(number("white level", metadata.whiteLevel))
        }
        fields.append(numbers("neutral", [metadata.neutral.x, metadata.neutral.y, metadata.neutral.z]))
        if !metadata.calibrations.isEmpty {
            fields.append(numbers("illuminants", metadata.calibrations.map { Double($0.illuminant.rawValue) }))
        }
        if !metadata.noise.isEmpty {
            fields.append(numbers("noise profile", metadata.noise.flatMap { [$0.shot, $0.read] }))
            if metadata.isNoiseEstimated { fields.append(text("noise profile origin", "estimated")) }
        }
        fields += Self.shot(file)
        // The look and the digest are those of the DNG in memory.
        if file.cameraRaw == nil { fields += Self.look(file) }
        if file.hasOriginal { fields.append(text("original", file.originalName)) }
        fields.append(number("bytes", Double(file.byteCount)))
        if file.cameraRaw == nil, let digest = file.statedDigest {
            fields.append(text("raw digest", digest.description))
        }
        return fields.filter { $0.value != .text("") }
    }

    /// Returns the fields of lens, title, artist, copyright, rating and GPS location.
    private static func shot(_ file: DNGFile) -> [Field] {
        let details = file.metadata.details
        var fields = [
            text("lens", details.lensModel), text("title", details.title), text("artist", details.artist),
            text("copyright", details.copyright), text("label", details.label),
            text("keywords", details.keywords.joined(separator: ", ")),
        ]
        if let rating = details.rating { fields.append(number("rating", Double(rating))) }
        if details.fNumber > 0 {
            fields.append(number("f-number", details.fNumber, text: "f/\(short(details.fNumber))"))
        }
        if details.focalLength > 0 {
            fields.append(number("focal length", details.focalLength, text: "\(short(details.focalLength)) mm"))
        }
        if let place = details.location {
            fields.append(numbers("place", [place.latitude, place.longitude] + (place.altitude.map { [$0] } ?? [])))
        }
        if details.focalLengthIn35mm > 0 {
            fields.append(
                number(
                    "focal length in 35mm", details.focalLengthIn35mm, text: "\(short(details.focalLengthIn35mm)) mm"))
        }
        if details.digitalZoomRatio > 1 { fields.append(number("digital zoom", details.digitalZoomRatio)) }
        fields += file.metadata.calibration.map(geometry) ?? []
        let digests = file.metadata.sensorDigests
        if !digests.isEmpty { fields.append(number("sensor frames", Double(digests.count))) }
        return fields + (file.metadata.receipt.map(receipt) ?? [])
    }

    /// Returns the fields of the camera's geometry: its calibration in pixels, and its pose.
    private static func geometry(_ calibration: CameraCalibration) -> [Field] {
        let (focal, center) = (calibration.focalLength, calibration.principalPoint)
        let (radial, tangential) = (calibration.radialDistortion, calibration.tangentialDistortion)
        let position = calibration.position
        return [
            numbers("calibration size", [Double(calibration.width), Double(calibration.height)]),
            numbers("calibration focal length", [focal.x, focal.y]),
            numbers("calibration principal point", [center.x, center.y]),
            numbers("calibration radial distortion", [radial.x, radial.y, radial.z]),
            numbers("calibration tangential distortion", [tangential.x, tangential.y]),
            numbers("calibration rotation", calibration.rotation.values),
            numbers("calibration position", [position.x, position.y, position.z]),
        ]
    }

    /// Returns the fields of the receipt: when the photo was taken, and how it was chosen. Unknown ones are left out.
    private static func receipt(_ receipt: PhotoReceipt) -> [Field] {
        var fields = [text("capture id", "\(receipt.captureID)"), text("sensor time", receipt.sensorTimeText ?? "")]
        if let time = receipt.sensorRunningTime { fields.append(number("sensor running time", Double(time))) }
        if let lag = receipt.lag { fields.append(number("lag", lag)) }
        if let lag = receipt.exposureLag { fields.append(number("exposure lag", lag)) }
        if let age = receipt.age { fields.append(number("age", age)) }
        if let isSettled = receipt.isSettled { fields.append(text("settled", isSettled ? "true" : "false")) }
        fields.append(number("frames used", Double(receipt.framesUsed)))
        fields.append(number("frame number", Double(receipt.frameNumber)))
        fields.append(text("sharpness chosen", receipt.isChosenBySharpness ? "true" : "false"))
        if let burst = receipt.burst {
            let place = "frame \(burst.index + 1) of \(burst.count)"
            fields.append(text("burst", burst.isReference ? place + ", the reference" : place))
        }
        return fields
    }

    /// Returns the fields of the look: profile, baseline exposure, tone curve, gain map and opcodes.
    private static func look(_ file: DNGFile) -> [Field] {
        let recipe = file.recipe
        var fields = [
            text("profile", recipe.name),
            text("profiles", file.profiles.count > 1 ? file.profiles.map(\.label).joined(separator: ", ") : ""),
            number("baseline exposure", recipe.exposure),
            number("baseline sharpness", recipe.sharpness),
        ]
        if let curve = recipe.toneCurve { fields.append(number("tone curve points", Double(curve.points.count))) }
        if let map = recipe.gainTableMap {
            fields.append(
                numbers(
                    "gain table map", [map.rows, map.columns, map.tableLength].map(Double.init),
                    text: "\(map.rows)×\(map.columns) tables of \(map.tableLength)"))
        }
        if !file.opcodes.isEmpty { fields.append(text("opcodes", file.opcodes.map(\.name).joined(separator: ", "))) }
        return fields
    }

    private static func fields(of image: DNGImage, _ file: DNGFile) -> [Field] {
        var fields = [
            text("kind", image.kind.rawValue),
            text("role", image.isMain ? "main" : "further"),
            numbers("size", [Double(image.width), Double(image.height)], text: "\(image.width)×\(image.height)"),
        ]
        if file.cameraRaw == nil {
            fields += [
                number("samples", Double(image.samplesPerPixel)), number("bits", Double(image.bitsPerSample)),
                text("compression", image.compression.description),
                text("layout", image.isTiled ? "tiles" : "strips"),
            ]
        }
        if let pattern = image.pattern { fields.append(text("pattern", pattern.rawValue)) }
        if image.isQuad { fields.append(text("binning", "2×2 pixels of each colour of a quad mosaic are averaged")) }
        if image.kind == .xTrans { fields.append(text("pattern", "X-Trans")) }
        if let pattern = image.longPattern {
            fields.append(text("pattern", "\(pattern.rows)×\(pattern.columns), interpolated"))
        }
        if image.kind == .fourColor { fields.append(text("pattern", "four colours")) }
        if image.isMonochrome { fields.append(text("colours", "monochrome")) }
        if image.kind == .linear, image.samplesPerPixel == 4 { fields.append(text("colours", "four")) }
        if let directory = try? file.container.directory(at: image.offset),
            let damage = (try? ChunkLayout(directory, image))?.damage
        {
            fields.append(text("damaged", damage))
        }
        if image.isMain {
            fields.append(area("active area", image.activeArea))
            fields.append(area("default crop", image.defaultCrop))
        }
        return fields
    }

    private static func text(_ label: String, _ text: String) -> Field {
        Field(label: label, value: .text(text), text: text)
    }

    private static func number(_ label: String, _ number: Double, text: String? = nil) -> Field {
        Field(label: label, value: .number(number), text: text ?? short(number))
    }

    private static func numbers(_ label: String, _ numbers: [Double], text: String? = nil) -> Field {
        Field(label: label, value: .numbers(numbers), text: text ?? numbers.map(short).joined(separator: " "))
    }

    private static func area(_ label: String, _ area: PixelRectangle) -> Field {
        numbers(
            label, [Double(area.left), Double(area.top), Double(area.width), Double(area.height)],
            text: "\(area.width)×\(area.height) at (\(area.left), \(area.top))")
    }

    /// Formats an exposure time as `1/60 s` or `2.5 s`.
    private static func exposure(_ seconds: Double) -> String {
        let inverse = 1 / seconds
        return seconds < 0.4 && inverse < 1e9 ? "1/\(Int(inverse.rounded())) s" : "\(short(seconds)) s"
    }

    /// Formats a number without a trailing `.0` and with at most six decimals, except for values below 0.001.
    private static func short(_ number: Double) -> String {
        if number == number.rounded(), abs(number) < 1e15 { return String(Int(number)) }
        let rounded = (number * 1e6).rounded() / 1e6
        return abs(number) < 1e-3 || !rounded.isFinite ? "\(number)" : "\(rounded)"
    }
}
