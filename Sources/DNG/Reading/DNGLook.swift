internal import RawImage

/// The look and lens corrections decoded from a file's profile tags and opcode lists.
///
/// Invalid tags are ignored and reported in `problems`, so that a file with, say, an invalid tone curve still opens.
struct DNGLook {
    var recipe = Recipe()
    private(set) var lens = LensCorrection()
    private(set) var opcodes: [DNGOpcode] = []
    /// Whether RGBTables has tables for the file's semantic masks, which are not supported.
    var needsMattes = false
    /// The main picture's area and default crop after TrimBounds; nil without such an opcode.
    private(set) var trimmed: (area: PixelRectangle, shown: PixelRectangle)?
    /// The opcodes that are applied to codes: those of OpcodeList1 to stored codes, those of OpcodeList2 to linear
    /// codes.
    private(set) var steps: (stored: [CodeOpcode], linear: [CodeOpcode]) = ([], [])
    private(set) var problems: [DNGProblem] = []
    /// The first problem of a tag of the recipe, not of an opcode; nil if there is none.
    private(set) var recipeProblem: DNGProblem?

    /// Decodes the look of the camera profile in the directory `profile`, which is IFD0 for the file's main profile.
    init(
        first: TIFFDirectory, profile: TIFFDirectory, raw: TIFFDirectory?, main: DNGImage?, mattes: Set<String>
    ) {
        recipe.exposure = (first.number(.baselineExposure) ?? 0) + (profile.number(.baselineExposureOffset) ?? 0)
        recipe.sharpness = first.number(.baselineSharpness) ?? 1
        recipe.name = profile.text(.profileName) ?? ""
        readCurve(profile)
        readGains(first, raw, profile)
        readHueSatMaps(profile)
        readLookTable(profile)
        readCube(profile, mattes: mattes)
        readBlack(first, profile)
        recipeProblem = problems.first
        guard let raw, let main else { return }
        for (number, tag) in [(1, TIFFTag.opcodeList1), (2, .opcodeList2), (3, .opcodeList3)] where raw.has(tag) {
            readOpcodes(raw, tag, list: number, main)
        }
    }

    /// Returns the result of `body`; if it throws, reports a problem with the tag and returns nil.
    mutating func attempt<Value>(
        _ tag: TIFFTag, _ directory: TIFFDirectory, _ body: () throws(GscapError) -> Value
    ) -> Value? {
        do throws(GscapError) { return try body() } catch {
            problems.append(
                DNGProblem(
                    .error, "\(tag) of the directory at byte \(directory.offset) is left out: \(error.message)"))
            return nil
        }
    }

    private mutating func readCurve(_ first: TIFFDirectory) {
        guard first.has(.profileToneCurve) else { return }
        let numbers = first.numbers(.profileToneCurve).map { Float($0) }
        let points = stride(from: 0, to: numbers.count - 1, by: 2).map { SIMD2(numbers[$0], numbers[$0 + 1]) }
        recipe.toneCurve = attempt(.profileToneCurve, first) { () throws(GscapError) in
            return try GscapError.recoding(
                as: .malformed, try ToneCurve(points: points))
        }
    }

    /// Decodes the gain map: ProfileGainTableMap2 takes precedence over ProfileGainTableMap, and the raw IFD over IFD0.
    /// A profile other than that in IFD0 may have its own ProfileGainTableMap2, which comes first.
    private mutating func readGains(_ first: TIFFDirectory, _ raw: TIFFDirectory?, _ profile: TIFFDirectory) {
        let own = profile.isSame(as: first) ? nil : profile
        for tag in [TIFFTag.profileGainTableMap2, .profileGainTableMap] {
            for directory in [own, raw, first].compactMap(\.self) where directory.has(tag) && recipe.gainTableMap == nil
            {
                recipe.gainTableMap = attempt(tag, directory) { () throws(GscapError) in
                    try Self.gains(directory, tag)
                }
            }
        }
    }

    /// Decodes a gain map in the file's byte order, or else as big-endian, as some encoders store it in every file.
    private static func gains(_ directory: TIFFDirectory, _ tag: TIFFTag) throws(GscapError) -> GainTableMap {
        let (bytes, isSecond) = (directory.bytes(tag), tag == .profileGainTableMap2)
        let isBigEndian = directory.container.isBigEndian
        do {
            return try GainTableMap(dng: bytes, isSecond: isSecond, isBigEndian: isBigEndian)
        } catch {
            guard !isBigEndian, let other = try? GainTableMap(dng: bytes, isSecond: isSecond, isBigEndian: true)
            else { throw error }
            return other
        }
    }

    /// Adds a shading map relative to `area`; returns false if it does not suit the averaged pixels of a quad mosaic.
    private mutating func addShading(_ map: ShadingMap, from area: PixelRectangle, _ main: DNGImage) -> Bool {
        let moved = map.moved(from: area, toPictureOf: main.width, main.height)
        guard let map = main.isQuad ? moved.binned : moved else { return false }
        lens.shading.append(map)
        return true
    }

    private mutating func readOpcodes(_ raw: TIFFDirectory, _ tag: TIFFTag, list: Int, _ main: DNGImage) {
        let stored = attempt(tag, raw) { () throws(GscapError) in try StoredOpcode.list(raw.bytes(tag)) } ?? []
        for opcode in stored {
            var isRead = false
            let area = trimmed?.area ?? main.activeArea
            switch opcode.number {
            // After list 2 a mosaic is demosaiced, so a GainMap in list 3 no longer addresses CFA cell positions.
            case StoredOpcode.gainMap where list == 2 || (list == 3 && main.kind == .linear):
                if let map = attempt(tag, raw, opcode.shadingMap) { isRead = addShading(map, from: area, main) }
            case _ where opcode.isWarp && list == 3 && lens.warp == nil:
                lens.warp = attempt(tag, raw, opcode.lensWarp)
                isRead = lens.warp != nil
            case StoredOpcode.trimBounds where list == 3:
                let bounds = attempt(tag, raw) { () throws(GscapError) in
                    try opcode.bounds(width: area.width, height: area.height)
                }
                if let bounds { trim(area, to: bounds, main) }
                isRead = bounds != nil
            // Vignetting can be corrected in sensor coordinates only before distortion is corrected.
            case StoredOpcode.fixVignetteRadial where list == 3 && lens.warp == nil:
                let map = attempt(tag, raw) { () throws(GscapError) in
                    try opcode.vignette(width: area.width, height: area.height)
                }
                if let map { isRead = addShading(map, from: area, main) }
            // A GainMap of list 2 becomes lens shading, which is corrected after the codes have been decoded, so the
            // opcodes that follow it in the list cannot be applied to codes.
            case _ where list == 1 || list == 2 && lens.shading.isEmpty:
                let step =
                    attempt(tag, raw) { () throws(GscapError) in try CodeOpcode(opcode, list: list, main) } ?? nil
                if let step, list == 1 { steps.stored.append(step) }
                if let step, list == 2 { steps.linear.append(step) }
                isRead = step != nil
            default: break
            }
            opcodes.append(
                DNGOpcode(list: list, number: opcode.number, isOptional: opcode.isOptional, isRead: isRead))
        }
    }
}

extension DNGLook {
    /// Applies TrimBounds: the default crop becomes relative to the trimmed area's corner and is clamped to the area.
    private mutating func trim(_ whole: PixelRectangle, to bounds: PixelRectangle, _ main: DNGImage) {
        let (active, crop) = (main.activeArea, main.defaultCrop)
        let area = PixelRectangle(
            left: whole.left + bounds.left, top: whole.top + bounds.top, width: bounds.width, height: bounds.height)
        let (width, height) = (min(crop.width, area.width), min(crop.height, area.height))
        let shown = PixelRectangle(
            left: area.left + min(crop.left - active.left, area.width - width),
            top: area.top + min(crop.top - active.top, area.height - height), width: width, height: height)
        // A preceding distortion correction refers to the untrimmed area.
        trimmed = (lens.warp == nil ? area : whole, shown)
    }
}
