/// An error in an image's format, samples, metadata or recipe.
public struct RawImageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; new kinds may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The stable name of the kind of failure.
        public var rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Width, height, stride or bit depth out of range.
        public static let badFormat = Code(rawValue: "badFormat")
        /// A buffer is smaller than the format requires.
        public static let tooShort = Code(rawValue: "tooShort")
        /// Invalid metadata: levels or neutral.
        public static let badMetadata = Code(rawValue: "badMetadata")
        /// An invalid recipe, lookup table, tone curve or lens correction.
        public static let badRecipe = Code(rawValue: "badRecipe")
    }

    /// The kind of failure.
    public var code: Code
    /// A message that states what is wrong.
    public var message: String

    /// Creates an error from its kind and message.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The error message.
    public var description: String { message }
}

extension MosaicFormat {
    /// The largest width and height, in pixels, that any part of this project accepts.
    public static let maximumSide = 65_535

    /// Throws unless the format is valid and a mosaic fits into a buffer of `count` codes.
    public func check(count: Int) throws(RawImageError) {
        try checkShape()
        guard stride >= width, stride <= 2 * Self.maximumSide else {
            throw RawImageError(
                .badFormat,
                "a stride of \(stride) codes is not between the width of \(width) and \(2 * Self.maximumSide)")
        }
        guard count >= codeCount else {
            throw RawImageError(
                .tooShort, "the buffer has \(count) codes; a \(width)×\(height) mosaic needs \(codeCount)")
        }
    }
}

extension MosaicFormat {
    /// Throws unless width, height and bit depth are in range.
    func checkShape() throws(RawImageError) {
        try checkSides(width: width, height: height)
        guard (8...16).contains(bitDepth) else {
            throw RawImageError(.badFormat, "a bit depth of \(bitDepth) is not between 8 and 16")
        }
    }
}

extension LinearFormat {
    /// Throws unless the format is valid and a photo fits into a buffer of `count` samples.
    public func check(count: Int) throws(RawImageError) {
        try checkSides(width: width, height: height)
        guard stride >= width * Self.channels, stride <= 8 * MosaicFormat.maximumSide else {
            throw RawImageError(
                .badFormat,
                "a stride of \(stride) samples is not between \(width * Self.channels), for a width of \(width), "
                    + "and \(8 * MosaicFormat.maximumSide)")
        }
        guard count >= valueCount else {
            throw RawImageError(
                .tooShort, "the buffer has \(count) samples; a \(width)×\(height) photo needs \(valueCount)")
        }
    }
}

private func checkSides(width: Int, height: Int) throws(RawImageError) {
    guard (1...MosaicFormat.maximumSide).contains(width), (1...MosaicFormat.maximumSide).contains(height) else {
        throw RawImageError(
            .badFormat,
            "a size of \(width)×\(height) pixels: width and height must be from 1 to \(MosaicFormat.maximumSide)")
    }
}
