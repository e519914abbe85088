internal import PhotoMetadata
internal import PictureCodecs
internal import RawImage

/// An OpenEXR file of one part: scan lines of linear half floats, uncompressed or ZIP-compressed in blocks of 16 lines.
///
/// OpenEXR has no tag for the orientation, so the picture is rotated upright.
struct EXRFile {
    let job: EncodingJob

    func encode() throws(GscapError) -> [UInt8] {
        let picture = try job.picture.upright(from: job.orientation)
        let lines = isDeflated ? 16 : 1
        // A block has few lines, so each band holds several blocks.
        let bands = try encodedBands(rows: picture.height, of: 64, monitor: job.monitor) {
            rows throws(GscapError) in
            var blocks: [[UInt8]] = []
            for start in stride(from: rows.lowerBound, to: rows.upperBound, by: lines) {
                blocks.append(try block(picture, start..<min(rows.upperBound, start + lines)))
            }
            return blocks
        }
        try job.monitor.check()
        let blocks = bands.flatMap(\.self)
        var file = header(picture)
        var offset = file.count + blocks.count * 8
        for block in blocks {
            file += UInt64(offset).littleEndianBytes
            offset += block.count
        }
        file.reserveCapacity(offset)
        for block in blocks { file += block }
        return file
    }

    private var isDeflated: Bool { job.encoding.compression == .deflate }

    /// Encodes a scan-line block: the number of its first line, the size of the data in bytes, and the data.
    private func block(_ picture: Picture, _ rows: Range<Int>) throws(GscapError) -> [UInt8] {
        let planes = RowFilter.planes(picture.halfBits(rows), width: picture.width)
        var bytes = RowFilter.littleEndian(planes)
        if isDeflated {
            let deflated = try Deflater.stream(RowFilter.exr(planes), .pixels)
            // A block that Deflate does not shrink is stored uncompressed: readers recognise that by its size.
            if deflated.count < bytes.count { bytes = deflated }
        }
        return Int32(rows.lowerBound).littleEndianBytes + Int32(bytes.count).littleEndianBytes + bytes
    }

    // MARK: The header and its attributes

    private func header(_ picture: Picture) -> [UInt8] {
        // Channels are sorted by name. Each has pixel type 1 (half), not perceptually linear, and sampling 1.
        let channel: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]
        let channels = [UInt8]("BGR".utf8).flatMap { name -> [UInt8] in [name, 0] + channel } + [0]
        let window = [0, 0, Int32(picture.width - 1), Int32(picture.height - 1)].flatMap(\.littleEndianBytes)
        let points = picture.color.primaries.chromaticities.flatMap { Self.float($0.x) + Self.float($0.y) }
        let attributes: [[UInt8]] = [
            Self.attribute("channels", "chlist", channels),
            Self.attribute("compression", "compression", [isDeflated ? 3 : 0]),
            Self.attribute("dataWindow", "box2i", window),
            Self.attribute("displayWindow", "box2i", window),
            Self.attribute("lineOrder", "lineOrder", [0]),
            Self.attribute("pixelAspectRatio", "float", Self.float(1)),
            Self.attribute("screenWindowCenter", "v2f", Self.float(0) + Self.float(0)),
            Self.attribute("screenWindowWidth", "float", Self.float(1)),
            Self.attribute("chromaticities", "chromaticities", points),
            Self.attribute("whiteLuminance", "float", Self.float(PictureColor.Transfer.diffuseWhite)),
        ]
        let magic: [UInt8] = [0x76, 0x2F, 0x31, 0x01, 2, 0, 0, 0]
        return magic + attributes.flatMap { $0 } + metadataAttributes + [0]
    }

    /// The attributes with the capture metadata, under OpenEXR's standard names. OpenEXR has none for an XMP packet.
    private var metadataAttributes: [UInt8] {
        guard let metadata = job.encoding.metadata else { return [] }
        let details = metadata.details
        let numbers = [
            ("expTime", metadata.exposureTime), ("isoSpeed", metadata.iso), ("aperture", details.fNumber),
            ("nominalFocalLength", details.focalLength),
        ].filter { $0.1.isFinite && $0.1 > 0 }
        let location = details.location.map {
            [("latitude", $0.latitude), ("longitude", $0.longitude)] + ($0.altitude.map { [("altitude", $0)] } ?? [])
        }
        var texts = [
            ("cameraMake", metadata.make), ("cameraModel", metadata.model), ("lensMake", details.lensMake),
            ("lensModel", details.lensModel), ("owner", details.artist), ("copyright", details.copyright),
            ("comments", details.title), ("keywords", details.keywords.joined(separator: "; ")),
            ("software", job.encoding.software),
        ]
        var utcOffset: [(String, Double)] = []
        if let time = metadata.civilTime {
            texts.append(("capDate", time.exif))
            // OpenEXR's `utcOffset` is UTC minus local time, in seconds.
            if let offset = time.utcOffset { utcOffset = [("utcOffset", -Double(offset))] }
        }
        let allNumbers: [(String, Double)] = numbers + (location ?? []) + utcOffset
        let bytes: [UInt8] = allNumbers.flatMap { Self.attribute($0.0, "float", Self.float($0.1)) }
        return bytes + texts.filter { !$0.1.isEmpty }.flatMap { Self.attribute($0.0, "string", Self.text($0.1)) }
    }

    /// The most bytes of a text. ffmpeg before release 6 takes what follows them for further attributes, and then shows
    /// black.
    private static let longestText = 255

    /// Encodes a text, of which a long one is cut off behind a character.
    private static func text(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for character in text {
            guard bytes.count + character.utf8.count <= longestText else { break }
            bytes += character.utf8
        }
        return bytes
    }

    private static func attribute(_ name: String, _ type: String, _ value: [UInt8]) -> [UInt8] {
        let names: [UInt8] = Array(name.utf8) + [0] + Array(type.utf8) + [0]
        return names + Int32(value.count).littleEndianBytes + value
    }

    private static func float(_ value: Double) -> [UInt8] { Float(value).bitPattern.littleEndianBytes }
}
