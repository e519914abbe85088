public import GStreamer
public import RawImage

/// A raw format of a camera: how its codes are stored, and the sizes and rates that it offers.
public struct CameraFormat: Sendable, Hashable {
    /// The lengths of one side that a camera offers.
    public struct Side: Sendable, Hashable {
        /// The shortest length in pixels.
        public var least: Int
        /// The greatest length in pixels.
        public var most: Int
        /// The difference between two neighbouring lengths.
        public var step: Int

        /// Creates the lengths from `least` to `most`.
        public init(_ least: Int, _ most: Int, step: Int = 1) {
            (self.least, self.most, self.step) = (least, max(least, most), max(1, step))
        }

        /// Creates one length.
        public init(_ length: Int) { self.init(length, length) }

        /// Whether the camera offers a length.
        public func contains(_ length: Int) -> Bool {
            length >= least && length <= most && (length - least) % step == 0
        }

        /// The length, or the shortest and the greatest one, for people.
        public var text: String { least == most ? "\(least)" : "\(least)…\(most)" }

        fileprivate var value: Value {
            least == most ? .int(Int32(clamping: least)) : .intRange(Int32(clamping: least)...Int32(clamping: most))
        }
    }

    /// The back-end's own name of the format, such as `RG12`.
    public var code: String
    /// The pattern, the bit depth and the packing.
    public var codes: BayerDialect.CodeFormat
    /// The widths.
    public var width: Side
    /// The heights.
    public var height: Side
    /// The frames per second at the greatest size; nil if the camera does not state them.
    public var rates: Rates?

    /// The frames per second that a camera offers.
    public struct Rates: Sendable, Hashable {
        /// The lowest rate.
        public var least: Fraction
        /// The highest rate.
        public var most: Fraction

        /// Creates the rates between two.
        public init(least: Fraction, most: Fraction) { (self.least, self.most) = (least, most) }
    }

    /// Creates a format.
    public init(
        code: String, codes: BayerDialect.CodeFormat, width: Side, height: Side, rates: Rates? = nil
    ) {
        (self.code, self.codes) = (code, codes)
        (self.width, self.height, self.rates) = (width, height, rates)
    }

    /// The greatest number of pixels.
    public var pixels: Int { width.most * height.most }

    /// The caps of the format, with a range of sizes or rates where the camera offers one.
    package var structure: Structure {
        var structure = Structure(
            "video/x-bayer", ["format": .string(codes.name), "width": width.value, "height": height.value])
        if let rates {
            structure["framerate"] =
                rates.least == rates.most ? .fraction(rates.least) : .fractionRange(rates.least, rates.most)
        }
        return structure
    }

    /// Returns whether a format is better for photos than another: colours, which a grey format of the same camera has
    /// lost, then more pixels, more bits, and an unpacked layout, which needs no copy.
    static func isBetter(_ one: CameraFormat, _ other: CameraFormat) -> Bool {
        func rank(_ format: CameraFormat) -> [Int] {
            [
                format.codes.pattern == nil ? 0 : 1, format.pixels, format.codes.bitDepth,
                format.codes.layout == .littleEndian ? 1 : 0,
            ]
        }
        return rank(other).lexicographicallyPrecedes(rank(one))
    }
}
