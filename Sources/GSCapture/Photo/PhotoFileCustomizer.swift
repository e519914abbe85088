internal import GscapElements
public import RawImage

/// The compression of the raw picture in a ProRAW file.
public struct ProRAWCompression: Sendable, Hashable {
    /// The bits per stored sample of lossless compression, from 8, along a curve that follows the noise: fewer bits
    /// give a smaller file. Nil leaves them as they are, which is 12 unless the encoder's settings say otherwise.
    public var bitDepth: Int?
    /// The quality, from 0 to 1. 1 is lossless; below 1 the raw picture is stored as lossy JPEG with 8 bits per sample,
    /// and `bitDepth` is ignored.
    public var quality: Double

    /// Creates a compression; the defaults are lossless and leave the bit depth as it is.
    public init(bitDepth: Int? = nil, quality: Double = 1) {
        self.bitDepth = bitDepth
        self.quality = quality
    }

    /// A warning that `bitDepth` is ignored because `quality` is below 1; nil if both take effect.
    public var warning: String? { DNGConversion.warning(bitDepth: bitDepth, quality: quality) }
}

/// Decides what a photo's file contains, for `Photo.fileBytes(with:)` and `Photo.write(to:customizedBy:)`.
///
/// Each function has a default implementation that changes nothing, so a customizer has only those that it needs.
public protocol PhotoFileCustomizer: Sendable {
    /// Returns the compression of a ProRAW file. `maximumBitDepth` is the greatest allowed bit depth: that of the
    /// delivered file. Not called for other photos.
    func replacementCompression(
        for photo: Photo, default: ProRAWCompression, maximumBitDepth: Int
    ) -> ProRAWCompression

    /// Returns the description that the file contains: lens, location, artist, copyright and title. `default` is that
    /// of the delivered photo; return it without its location to remove the location.
    func replacementMetadata(for photo: Photo, default: DescriptiveMetadata) -> DescriptiveMetadata

    /// Returns the longest side in pixels of a new preview in the file, at most that of the photo; nil keeps the
    /// previews as they are.
    func replacementThumbnailLongestSide(for photo: Photo) -> Int?
}

extension PhotoFileCustomizer {
    /// Returns `default`.
    public func replacementCompression(
        for photo: Photo, default compression: ProRAWCompression, maximumBitDepth: Int
    ) -> ProRAWCompression { compression }

    /// Returns `default`.
    public func replacementMetadata(
        for photo: Photo, default details: DescriptiveMetadata
    ) -> DescriptiveMetadata { details }

    /// Returns nil.
    public func replacementThumbnailLongestSide(for photo: Photo) -> Int? { nil }
}

extension CaptureError.Code {
    /// A customizer asks for something that the photo's file format cannot store, or for an invalid value.
    public static let cannotCustomize = CaptureError.Code(rawValue: "cannotCustomize")
}
