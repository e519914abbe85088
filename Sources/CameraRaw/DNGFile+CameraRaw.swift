public import DNG
internal import RawImage
internal import TIFF

extension DNGFile {
    /// Opens a DNG, or decodes a camera's own raw file (NEF, ARW, CR3, RAF …) to an uncompressed DNG in memory, with
    /// the visible area of its raw picture, and with the Exif of the file and what LibRaw reads besides. `cameraRaw`
    /// then describes the file.
    ///
    /// LibRaw runs in a process of its own (`gscap-libraw`) with little memory and time, so that a malformed file on
    /// which it crashes or hangs is an error. Throws `missingCodec` for a camera's file if LibRaw or that program is
    /// not installed. Damaged codes are an error of the code
    /// `damaged` when the mosaic is read, unless `acceptsDamage` is set.
    public init(rawFile path: String) throws(GscapError) {
        self = try Self.reading(path, asDNG: DNGFile.init(path:), asCameraRaw: Self.decode)
    }

    /// Returns a file's preview as a JPEG: the first one of a DNG, or the largest one that the camera stored in its own
    /// raw file, whose raw picture is not decoded. Nil if there is none, or a DNG's is not stored as a baseline JPEG.
    public static func previewJPEG(rawFile path: String) throws(GscapError) -> [UInt8]? {
        try reading(
            path, asDNG: { path throws(GscapError) in try DNGFile(path: path).previewJPEG() },
            asCameraRaw: { path throws(GscapError) in try CameraRawFile.preview(path: path) })
    }

    /// Reads a file as a DNG or, if it is a camera's own raw file, through LibRaw. Errors name the file.
    static func reading<Result>(
        _ path: String, asDNG: (String) throws(GscapError) -> Result,
        asCameraRaw: (String) throws(GscapError) -> Result
    ) throws(GscapError) -> Result {
        let failure: GscapError
        do { return try asDNG(path) } catch { failure = error }
        let isKnown = failure.code == .cameraRaw
        // The extension is enough for formats that are not recognised by their first bytes.
        let isLikely = [.malformed, .unsupported].contains(failure.code) && CameraRawFile.formatName(of: path) != nil
        guard isKnown || isLikely else { throw failure }
        do {
            return try asCameraRaw(path)
        } catch {
            // A file of another format with the extension of a raw file, such as a JPEG.
            if error.code == .unsupported, failure.code == .unsupported { throw failure }
            throw error.naming(path)
        }
    }

    private static func decode(_ path: String) throws(GscapError) -> DNGFile {
        let photo = try CameraRawFile.decode(path: path)
        do throws(GscapError) {
            var header = photo.header
            header.metadata.removeVoidPlace()
            var writer = DNGWriter()
            writer.storage = .uncompressed
            // As in a DNG without DefaultBlackRender, converters choose black themselves.
            writer.recipe.shadowBias = Recipe.defaultShadowBias
            writer.defaultCrop = header.crop
            // The side of a pixel that is the longer one is scaled, so that no pixels are lost.
            writer.defaultScale = (max(1, header.pixelAspect), max(1, 1 / header.pixelAspect))
            writer.cellBlackLevels = header.cellBlackLevels
            writer.fourColors = header.fourColors
            let picture =
                header.colors == .linear
                ? RawPictureFormat(LinearFormat(width: header.width, height: header.height))
                : RawPictureFormat(
                    width: header.width, height: header.height, bitDepth: header.bitDepth,
                    cell: ColorCell(header.colors))
            var data = try photo.codes.withCodes { codes throws(GscapError) in
                try writer.encode(codes, picture, header.metadata)
            }
            if let metadata = CameraRawMetadata(path: path) { data = try data.taking(metadata) }
            let source = CameraRawSource(
                format: CameraRawFile.formatName(of: path) ?? "camera raw", reader: "LibRaw \(photo.header.version)",
                byteCount: try ByteSource(path: path).count, serial: photo.header.serial)
            return try DNGFile(data, of: source, damage: photo.isDamaged ? damage : nil)
        } catch {
            throw GscapError(error.code == .noMemory ? .noMemory : .malformed, error.message)
        }
    }

    private static let damage = "the raw picture is damaged: LibRaw could not decode a part of it"

    /// Whether a name has the extension of a camera's raw file.
    package static func isCameraRaw(name: String) -> Bool { CameraRawFile.formatName(of: name) != nil }
}

extension ColorCell {
    /// The cell of a camera's colours; nil for a monochrome camera and for linear pictures.
    init?(_ colors: CameraRawColors) {
        switch colors {
        case .bayer(let pattern): self.init(pattern)
        case .xTrans(let pattern): self.init(pattern)
        case .four(let planes, let colors): self.init(planes: planes, of: colors)
        case .monochrome, .linear: return nil
        }
    }
}
