internal import Develop
internal import PictureFiles
internal import RawImage

/// The output options of `gscap develop`: crop, size, colour space, bit depth, quality and HDR.
struct PictureSettings {
    let format: PictureFormat
    private let color: PictureColor
    let crop: PixelRectangle?
    private let size: (width: Int, height: Int)?
    private let encoding: PictureEncoding
    private let hasGainMap: Bool

    init(_ options: Options, format: PictureFormat, develops settings: DevelopSettings) throws(Failure) {
        do { try format.prepare() } catch { throw Failure(.unavailable, error.message) }
        self.format = format
        let hdr = options.value("--hdr")
        hasGainMap = hdr == "map"
        let profile = try options.value("--icc").map { (path) throws(Failure) in try Self.profile(path) }
        color = try Self.color(
            options, hdr: hdr, isLinear: settings.isLinear || format == .exr, isWide: profile != nil)
        var encoding = PictureEncoding(format)
        encoding.outputProfile = profile
        encoding.quality = try options.quality() ?? encoding.quality
        encoding.depth = try Self.depth(options, format, color)
        encoding.software = Software.nameAndVersion
        if profile != nil {
            do { try encoding.check(color, encoding.depth ?? .eight) } catch { throw Failure(.usage, error.message) }
        }
        self.encoding = encoding
        crop = try options.value("--crop").map { text throws(Failure) in try Self.rectangle(text) }
        size = try options.value("--resize").map { text throws(Failure) in try Self.size(text) }
        guard !hasGainMap || (format.hasGainMaps && !settings.isLinear) else {
            throw Failure(
                .usage, "--hdr map needs a JPEG, HEIC or AVIF: name the picture .jpg, .heic or .avif and omit --linear")
        }
    }

    /// Reads the ICC profile of `--icc` and loads the library that converts to it.
    private static func profile(_ path: String) throws(Failure) -> OutputProfile {
        let bytes = try InputFile.bytes(of: path, limit: OutputProfile.mostBytes)
        do throws(Failure) {
            let profile = try OutputProfile(bytes: bytes)
            try OutputProfile.prepare()
            return profile
        } catch {
            throw Failure(error, of: path, file: path)
        }
    }

    /// Returns the colour space and transfer function that the options select. PQ and HLG default to the primaries of
    /// BT.2020 (Rec. 2020), as pictures do that are then converted to an ICC profile (`isWide`), others to sRGB.
    private static func color(
        _ options: Options, hdr: String?, isLinear: Bool, isWide: Bool
    ) throws(Failure) -> PictureColor {
        let primaries: PictureColor.Primaries =
            switch try ColorWords(options) {
            case nil: hdr == "pq" || hdr == "hlg" || isWide ? .rec2020 : .sRGB
            case .srgb: .sRGB
            case .displayP3: .displayP3
            case .rec2020: .rec2020
            }
        switch hdr {
        case nil, "map": return PictureColor(primaries, isLinear ? .linear : .sRGB)
        case "pq": return PictureColor(primaries, .pq)
        case "hlg": return PictureColor(primaries, .hlg)
        case let word?: throw Suggestions.unknown(word, of: "--hdr", among: ["pq", "hlg", "map"])
        }
    }

    /// Returns the bit depth of `--bits`. Default: half floats for linear, 10 or 16 bits for HDR and 8 bits for other
    /// pictures, or the last of the format's depths if it lacks these.
    private static func depth(
        _ options: Options, _ format: PictureFormat, _ color: PictureColor
    ) throws(Failure) -> PictureDepth {
        let supported = format.depths
        guard let word = options.value("--bits") else {
            let usual: [PictureDepth] =
                color.transfer == .linear ? [.half] : color.isHighDynamicRange ? [.ten, .sixteen] : [.eight]
            return usual.first(where: supported.contains) ?? supported[supported.count - 1]
        }
        guard let depth = PictureDepth(rawValue: word), supported.contains(depth) else {
            let words = supported.map(\.rawValue).joined(separator: ", ")
            throw Failure(.usage, "--bits for \(format.rawValue) must be one of \(words), not \"\(word)\"")
        }
        return depth
    }

    /// Parses a rectangle in pixels: "X,Y,WIDTHxHEIGHT".
    private static func rectangle(_ text: String) throws(Failure) -> PixelRectangle {
        let numbers = text.split(whereSeparator: { $0 == "," || $0 == "x" }).compactMap { Int($0) }
        guard numbers.count == 4, numbers[0] >= 0, numbers[1] >= 0, numbers[2] > 0, numbers[3] > 0 else {
            throw Failure(.usage, "--crop needs X,Y,WIDTHxHEIGHT, as in --crop 100,200,640x480, not \"\(text)\"")
        }
        return PixelRectangle(left: numbers[0], top: numbers[1], width: numbers[2], height: numbers[3])
    }

    /// Parses the box, in pixels, that the picture is to fit into: "WIDTHxHEIGHT", or "N" for a square.
    private static func size(_ text: String) throws(Failure) -> (width: Int, height: Int) {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0) }
        guard numbers.count == parts.count, (1...2).contains(parts.count), numbers.allSatisfy({ $0 > 0 }),
            let width = numbers.first, let height = numbers.last
        else { throw Failure(.usage, "--resize needs the longest side, or WIDTHxHEIGHT, not \"\(text)\"") }
        return (width, height)
    }

    /// Renders and encodes a photo and returns the file in pieces. `sidecarCrop` applies if the options have none.
    /// Calls `progress` with the finished fraction of the file, from 0 to 1.
    func encode(
        _ filter: RAWFilter, of path: String, sidecarCrop: PixelRectangle?, _ console: Console,
        progress: @escaping @Sendable (Double) -> Void
    ) throws -> [[UInt8]] {
        for warning in filter.warnings { console.note(warning) }
        var encoding = encoding
        encoding.metadata = filter.metadata
        encoding.lensProfile = filter.lensProfile?.summary
        // The filter has rotated the pixels upright, so the Exif orientation is 1.
        encoding.metadata?.orientation = 1
        if format == .heic { (encoding.mattes, encoding.depthMap) = (filter.mattes, filter.depthMap) }
        let crop = crop ?? sidecarCrop
        if hasGainMap { encoding.hdr = try filter.displayLinearPicture(color.primaries, crop: crop, fitting: size) }
        let depth: Renderer.Output.Depth =
            // The conversion to an output profile starts from 16 bits.
            switch encoding.outputProfile == nil ? encoding.depth : .sixteen {
            case .eight: .eight
            case .half: .half
            case .ten, .sixteen, nil: .sixteen
            }
        @Sendable func reportProgress(_ fraction: Double) -> Bool {
            progress(fraction)
            return true  // do not cancel the encoding
        }
        // A plain JPEG is encoded row by row while it is rendered, which needs no memory for the whole picture.
        if format == .jpeg, !hasGainMap, encoding.outputProfile == nil,
            let rows = try filter.rows(color: color, crop: crop, fitting: size)
        {
            return try DevelopJob.explaining(path, encoding: true) {
                try encoding.encodeJPEG(
                    width: rows.width, height: rows.height, color: color, progress: reportProgress, rows.forEach)
            }
        }
        let picture = try filter.picture(color: color, depth: depth, crop: crop, fitting: size)
        return try DevelopJob.explaining(path, encoding: true) {
            [try encoding.encode(picture, progress: reportProgress)]
        }
    }
}
