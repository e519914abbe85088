internal import PhotoMetadata
package import RawImage

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
        depth = encoding.depth(keeping: picture.samples.depth)
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
}

extension PictureEncoding {
    /// How finely numbers are told apart in the file of a picture that has them so.
    fileprivate func depth(keeping own: PictureDepth) -> PictureDepth {
        depth ?? (format.depths.contains(own) ? own : format.depths.last ?? own)
    }

    /// Throws when pictures of a colour, with numbers that are told apart so finely, cannot be stored as is asked for: for
    /// who is to store many, and would rather know before the first comes.
    package func check(_ color: PictureColor, _ own: PictureDepth) throws(PictureFileError) {
        try EncodingFacts(encoding: self, width: 1, height: 1, color: color).check(depth(keeping: own))
    }
}

extension Picture.Samples {
    fileprivate var depth: PictureDepth {
        switch self {
        case .bytes: .eight
        case .words: .sixteen
        case .halves: .half
        }
    }
}
