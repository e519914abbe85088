/// A RAW file format.
public enum RAWPhotoFormat: String, Sendable, Hashable, CaseIterable {
    /// The mosaic of a single sensor frame.
    case bayer
    /// A fused burst: a linear RGB photo with low noise, with the same editing range as a mosaic.
    case proRAW
}
