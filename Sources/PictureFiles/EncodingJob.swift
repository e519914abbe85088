internal import PhotoMetadata
internal import PictureCodecs
package import RawImage

/// A picture and its validated encoding settings, as every format's encoder needs them.
struct EncodingJob {
    let properties: EncodingProperties
    /// The picture in the colours of the file.
    let picture: Picture
    /// The picture in the colours that `color` describes, which an output profile replaces.
    private let original: Picture
    let depth: PictureDepth
    let monitor: EncodingMonitor

    var encoding: PictureEncoding { properties.encoding }
    var format: PictureFormat { encoding.format }
    var color: PictureColor { properties.color }
    var profile: [UInt8] { properties.profile }
    var xmp: XMPPacket? { properties.xmp }
    var exif: ExifBlock? { properties.exif }

    /// Validates the settings; throws if the file format cannot store the picture with them.
    init(
        _ encoding: PictureEncoding, _ picture: Picture, _ progress: (@Sendable (Double) -> Bool)?
    ) throws(GscapError) {
        properties = EncodingProperties(
            encoding: encoding, width: picture.width, height: picture.height, color: picture.color)
        original = picture
        let depth = encoding.depth(keeping: picture.samples.depth)
        self.depth = depth
        monitor = EncodingMonitor(steps: picture.height, report: progress)
        try properties.check(depth)
        self.picture =
            try encoding.outputProfile.map { profile throws(GscapError) in
                let conversion = try ProfileConversion(
                    from: picture.color, to: profile, hasWideResult: depth != .eight)
                return try conversion.converted(picture)
            } ?? picture
    }

    /// The sampled thumbnail of the picture; nil without metadata, and for a picture no larger than a thumbnail.
    var thumbnail: ThumbnailSampler? {
        guard exif != nil else { return nil }
        let sampler = ThumbnailSampler(width: picture.width, height: picture.height, color: color)
        sampler?.add(original)
        return sampler
    }

    /// Computes the gain map from the picture to its HDR rendition; nil without one.
    func gainMap() throws(GscapError) -> GainMap? {
        guard let hdr = encoding.hdr else { return nil }
        return try GainMap(from: picture, bits: depth == .ten ? 10 : 8, to: hdr)
    }

    /// The Exif orientation of the picture, 1…8; 1 without metadata.
    var orientation: Int { encoding.metadata?.validOrientation ?? 1 }

    /// The content light level to store: the one that the encoding specifies; otherwise measured if the picture is in
    /// PQ or HLG, else nil.
    var contentLightLevel: ContentLightLevel? {
        guard color.transfer == .pq || color.transfer == .hlg else { return encoding.contentLightLevel }
        return encoding.contentLightLevel ?? ContentLightLevel(of: picture)
    }
}

extension PictureEncoding {
    /// Returns the bit depth of the file: the requested one, or the picture's own if the format supports it, or else
    /// the format's greatest.
    fileprivate func depth(keeping own: PictureDepth) -> PictureDepth {
        depth ?? (format.depths.contains(own) ? own : format.depths.last ?? own)
    }

    /// Throws if pictures of this colour space and bit depth (`own`) cannot be stored with these settings. Called
    /// before a series of pictures, so that invalid settings fail before the first one.
    package func check(_ color: PictureColor, _ own: PictureDepth) throws(GscapError) {
        try EncodingProperties(encoding: self, width: 1, height: 1, color: color).check(depth(keeping: own))
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
