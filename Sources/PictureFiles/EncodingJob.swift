internal import RawImage

/// A picture on its way into a file, checked: what every format asks for.
struct EncodingJob {
    let facts: EncodingFacts
    let picture: Picture
    let depth: PictureDepth
    let watch: EncodingWatch

    var encoding: PictureEncoding { facts.encoding }
    var format: PictureFormat { encoding.format }
    var color: PictureColor { facts.color }
    var profile: [UInt8] { facts.profile }
    var xmp: XMPPacket? { facts.xmp }
    var exif: ExifBlock? { facts.exif }

    /// Throws when the format cannot hold the picture as it was asked for.
    init(
        _ encoding: PictureEncoding, _ picture: Picture, _ progress: (@Sendable (Double) -> Bool)?
    ) throws(PictureFileError) {
        facts = EncodingFacts(
            encoding: encoding, width: picture.width, height: picture.height, color: picture.color)
        self.picture = picture
        depth = encoding.depth ?? Self.natural(encoding.format, picture)
        watch = EncodingWatch(steps: picture.height, report: progress)
        try facts.check(depth)
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
}
