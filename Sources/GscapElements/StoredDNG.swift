internal import DNG
package import RawImage

/// A DNG file in memory, for modules that do not import DNG.
package struct StoredDNG: Sendable {
    private let file: DNGFile

    /// Opens a DNG file; throws if the bytes are none.
    package init(_ bytes: [UInt8]) throws {
        file = try DNGFile(bytes: bytes)
        _ = try main
    }

    private var main: DNGImage {
        get throws {
            guard let main = file.main else { throw file.noRawPicture }
            return main
        }
    }

    /// The bits per stored sample of the raw picture.
    package var bitDepth: Int { file.main?.bitsPerSample ?? 0 }

    /// Whether the raw picture is stored as lossy JPEG.
    package var isLossy: Bool { file.main?.compression == .lossyJPEG }

    /// The description in the file: lens, location, artist, copyright and title.
    package var details: DescriptiveMetadata { file.metadata.details }

    /// Returns a new file with the changes of a conversion. Unless that sets a bit depth or a quality, lossless
    /// compression and the bit depth stay as they are.
    package func converted(by conversion: DNGConversion) throws -> [UInt8] {
        var conversion = conversion
        if conversion.customization.bitDepth == nil, conversion.customization.quality == 1 {
            switch file.main?.compression {
            case DNGCompression.none: conversion.storage = .uncompressed
            case .jpegXL: conversion.storage = .jpegXL()
            default: break
            }
        }
        return try conversion.encode(file).withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
    }
}
