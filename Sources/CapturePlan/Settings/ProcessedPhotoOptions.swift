/// The options of one processed format in a capture.
public struct ProcessedPhotoOptions: Sendable, Hashable {
    /// The compression quality, from 0 (smallest file) to 1 (best); nil leaves it to the encoder.
    public var quality: Double?
    /// The colour space of the picture; nil leaves it to the pipeline.
    public var colorSpace: ColorSpace?

    /// Creates options; nil values leave the choice to the pipeline.
    public init(quality: Double? = nil, colorSpace: ColorSpace? = nil) {
        self.quality = quality
        self.colorSpace = colorSpace
    }
}
