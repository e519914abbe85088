internal import RawImage

/// A picture on its way into a file, checked: what every format asks for.
struct EncodingJob {
    let encoding: PictureEncoding
    let picture: Picture
    let depth: PictureDepth
    let watch: EncodingWatch

    var format: PictureFormat { encoding.format }
    var color: PictureColor { picture.color }

    /// Throws when the format cannot hold the picture as it was asked for.
    init(
        _ encoding: PictureEncoding, _ picture: Picture, _ progress: (@Sendable (Double) -> Bool)?
    ) throws(PictureFileError) {
        self.encoding = encoding
        self.picture = picture
        depth = encoding.depth ?? Self.natural(encoding.format, picture)
        watch = EncodingWatch(steps: picture.height, report: progress)
        try check()
    }

    /// The profile of the picture's colours.
    var profile: [UInt8] { ICCProfile(color: color).bytes }

    /// The packet about the shot; nil when nothing is known of it.
    var xmp: XMPPacket? {
        encoding.metadata.map { XMPPacket(metadata: $0, software: encoding.software) }
    }

    /// What Exif tells of the shot; nil when nothing is known of it.
    var exif: ExifBlock? {
        encoding.metadata.map {
            ExifBlock(
                metadata: $0, software: encoding.software, color: color, width: picture.width, height: picture.height,
                isYCbCr: format == .jpeg)
        }
    }

    /// The metadata's orientation.
    var orientation: Int { encoding.metadata?.validOrientation ?? 1 }

    /// How bright an HDR picture gets; nil for others.
    var lightLevels: LightLevels? {
        guard color.transfer == .pq || color.transfer == .hlg else { return encoding.lightLevels }
        return encoding.lightLevels ?? LightLevels(of: picture)
    }

    /// What suits a picture in a format.
    private static func natural(_ format: PictureFormat, _ picture: Picture) -> PictureDepth {
        let wish: PictureDepth =
            switch picture.samples {
            case .bytes: .eight
            case .words: .sixteen
            case .halves: .half
            }
        if format.depths.contains(wish) { return wish }
        return format.depths.last ?? wish
    }

    private func check() throws(PictureFileError) {
        let name = format.rawValue.uppercased()
        func unsupported(_ message: String) -> PictureFileError { PictureFileError(.unsupported, message) }
        guard format.depths.contains(depth) else {
            let able = format.depths.map(\.rawValue).joined(separator: ", ")
            throw unsupported("\(name) has no depth \(depth.rawValue); it has \(able)")
        }
        switch (color.transfer, format) {
        case (.linear, .exr): break
        case (_, .exr):
            throw unsupported("OpenEXR holds linear light, and the picture is \(color.name); develop it linear")
        case (.linear, .jpeg), (.linear, .heic), (.linear, .avif):
            throw unsupported("\(name) has too few steps for linear light; take EXR or TIFF, or another transfer")
        case (.pq, .jpeg), (.hlg, .jpeg):
            throw unsupported("JPEG has too few steps for \(color.name); take HEIC or AVIF, or give JPEG a gain map")
        case (.linear, _) where depth == .eight, (.pq, _) where depth == .eight, (.hlg, _) where depth == .eight:
            throw unsupported("8 bits have too few steps for \(color.name); take a greater depth")
        default: break
        }
        if encoding.hdr != nil, format != .jpeg {
            throw unsupported("a gain map goes into JPEG; \(name) takes an HDR picture as it is, in PQ or HLG")
        }
        if !encoding.mattes.isEmpty || encoding.depthMap != nil, format != .heic {
            throw unsupported("mattes and depth go into HEIC, not into \(name)")
        }
        guard (0...1).contains(encoding.quality) else {
            throw PictureFileError(.badPicture, "the quality is \(encoding.quality); it goes from 0 to 1")
        }
    }
}
