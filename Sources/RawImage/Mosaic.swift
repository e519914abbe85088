/// A mosaic that owns its codes.
public struct Mosaic: Sendable {
    /// Its shape.
    public let format: MosaicFormat
    /// What it tells of itself.
    public var metadata: FrameMetadata
    /// `format.codeCount` codes.
    public var codes: [UInt16]

    /// A mosaic of the given codes; throws when they do not fill the format.
    public init(format: MosaicFormat, metadata: FrameMetadata, codes: [UInt16]) throws(RawImageError) {
        try format.check(count: codes.count)
        self.format = format
        self.metadata = metadata
        self.codes = codes
    }
}

/// A linear photo that owns its values.
public struct LinearImage: Sendable {
    /// Its shape.
    public let format: LinearFormat
    /// What it tells of itself.
    public var metadata: FrameMetadata
    /// `format.valueCount` values.
    public var values: [UInt16]

    /// A photo of the given values; throws when they do not fill the format.
    public init(format: LinearFormat, metadata: FrameMetadata, values: [UInt16]) throws(RawImageError) {
        try format.check(count: values.count)
        self.format = format
        self.metadata = metadata
        self.values = values
    }
}
