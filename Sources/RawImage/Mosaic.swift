/// A mosaic: raw CFA samples in memory, with their format and metadata.
public struct Mosaic: Sendable {
    /// The mosaic's size, Bayer pattern, bit depth and stride.
    public let format: MosaicFormat
    /// The frame's metadata.
    public var metadata: FrameMetadata
    /// The codes, at least `format.codeCount` of them.
    public var codes: [UInt16]

    /// Creates a mosaic; throws when the format is invalid or there are too few codes for it.
    public init(format: MosaicFormat, metadata: FrameMetadata, codes: [UInt16]) throws(GscapError) {
        try format.check(count: codes.count)
        self.format = format
        self.metadata = metadata
        self.codes = codes
    }
}

/// A linear photo: demosaiced samples in memory, with their format and metadata.
public struct LinearImage: Sendable {
    /// The photo's size and stride.
    public let format: LinearFormat
    /// The frame's metadata.
    public var metadata: FrameMetadata
    /// The samples, at least `format.valueCount` of them: red, green, blue and alpha of each pixel.
    public var values: [UInt16]

    /// Creates a photo; throws when the format is invalid or there are too few samples for it.
    public init(format: LinearFormat, metadata: FrameMetadata, values: [UInt16]) throws(GscapError) {
        try format.check(count: values.count)
        self.format = format
        self.metadata = metadata
        self.values = values
    }
}
