// Exported, so that the members of the error are visible in all files and wherever the module is imported.
@_exported public import Errors

/// An error in an image's format, samples, metadata or recipe.
public typealias RawImageError = GscapError

extension GscapError.Code {
    /// Width, height, stride or bit depth out of range.
    public static let badFormat = Self(rawValue: "badFormat")
    /// A buffer is smaller than the format requires.
    public static let tooShort = Self(rawValue: "tooShort")
    /// Invalid metadata: levels or neutral.
    public static let badMetadata = Self(rawValue: "badMetadata")
}

extension MosaicFormat {
    /// The largest width and height, in pixels, that any part of this project accepts.
    public static let maximumSide = 65_535

    /// Throws unless the format is valid and a mosaic fits into a buffer of `count` codes.
    public func check(count: Int) throws(GscapError) {
        try checkShape()
        guard stride >= width, stride <= 2 * Self.maximumSide else {
            throw GscapError(
                .badFormat,
                "a stride of \(stride) codes is not between the width of \(width) and \(2 * Self.maximumSide)")
        }
        guard count >= codeCount else {
            throw GscapError(
                .tooShort, "the buffer has \(count) codes; a \(width)×\(height) mosaic needs \(codeCount)")
        }
    }
}

extension MosaicFormat {
    /// Throws unless width, height and bit depth are in range.
    func checkShape() throws(GscapError) {
        try checkSides(width: width, height: height)
        guard (8...16).contains(bitDepth) else {
            throw GscapError(.badFormat, "a bit depth of \(bitDepth) is not between 8 and 16")
        }
    }
}

extension LinearFormat {
    /// Throws unless the format is valid and a photo fits into a buffer of `count` samples.
    public func check(count: Int) throws(GscapError) {
        try checkSides(width: width, height: height)
        guard stride >= width * Self.channels, stride <= 8 * MosaicFormat.maximumSide else {
            throw GscapError(
                .badFormat,
                "a stride of \(stride) samples is not between \(width * Self.channels), for a width of \(width), "
                    + "and \(8 * MosaicFormat.maximumSide)")
        }
        guard count >= valueCount else {
            throw GscapError(
                .tooShort, "the buffer has \(count) samples; a \(width)×\(height) photo needs \(valueCount)")
        }
    }
}

private func checkSides(width: Int, height: Int) throws(GscapError) {
    guard (1...MosaicFormat.maximumSide).contains(width), (1...MosaicFormat.maximumSide).contains(height) else {
        throw GscapError(
            .badFormat,
            "a size of \(width)×\(height) pixels: width and height must be from 1 to \(MosaicFormat.maximumSide)")
    }
}
