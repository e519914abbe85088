public import PhotoMetadata
public import RawImage

/// A DNG file, opened for reading: what is in it is known at once, pixels are read when asked for.
///
/// *Reentrant*: pictures may be read from several threads at a time.
///
/// Reading a broken file gives an error. Opening takes memory in proportion to the file. A picture takes 2 bytes a
/// sample, and is only read when the bytes of its strips or tiles can hold it: for uncompressed pixels exactly, for lossless JPEG
/// up to 8 samples a byte, for deflate and JPEG up to 1032; for JPEG XL, which can say anything in a few bytes, up to
/// 16,384, or 16 million samples if that is more. Beside the picture, each core holds one strip or tile at a time.
public struct DNGFile: Sendable {
    /// All pictures in the order of the file.
    public let images: [DNGImage]
    /// What the file tells of the frame it holds. The moment is told by `wallClock`; the sensor's clock is not kept.
    public let metadata: FrameMetadata
    /// How the file wants its picture to look.
    public let recipe: Recipe
    /// Steps between the stored codes and the finished picture that the file asks for; those that are understood are
    /// in `metadata.lens`, or done when pixels are read.
    public let opcodes: [DNGOpcode]
    /// What was left out because it makes no sense, such as a tone curve that falls.
    public let leftOut: [DNGProblem]
    /// What of that belongs to the look: the first such; nil when the whole look was read.
    package let lookProblem: DNGProblem?
    /// The digest of the raw codes that the file states; nil when it states none.
    public let statedDigest: RawDigest?
    /// The program that wrote the file; empty when not told.
    public let software: String
    /// The camera's one name for all markets.
    public let uniqueCameraModel: String
    /// The version of DNG that the file follows, such as `1.4.0.0`.
    public let version: String
    /// Exposure in EV that the converter shall add.
    public var baselineExposure: Double { recipe.exposure }
    /// Whether the file asks converters not to subtract black beyond the black level.
    public var keepsBlack: Bool { first.integer(.defaultBlackRender) == 1 }
    /// The metadata packet in XMP; nil when there is none.
    public var xmp: String? { first.text(.xmp) }
    /// The names of colour tables that the file has and that are not read.
    public var unreadProfileTables: [String] {
        let others: [TIFFTag] = first.has(.extraCameraProfiles) ? [.extraCameraProfiles] : []
        return (others + (hasMatteTables ? [.rgbTables] : [])).map(\.description)
    }
    /// How many bytes the file has.
    public var byteCount: Int { container.source.count }

    /// The part of the main picture that its opcodes leave, and the part of that to show.
    package let shownAreas: (whole: PixelRectangle, shown: PixelRectangle)?

    /// Whether tables of colours are for mattes.
    private let hasMatteTables: Bool
    let container: TIFFContainer
    let first: TIFFDirectory
    /// What opcodes ask to be done on the main picture's codes: as they are stored, and once they are linear.
    let steps: (stored: [CodeStep], linear: [CodeStep])

    /// Opens a file on disk.
    public init(path: String) throws(DNGError) {
        do {
            try self.init(source: ByteSource(path: path))
        } catch {
            throw DNGError(error.code, error.message.hasPrefix(path) ? error.message : "\(path): \(error.message)")
        }
    }

    /// Opens a file in memory.
    public init(bytes: [UInt8]) throws(DNGError) {
        try self.init(source: ByteSource(bytes))
    }

    /// Opens a file that the writer made.
    public init(_ data: DNGData) throws(DNGError) {
        try self.init(source: ByteSource(data))
    }

    private init(source: ByteSource) throws(DNGError) {
        container = try TIFFContainer(source)
        first = try container.directory(at: container.first)
        let version = first.integers(.dngVersion)
        guard version.count == 4 else {
            throw DNGError(.unsupported, "this is a TIFF file but not a DNG: it has no tag DNGVersion")
        }
        self.version = version.map(String.init).joined(separator: ".")
        let directories = try Self.directories(container)
        images = try Self.images(directories)
        let main = images.first(where: \.isMain)
        let raw = directories.first { $0.offset == main?.offset }
        let mattes = Set(images.filter { $0.kind == .mask }.map(\.name))
        let look = DNGLook(first: first, raw: raw, main: main, mattes: mattes)
        recipe = look.recipe
        opcodes = look.opcodes
        steps = look.steps
        hasMatteTables = look.needsMattes
        shownAreas = look.trimmed.map { ($0.area, $0.shown) } ?? main.map { ($0.activeArea, $0.defaultCrop) }
        leftOut = look.problems
        lookProblem = look.recipeProblem
        metadata = try FrameMetadata(first: first, raw: raw, main: main, lens: look.lens)
        statedDigest = RawDigest(bytes: first.bytes(.newRawImageDigest))
        software = first.text(.software) ?? ""
        uniqueCameraModel = first.text(.uniqueCameraModel) ?? ""
    }

    /// The picture that the file is about; nil when there is none.
    public var main: DNGImage? { images.first(where: \.isMain) }

    /// More pictures than any camera writes.
    private static let mostImages = 64

    /// Follows the chain of directories and the sub-directories of each.
    private static func directories(_ container: TIFFContainer) throws(DNGError) -> [TIFFDirectory] {
        var directories: [TIFFDirectory] = []
        var seen: Set<Int> = []
        var waiting = [container.first]
        while let offset = waiting.popLast() {
            guard seen.insert(offset).inserted else {
                throw DNGError(.malformed, "the directories go round in circles: the one at byte \(offset) comes twice")
            }
            guard seen.count <= mostImages else {
                throw DNGError(.malformed, "there are more than \(mostImages) pictures in the file")
            }
            let directory = try container.directory(at: offset)
            directories.append(directory)
            if directory.next != 0 { waiting.append(directory.next) }
            waiting += directory.integers(.subIFDs).prefix(mostImages).reversed()
        }
        return directories
    }

    private static func images(_ directories: [TIFFDirectory]) throws(DNGError) -> [DNGImage] {
        var images: [DNGImage] = []
        for directory in directories {
            images.append(try DNGImage(directory, mayBeMain: !images.contains(where: \.isMain)))
        }
        return images
    }
}
