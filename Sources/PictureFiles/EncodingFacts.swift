internal import PhotoMetadata
internal import RawImage

/// What a file tells beside the pixels.
struct EncodingFacts {
    let encoding: PictureEncoding
    let width: Int
    let height: Int
    let color: PictureColor

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
                metadata: $0, software: encoding.software, color: color, width: width, height: height,
                isYCbCr: encoding.format == .jpeg)
        }
    }

    /// Throws when the format cannot hold the picture as it was asked for.
    func check(_ depth: PictureDepth) throws(PictureFileError) {
        let format = encoding.format
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
