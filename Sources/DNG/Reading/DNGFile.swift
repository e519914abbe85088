public import PhotoMetadata
public import RawImage

/// A DNG file opened for reading: opening parses directories and metadata; pixels are decoded on demand.
///
/// *Reentrant*: several threads may decode pictures at the same time.
///
/// Damaged files throw errors. Opening uses memory in proportion to the file. A decoded picture takes 2 bytes per
/// sample, and is decoded only if the bytes of its strips or tiles can hold it: exactly for uncompressed pixels, up to
/// 8 samples per byte for lossless JPEG, 1032 for deflate and JPEG, and 16,384 for JPEG XL, or 16 million samples in
/// all if that is more. In addition, each core holds one strip or tile at a time.
///
/// Whatever is decoded is compared with the file's digests, if it has any: a damaged part throws an error with the code
/// `damaged`, unless `acceptsDamage` is set.
public struct DNGFile: Sendable {
    /// Whether damaged parts are decoded as they are. The damage is then in `acceptedDamage`, and in the history of the
    /// picture's metadata.
    public var acceptsDamage = false
    /// Whether the pixels are compared with the digests in the receipt; a benchmark measures the time without.
    /// Verification then compares NewRawImageDigest alone.
    package var checksDigests = true
    /// The digests in the file's receipt; nil if it has none.
    let receipt: PartDigests?
    /// The comparisons with the digests so far, which copies of this value share.
    var checks = PartChecks()
    /// All pictures in the order of the file's directories.
    public let images: [DNGImage]
    /// The metadata of the file's frame. Its capture time is `wallClock`; files have no sensor timestamp.
    public private(set) var metadata: FrameMetadata
    /// The look that the file's tags request: exposure, tone curve, gain map, profile tables.
    public private(set) var recipe: Recipe
    /// All opcodes of OpcodeList1 to OpcodeList3. Supported ones are in `metadata.lens` or are applied when pixels are
    /// decoded.
    public let opcodes: [DNGOpcode]
    /// Problems of tags that were ignored as invalid, such as a decreasing tone curve.
    public private(set) var tagProblems: [DNGProblem]
    /// The first problem of a tag of the look (`recipe`); nil if the whole look was valid.
    private(set) var lookProblem: DNGProblem?
    /// The file's NewRawImageDigest; nil if it has none.
    public let statedDigest: RawDigest?
    /// The Software tag; empty if missing.
    public let software: String
    /// The UniqueCameraModel tag: the camera's non-localized name.
    public let uniqueCameraModel: String
    /// The DNGVersion tag, such as `1.4.0.0`.
    public let version: String
    /// The exposure in EV that a converter adds: BaselineExposure plus BaselineExposureOffset.
    public var baselineExposure: Double { recipe.exposure }
    /// Whether DefaultBlackRender is 1 (none): converters must not subtract black beyond BlackLevel.
    public var disablesBlackRender: Bool { profile.integer(.defaultBlackRender) == 1 }
    /// The XMP packet; nil if there is none.
    public var xmp: String? { first.text(.xmp) }
    /// The names of the file's profile tags that are not supported.
    public var unsupportedProfileTags: [String] {
        hasMatteTables ? [TIFFTag.rgbTables.description] : []
    }
    /// The camera's own raw file that was read in place of a DNG (`init(rawFile:)`); nil for a DNG.
    public internal(set) var cameraRaw: CameraRawSource?
    /// The file's size in bytes.
    public var byteCount: Int { cameraRaw?.byteCount ?? container.source.count }

    /// The main picture's active area (`whole`) and the part that converters show (`shown`): the default crop, after
    /// TrimBounds opcodes, and the user's crop in it; nil without a main picture.
    package let shownAreas: (whole: PixelRectangle, shown: PixelRectangle)?
    /// The default crop after TrimBounds opcodes, without the user's crop; nil without such an opcode.
    let trimmedCrop: PixelRectangle?

    /// Whether RGBTables has tables for the file's semantic masks, which are not supported.
    private var hasMatteTables: Bool
    let container: TIFFContainer
    let first: TIFFDirectory
    /// The directory of the camera profile that `metadata` and `recipe` are of: IFD0 unless another was chosen.
    private(set) var profile: TIFFDirectory
    private let raw: TIFFDirectory?
    /// The main picture with the size and areas of its stored pixels, to which its tags refer.
    private let stored: DNGImage?
    /// The opcodes that are applied to the main picture's codes: those of OpcodeList1 to stored codes, those of
    /// OpcodeList2 to linear codes.
    let steps: (stored: [CodeOpcode], linear: [CodeOpcode])

    /// Opens a file on disk.
    public init(path: String) throws(GscapError) {
        do {
            try self.init(source: ByteSource(path: path))
        } catch {
            throw error.naming(path)
        }
    }

    /// Opens a file in memory.
    public init(bytes: [UInt8]) throws(GscapError) {
        try self.init(source: ByteSource(bytes))
    }

    /// Opens a file that `DNGWriter` encoded.
    public init(_ data: DNGData) throws(GscapError) {
        try self.init(source: ByteSource(data))
    }

    private init(source: ByteSource) throws(GscapError) {
        container = try TIFFContainer(source)
        first = try container.directory(at: container.first)
        let version = first.integers(.dngVersion)
        guard version.count == 4 else {
            var error = Self.notDNG(container, first)
            error.location = TIFFLocation(first, .dngVersion)
            throw error
        }
        self.version = version.map(String.init).joined(separator: ".")
        let directories = try Self.directories(container)
        images = try Self.images(directories)
        receipt = first.text(.xmp).flatMap { PartDigests(XMPReader($0)) }
        let main = images.first(where: \.isMain)
        raw = directories.first { $0.offset == main?.offset }
        stored = if let main, let raw { try main.stored(in: raw) } else { main }
        profile = first
        let look = DNGLook(first: first, profile: first, raw: raw, main: stored, mattes: Self.mattes(images))
        recipe = look.recipe
        opcodes = look.opcodes
        steps = look.steps
        hasMatteTables = look.needsMattes
        let crop = UserCrop(first: first, raw: raw)
        let trimmed = look.trimmed.map { areas in
            main?.isBinned == true ? (area: areas.area.halved, shown: areas.shown.halved) : areas
        }
        trimmedCrop = trimmed?.shown
        shownAreas = (trimmed.map { ($0.area, $0.shown) } ?? main.map { ($0.activeArea, $0.defaultCrop) })
            .map { ($0.0, crop?.area(of: $0.1) ?? $0.1) }
        tagProblems = look.problems
        lookProblem = look.recipeProblem
        metadata = try FrameMetadata(first: first, profile: first, raw: raw, main: stored, lens: look.lens)
        statedDigest = RawDigest(bytes: first.bytes(.newRawImageDigest))
        software = first.text(.software) ?? ""
        uniqueCameraModel = first.text(.uniqueCameraModel) ?? ""
    }

    /// Replaces the camera profile: the matrices in `metadata`, and the look.
    mutating func setProfile(_ directory: TIFFDirectory) throws(GscapError) {
        let look = DNGLook(first: first, profile: directory, raw: raw, main: stored, mattes: Self.mattes(images))
        metadata = try FrameMetadata(first: first, profile: directory, raw: raw, main: stored, lens: look.lens)
        profile = directory
        recipe = look.recipe
        hasMatteTables = look.needsMattes
        tagProblems = look.problems
        lookProblem = look.recipeProblem
    }

    /// Returns the names of the semantic masks among pictures.
    private static func mattes(_ images: [DNGImage]) -> Set<String> {
        Set(images.filter { $0.kind == .mask }.map(\.name))
    }

    /// The main raw picture: the first mosaic or linear picture with NewSubFileType 0; nil if there is none.
    public var main: DNGImage? { images.first(where: \.isMain) }

    /// Returns the error for a TIFF file without DNGVersion: what it is and what to do.
    private static func notDNG(_ container: TIFFContainer, _ first: TIFFDirectory) -> GscapError {
        let others = (try? directories(container)) ?? [first]
        // The raw picture of NEF, ARW and their like is a mosaic, a private compression, or a picture in a SubIFD.
        let hasRaw = others.contains {
            $0.integer(.photometric) == Int(Photometric.cfa) || ($0.integer(.compression) ?? 1) > 32_766
        }
        if let format = ForeignFormat(make: first.text(.make) ?? "", hasRawPicture: hasRaw) { return format.error }
        return GscapError(
            .unsupported,
            "this is a TIFF file but not a DNG file: it has no valid DNGVersion tag; a finished picture has no raw "
                + "data to work with")
    }

    /// The maximum number of directories, far above what any camera writes.
    private static let mostImages = 64

    /// Returns all directories: IFD0, its chain, and their SubIFDs; throws if they form a cycle.
    private static func directories(_ container: TIFFContainer) throws(GscapError) -> [TIFFDirectory] {
        var directories: [TIFFDirectory] = []
        var visited: Set<Int> = []
        var pending = [container.first]
        while let offset = pending.popLast() {
            guard visited.insert(offset).inserted else {
                throw GscapError(
                    .malformed, "the directories go round in circles: byte \(offset) is listed twice",
                    at: TIFFLocation(path: container.source.path, offset: offset))
            }
            guard visited.count <= mostImages else {
                throw GscapError(.malformed, "there are more than \(mostImages) pictures in the file")
            }
            let directory = try container.directory(at: offset)
            directories.append(directory)
            if directory.next != 0 { pending.append(directory.next) }
            pending += directory.integers(.subIFDs).prefix(mostImages).reversed()
        }
        return directories
    }

    /// Returns the pictures of a container, without metadata.
    static func pictures(of container: TIFFContainer) throws(GscapError) -> [DNGImage] {
        try images(directories(container))
    }

    private static func images(_ directories: [TIFFDirectory]) throws(GscapError) -> [DNGImage] {
        var images: [DNGImage] = []
        for directory in directories {
            images.append(try DNGImage(directory, mayBeMain: !images.contains(where: \.isMain)))
        }
        if !images.contains(where: \.isMain) {
            // Without another raw picture, a grey one is that of a monochrome camera.
            for (index, directory) in directories.enumerated() where !images.contains(where: \.isMain) {
                images[index] = try DNGImage(directory, mayBeMain: true, takesGrey: true)
            }
        }
        return zip(images, directories).filter { !($0.kind == .preview && isEmpty($1)) }.map(\.0)
    }

    /// Whether a picture's directory states that it has no bytes: ExifTool so removes a preview from the first
    /// directory, which also has the metadata.
    private static func isEmpty(_ directory: TIFFDirectory) -> Bool {
        let counts = directory.integers(directory.has(.tileByteCounts) ? .tileByteCounts : .stripByteCounts)
        return !counts.isEmpty && counts.allSatisfy { $0 == 0 }
    }
}
