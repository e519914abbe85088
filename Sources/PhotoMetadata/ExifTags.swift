/// The groups of tags by what a new file may take from another one.
package enum ExifTags {
    /// The tags of a primary directory that describe the photo, its maker or the camera, in whatever file they are:
    /// DocumentName, ImageDescription, Make, Model, DateTime, Artist, HostComputer, Rating, RatingPercent, Copyright,
    /// IPTC, and the texts of Windows. Software is that of the program that writes the file.
    package static let primary = Set<UInt16>(
        [269...272, 306...306, 315...316, 18_246...18_246, 18_249...18_249, 33_432...33_432, 33_723...33_723]
            .flatMap { (range: ClosedRange<UInt16>) in Array(range) } + Array(40_091...40_095))

    /// IPTC, for which other files than TIFF have another place than Exif.
    static let iptc: UInt16 = 33_723

    /// The tags of Exif that TIFF/EP has in the primary directory, where older cameras store them.
    package static let exifInPrimary = Set<UInt16>(
        [33_434, 33_437, 34_850, 34_855, 36_867] + Array(37_377...37_386) + Array(37_520...37_522))

    /// The tags of Exif that describe the pixels of their own file, or their storage: ComponentsConfiguration,
    /// CompressedBitsPerPixel, the size, the interoperability directory, CFAPattern, Gamma, padding.
    package static let ofStoredPixels: Set<UInt16> = [
        37_121, 37_122, 40_962, 40_963, 40_965, 41_730, 42_240, 59_932, 59_933,
    ]

    /// The tags of Exif that are positions, or distances between pixels, in the picture as the camera stores it; and
    /// ImageUniqueID, which is that of its file.
    package static let ofPositions: Set<UInt16> = [37_396, 41_484, 41_486, 41_487, 41_488, 41_492, 42_016]
}
