public import RawImage

/// A DNG file, opened for reading: what is in it is known at once, pixels are read when asked for.
///
/// *Reentrant*: pictures may be read from several threads at a time. Reading a broken file gives an error, and
/// takes memory in proportion to the file only.
public struct DNGFile: Sendable {
    /// All pictures in the order of the file.
    public let images: [DNGImage]
    /// What the file tells of the frame it holds. The moment is told by `wallClock`; the sensor's clock is not kept.
    public let metadata: FrameMetadata
    /// The digest of the raw codes that the file states; nil when it states none.
    public let statedDigest: RawDigest?
    /// The program that wrote the file; empty when not told.
    public let software: String
    /// The camera's one name for all markets.
    public let uniqueCameraModel: String
    /// The version of DNG that the file follows, such as `1.4.0.0`.
    public let version: String
    /// Exposure in EV that the converter shall add.
    public let baselineExposure: Double
    /// How many bytes the file has.
    public var byteCount: Int { source.count }

    let source: ByteSource
    let check: DirectoryCheck

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
        self.source = source
        check = try DirectoryCheck(source)
        let input = try TIFFInput(source, check: check)
        try input.select(check.first)
        let version = input.integers(.dngVersion)
        guard version.count == 4 else {
            throw DNGError(.unsupported, "this is a TIFF file but not a DNG: it has no tag DNGVersion")
        }
        self.version = version.map(String.init).joined(separator: ".")
        images = try Self.images(input, first: check.first)
        metadata = try FrameMetadata(input, first: check.first, main: images.first(where: \.isMain))
        try input.select(check.first)
        statedDigest = RawDigest(bytes: input.integers(.newRawImageDigest).map { UInt8(clamping: $0) })
        software = input.text(.software) ?? ""
        uniqueCameraModel = input.text(.uniqueCameraModel) ?? ""
        baselineExposure = input.numbers(.baselineExposure).first ?? 0
    }

    /// The picture that the file is about; nil when there is none.
    public var main: DNGImage? { images.first(where: \.isMain) }

    /// More pictures than any camera writes.
    private static let mostImages = 64

    /// Follows the chain of directories and the sub-directories of each.
    private static func images(_ input: TIFFInput, first: Int) throws(DNGError) -> [DNGImage] {
        var images: [DNGImage] = []
        var seen: Set<Int> = []
        var waiting = [first]
        while let offset = waiting.popLast() {
            guard seen.insert(offset).inserted else {
                throw DNGError(.malformed, "the directories go round in circles: the one at byte \(offset) comes twice")
            }
            guard seen.count <= mostImages else {
                throw DNGError(.malformed, "there are more than \(mostImages) pictures in the file")
            }
            let next = try input.select(offset)
            let hasMain = images.contains(where: \.isMain)
            images.append(try DNGImage(input, offset: offset, mayBeMain: !hasMain))
            if next != 0 { waiting.append(next) }
            waiting += input.integers(.subIFDs).reversed()
        }
        return images
    }
}

extension DNGImage {
    /// Reads the shape from the directory that `input` is at.
    init(_ input: TIFFInput, offset: Int, mayBeMain: Bool) throws(DNGError) {
        self.offset = offset
        width = input.long(.imageWidth)
        height = input.long(.imageLength)
        let sides = 1...MosaicFormat.maximumSide
        guard sides.contains(width), sides.contains(height) else {
            throw DNGError(
                .malformed, "the picture of the directory at byte \(offset) has a size of \(width)×\(height)")
        }
        bitsPerSample = input.short(.bitsPerSample)
        samplesPerPixel = input.short(.samplesPerPixel)
        compression = DNGCompression(rawValue: input.short(.compression))
        isTiled = input.long(.tileWidth) != 0
        activeArea = Self.activeArea(input, width: width, height: height)
        defaultCrop = Self.defaultCrop(input, within: activeArea)

        let photometric = UInt16(input.short(.photometric))
        pattern = photometric == Photometric.cfa ? Self.pattern(input, activeArea: activeArea) : nil
        let subFileType = input.long(.newSubFileType)
        kind =
            switch photometric {
            case Photometric.cfa where pattern != nil && samplesPerPixel == 1: .bayer
            case Photometric.linearRaw where samplesPerPixel == 3: .linear
            case Photometric.depth: .depth
            case Photometric.mask: .mask
            case _ where subFileType & 1 == 1: .preview
            default: .other
            }
        isMain = mayBeMain && subFileType == 0 && (kind == .bayer || kind == .linear)
    }

    private static func pattern(_ input: TIFFInput, activeArea: Area) -> BayerPattern? {
        guard input.integers(.cfaRepeatPatternDim) == [2, 2] else { return nil }
        let colors = input.integers(.cfaPattern)
        // The cell starts at the active area's corner.
        return BayerPattern.allCases.first { $0.planes == colors }?
            .shifted(rows: -activeArea.top, columns: -activeArea.left)
    }

    private static func activeArea(_ input: TIFFInput, width: Int, height: Int) -> Area {
        let edges = input.integers(.activeArea)
        guard edges.count == 4, edges[0] >= 0, edges[1] >= 0, edges[0] < edges[2], edges[1] < edges[3],
            edges[2] <= height, edges[3] <= width
        else {
            return Area(left: 0, top: 0, width: width, height: height)
        }
        return Area(left: edges[1], top: edges[0], width: edges[3] - edges[1], height: edges[2] - edges[0])
    }

    private static func defaultCrop(_ input: TIFFInput, within area: Area) -> Area {
        let numbers = input.integers(.defaultCropOrigin) + input.integers(.defaultCropSize)
        guard numbers.count == 4, numbers.allSatisfy({ (0...MosaicFormat.maximumSide).contains($0) }) else {
            return area
        }
        let (left, top, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
        guard width > 0, height > 0, left + width <= area.width, top + height <= area.height else { return area }
        return Area(left: area.left + left, top: area.top + top, width: width, height: height)
    }
}
