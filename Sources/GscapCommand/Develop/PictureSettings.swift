internal import Develop
internal import PictureFiles
internal import RawImage

/// What the words of `gscap develop` say of the picture's file.
struct PictureSettings {
    static let known: [Options.Known] = [
        .value("--crop"), .value("--size"), .value("--space"), .value("--bits"), .value("--quality"), .value("--hdr"),
    ]

    let format: PictureFormat
    private let color: PictureColor
    private let crop: PixelRectangle?
    private let size: (width: Int, height: Int)?
    private let encoding: PictureEncoding
    private let hasGainMap: Bool

    init(_ options: Options, format: PictureFormat, develops settings: DevelopSettings) throws(Failure) {
        do { try format.prepare() } catch { throw Failure(.unavailable, error.message) }
        self.format = format
        let hdr = options.value("--hdr")
        hasGainMap = hdr == "map"
        color = try Self.color(options, hdr: hdr, isLinear: settings.isLinear || format == .exr)
        var encoding = PictureEncoding(format)
        encoding.quality = try options.number("--quality", in: 0...1) ?? encoding.quality
        encoding.depth = try Self.depth(options, format, color)
        encoding.software = "gscap \(Command.version)"
        self.encoding = encoding
        crop = try options.value("--crop").map { text throws(Failure) in try Self.rectangle(text) }
        size = try options.value("--size").map { text throws(Failure) in try Self.size(text) }
        guard !hasGainMap || (format == .jpeg && !settings.isLinear) else {
            throw Failure(.usage, "--hdr map is of a JPEG: name the picture .jpg, without --linear")
        }
    }

    private static func color(
        _ options: Options, hdr: String?, isLinear: Bool
    ) throws(Failure) -> PictureColor {
        let primaries: PictureColor.Primaries
        switch options.value("--space") {
        case nil: primaries = hdr == "pq" || hdr == "hlg" ? .rec2020 : .sRGB
        case "srgb": primaries = .sRGB
        case "p3": primaries = .displayP3
        case "rec2020": primaries = .rec2020
        case let word?: throw Failure(.usage, "--space is srgb, p3 or rec2020, not \"\(word)\"")
        }
        switch hdr {
        case nil, "map": return PictureColor(primaries, isLinear ? .linear : .sRGB)
        case "pq": return PictureColor(primaries, .pq)
        case "hlg": return PictureColor(primaries, .hlg)
        case let word?: throw Failure(.usage, "--hdr is pq, hlg or map, not \"\(word)\"")
        }
    }

    private static func depth(
        _ options: Options, _ format: PictureFormat, _ color: PictureColor
    ) throws(Failure) -> PictureDepth {
        let known = format.depths
        guard let word = options.value("--bits") else {
            let wanted: PictureDepth = color.transfer == .linear ? .half : color.isHighDynamicRange ? .ten : .eight
            return known.contains(wanted) ? wanted : known[known.count - 1]
        }
        guard let depth = PictureDepth(rawValue: word), known.contains(depth) else {
            let words = known.map(\.rawValue).joined(separator: ", ")
            throw Failure(.usage, "--bits of \(format.rawValue) is one of \(words), not \"\(word)\"")
        }
        return depth
    }

    /// "X,Y,WIDTHxHEIGHT".
    private static func rectangle(_ text: String) throws(Failure) -> PixelRectangle {
        let numbers = text.split(whereSeparator: { $0 == "," || $0 == "x" }).compactMap { Int($0) }
        guard numbers.count == 4, numbers[0] >= 0, numbers[1] >= 0, numbers[2] > 0, numbers[3] > 0 else {
            throw Failure(.usage, "--crop needs X,Y,WIDTHxHEIGHT, as in --crop 100,200,640x480, not \"\(text)\"")
        }
        return PixelRectangle(left: numbers[0], top: numbers[1], width: numbers[2], height: numbers[3])
    }

    /// "N" or "WIDTHxHEIGHT": a box that the picture is to fit in.
    private static func size(_ text: String) throws(Failure) -> (width: Int, height: Int) {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0) }
        guard numbers.count == parts.count, (1...2).contains(parts.count), numbers.allSatisfy({ $0 > 0 }),
            let width = numbers.first, let height = numbers.last
        else { throw Failure(.usage, "--size needs the longest side, or WIDTHxHEIGHT, not \"\(text)\"") }
        return (width, height)
    }

    /// Renders and encodes a photo; `progress` hears how much of the file is made, from 0 to 1.
    func encode(
        _ filter: RAWFilter, _ console: Console, progress: @escaping @Sendable (Double) -> Void
    ) throws -> [[UInt8]] {
        for warning in filter.warnings { console.note(warning) }
        var encoding = encoding
        encoding.metadata = filter.metadata
        // The pixels are upright.
        encoding.metadata?.orientation = 1
        if format == .heic { (encoding.mattes, encoding.depthMap) = (filter.mattes, filter.depthMap) }
        if hasGainMap { encoding.hdr = try filter.brightPicture(color.primaries, crop: crop, fitting: size) }
        let depth: Renderer.Output.Depth =
            switch encoding.depth {
            case .eight: .eight
            case .half: .half
            case .ten, .sixteen, nil: .sixteen
            }
        @Sendable func goesOn(_ share: Double) -> Bool {
            progress(share)
            return true
        }
        // The usual picture is coded while it is made.
        if format == .jpeg, !hasGainMap, let rows = try filter.rows(color: color, crop: crop, fitting: size) {
            return try encoding.encodeJPEG(
                width: rows.width, height: rows.height, color: color, progress: goesOn,
                rows.forEach)
        }
        let picture = try filter.picture(color: color, depth: depth, crop: crop, fitting: size)
        return [try encoding.encode(picture, progress: goesOn)]
    }
}
