// Exported, so that the members of the error are visible in all files and wherever the module is imported.
@_exported public import Errors

/// An error that explains why a burst or bracket cannot be fused.
public typealias FusionError = GscapError

extension GscapError.Code {
    /// A frame's size, Bayer pattern or bit depth differs from that of the first frame.
    public static let differentFormat = Self(rawValue: "differentFormat")
    /// A frame's format, codes or metadata are inconsistent.
    public static let badFrame = Self(rawValue: "badFrame")
    /// The options are out of range or do not fit the burst.
    public static let badOptions = Self(rawValue: "badOptions")
    /// The burst has more frames than can be fused.
    public static let tooManyFrames = Self(rawValue: "tooManyFrames")
}
