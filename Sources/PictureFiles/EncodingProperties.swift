internal import PhotoMetadata
internal import RawImage

/// The properties of a picture file that do not depend on the pixels: size, colour and metadata.
struct EncodingProperties {
    let encoding: PictureEncoding
    let width: Int
    let height: Int
    let color: PictureColor

    /// The ICC profile of the picture's colours.
    var profile: [UInt8] { encoding.outputProfile?.bytes ?? ICCProfile(color: color).bytes }

    /// The colours that Exif states: sRGB or, for others and those of an output profile, uncalibrated.
    private var statedColor: PictureColor {
        encoding.outputProfile == nil ? color : PictureColor(.rec2020, color.transfer)
    }

    /// The XMP packet with the capture metadata; nil if the encoding has no metadata.
    var xmp: XMPPacket? {
        encoding.metadata.map { metadata in
            // The geometry is that of the sensor's pixels, which rendering crops, turns and corrects.
            var metadata = metadata
            metadata.calibration = nil
            var packet = XMPPacket(metadata: metadata, software: encoding.software)
            packet.properties = encoding.lensProfile.map { [XMPText.element("gscap:LensProfile", $0)] } ?? []
            return packet
        }
    }

    /// The Exif block with the capture metadata; nil if the encoding has no metadata.
    var exif: ExifBlock? {
        encoding.metadata.map {
            var block = ExifBlock(
                metadata: $0, software: encoding.software, color: statedColor, width: width, height: height,
                isYCbCr: encoding.format == .jpeg)
            block.contentIdentifier = encoding.contentIdentifier
            return block
        }
    }

    /// Throws if the file format cannot store pictures of this bit depth with these settings.
    func check(_ depth: PictureDepth) throws(GscapError) {
        let format = encoding.format
        let name = format == .webp ? "WebP" : format.rawValue.uppercased()
        func unsupported(_ message: String) -> GscapError { GscapError(.unsupported, message) }
        guard format.depths.contains(depth) else {
            let supported = format.depths.map(\.rawValue).joined(separator: ", ")
            throw unsupported("\(name) does not support depth \(depth.rawValue); use \(supported)")
        }
        switch (color.transfer, format) {
        case (.linear, .exr): break
        case (_, .exr):
            throw unsupported("OpenEXR stores linear values, but the picture is \(color.name); use a linear transfer")
        case (.linear, .jpeg), (.linear, .webp), (.linear, .heic), (.linear, .avif):
            throw unsupported("\(name) has too few codes for linear values; use EXR or TIFF, or another transfer")
        case (.pq, .jpeg), (.hlg, .jpeg), (.pq, .webp), (.hlg, .webp):
            throw unsupported(
                "\(name) has too few codes for \(color.name); use HEIC or AVIF, or a JPEG with a gain map")
        case (.linear, _) where depth == .eight, (.pq, _) where depth == .eight, (.hlg, _) where depth == .eight:
            throw unsupported("8 bits are too few for \(color.name); use a greater depth")
        case (.pq, .tiff) where depth == .half, (.hlg, .tiff) where depth == .half:
            throw unsupported("readers take floats in TIFF as linear, but the picture is \(color.name); use 16 bits")
        default: break
        }
        if format == .webp, max(width, height) > WebPFile.maxSide {
            throw unsupported(
                "WebP stores at most \(WebPFile.maxSide)×\(WebPFile.maxSide) pixels, but the picture has "
                    + "\(width)×\(height); make it smaller, or use AVIF or JPEG XL")
        }
        if encoding.outputProfile != nil {
            guard format != .exr else {
                throw unsupported("OpenEXR has no place for an ICC profile; use TIFF, or omit the profile")
            }
            guard !color.isHighDynamicRange, encoding.hdr == nil else {
                throw unsupported("an ICC output profile is for SDR pictures, not for linear, PQ, HLG or a gain map")
            }
            guard depth != .half else { throw unsupported("an ICC output profile needs integers; use 8 or 16 bits") }
        }
        if encoding.hdr != nil {
            guard format.hasGainMaps else {
                throw unsupported(
                    "\(name) does not support gain maps; use JPEG, HEIC or AVIF, or encode the HDR picture itself in "
                        + "PQ or HLG")
            }
            guard !color.isHighDynamicRange else {
                throw unsupported("a gain map starts from an SDR picture, but the picture is \(color.name)")
            }
        }
        if !encoding.mattes.isEmpty || encoding.depthMap != nil, format != .heic {
            throw unsupported("\(name) does not support mattes or depth maps; use HEIC")
        }
        guard (0...1).contains(encoding.quality) else {
            throw GscapError(.badPicture, "quality \(encoding.quality) is out of range; use 0 to 1")
        }
    }
}
