/// A matte: how much each pixel belongs to something in the scene.
public struct Matte: Sendable, Hashable {
    /// What a matte marks, by the name that files give it.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name in files.
        public var rawValue: String

        /// A kind from its name in files.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// People, against what is behind them.
        public static let portrait = Kind(rawValue: "urn:com:apple:photo:2018:aux:portraiteffectsmatte")
        /// Skin.
        public static let skin = Kind(rawValue: "urn:com:apple:photo:2019:aux:semanticskinmatte")
        /// Sky.
        public static let sky = Kind(rawValue: "urn:com:apple:photo:2020:aux:semanticskymatte")
        /// A person; told apart from others by the instance.
        public static let person = Kind(rawValue: "urn:gscap:matte:person")
    }

    /// What it marks.
    public var kind: Kind
    /// Tells mattes of one kind apart; empty when there is one.
    public var instance: String
    /// Pixels in a row; may be fewer than the picture's.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Shares from 0 to 255 in reading order.
    public let shares: [UInt8]

    /// A matte; throws when the shares do not fill it.
    public init(kind: Kind, instance: String = "", width: Int, height: Int, shares: [UInt8]) throws(RawImageError) {
        let sides = 1...MosaicFormat.maximumSide
        guard sides.contains(width), sides.contains(height), shares.count == width * height else {
            throw RawImageError(.badFormat, "\(shares.count) shares are not a \(width)×\(height) matte")
        }
        self.kind = kind
        self.instance = instance
        self.width = width
        self.height = height
        self.shares = shares
    }
}
