/// What went wrong with a picture's shape, codes or metadata.
public struct RawImageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; new kinds may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The kind's name.
        public var rawValue: String

        /// A kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Width, height, stride or depth out of range.
        public static let badFormat = Code(rawValue: "badFormat")
        /// Fewer bytes than the format needs.
        public static let tooShort = Code(rawValue: "tooShort")
        /// Metadata that no converter can work with.
        public static let badMetadata = Code(rawValue: "badMetadata")
    }

    /// The kind of failure.
    public var code: Code
    /// What is wrong and what to do.
    public var message: String

    /// An error of a kind with its message.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

extension MosaicFormat {
    /// The largest width and height any part of the system takes.
    public static let maximumSide = 65_535

    /// Throws unless the numbers make sense and a buffer of `count` codes holds the picture.
    public func check(count: Int) throws(RawImageError) {
        try checkShape()
        guard stride >= width, stride <= 2 * Self.maximumSide else {
            throw RawImageError(.badFormat, "a stride of \(stride) codes does not suit a width of \(width)")
        }
        guard count >= codeCount else {
            throw RawImageError(.tooShort, "\(count) codes given, a \(width)×\(height) mosaic needs \(codeCount)")
        }
    }
}

extension MosaicFormat {
    /// Throws unless size and depth make sense.
    func checkShape() throws(RawImageError) {
        try checkSides(width: width, height: height)
        guard (8...16).contains(bitDepth) else {
            throw RawImageError(.badFormat, "a bit depth of \(bitDepth) is not between 8 and 16")
        }
    }
}

extension LinearFormat {
    /// Throws unless the numbers make sense and a buffer of `count` values holds the picture.
    public func check(count: Int) throws(RawImageError) {
        try checkSides(width: width, height: height)
        guard stride >= width * Self.channels, stride <= 8 * MosaicFormat.maximumSide else {
            throw RawImageError(.badFormat, "a stride of \(stride) values does not suit a width of \(width)")
        }
        guard count >= valueCount else {
            throw RawImageError(.tooShort, "\(count) values given, a \(width)×\(height) photo needs \(valueCount)")
        }
    }
}

private func checkSides(width: Int, height: Int) throws(RawImageError) {
    guard (1...MosaicFormat.maximumSide).contains(width), (1...MosaicFormat.maximumSide).contains(height) else {
        throw RawImageError(.badFormat, "a size of \(width)×\(height) is not between 1 and \(MosaicFormat.maximumSide)")
    }
}
