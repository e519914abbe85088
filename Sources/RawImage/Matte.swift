/// A matte (semantic mask): for each pixel, how much it belongs to a subject such as the sky or a person.
public struct Matte: Sendable, Hashable {
    /// The subject of a matte, identified by its name in files (DNG's SemanticName, HEIF's auxiliary type).
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name in files.
        public var rawValue: String

        /// Creates a kind from its name in files.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// All people, as opposed to the background.
        public static let portrait = Kind(rawValue: "urn:com:apple:photo:2018:aux:portraiteffectsmatte")
        /// Skin.
        public static let skin = Kind(rawValue: "urn:com:apple:photo:2019:aux:semanticskinmatte")
        /// Sky.
        public static let sky = Kind(rawValue: "urn:com:apple:photo:2020:aux:semanticskymatte")
        /// One person; `instance` distinguishes several.
        public static let person = Kind(rawValue: "urn:gscap:matte:person")
    }

    /// The subject that the matte marks.
    public var kind: Kind
    /// Distinguishes mattes of the same kind (DNG's SemanticInstanceID); empty when there is only one.
    public var instance: String
    /// Width in pixels; may be smaller than the image's.
    public let width: Int
    /// Height in pixels; may be smaller than the image's.
    public let height: Int
    /// Coverage of each pixel row by row, from 0 (outside the subject) to 255 (fully inside).
    public let shares: [UInt8]

    /// Creates a matte; throws unless there are `width`×`height` values.
    public init(kind: Kind, instance: String = "", width: Int, height: Int, shares: [UInt8]) throws(GscapError) {
        let sides = 1...MosaicFormat.maximumSide
        guard sides.contains(width), sides.contains(height), shares.count == width * height else {
            throw GscapError(.badFormat, "a \(width)×\(height) matte has \(shares.count) values")
        }
        self.kind = kind
        self.instance = instance
        self.width = width
        self.height = height
        self.shares = shares
    }
}
