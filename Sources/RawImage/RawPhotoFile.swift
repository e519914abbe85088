/// A file with a raw photo that can be developed, such as a `DNGFile`.
public protocol RawPhotoFile {
    /// Decodes the photo.
    ///
    /// Throws if the white balance or the colour matrices are invalid, or, with `usingLook`, if the file's look is.
    func rawPhoto(usingLook: Bool) throws(GscapError) -> RawPhoto

    /// Returns what the file contains besides the samples of its photo.
    func rawPhotoDetails() throws(GscapError) -> RawPhotoDetails
}

/// A decoded raw photo, by the arrangement of its colours.
public enum RawPhoto: Sendable {
    /// A Bayer mosaic.
    case mosaic(Mosaic)
    /// An X-Trans mosaic.
    case xTrans(XTransMosaic)
    /// A demosaiced image.
    case linear(LinearImage)
}

/// What a file contains besides the samples of its raw photo.
public struct RawPhotoDetails: Sendable {
    /// The look of the file.
    package var recipe: Recipe
    /// The active area of the raw image and, within it, the default crop to show; nil if they are the whole image.
    package var areas: (whole: PixelRectangle, shown: PixelRectangle)?
    /// The factors by which pictures are scaled from raw pixels to square ones, at least 1.
    package var squareScale: (across: Double, down: Double) = (1, 1)
    /// The tags that files of the photo's pictures inherit; nil for those that the metadata states.
    package var inheritableTags: [UInt8]?
    /// The semantic masks.
    package var mattes: [Matte] = []
    /// The depth map; nil without one.
    package var depthMap: DepthMap?
    /// Warnings about the file.
    package var remarks: [String] = []

    /// Creates the details of a photo that has only a look.
    package init(recipe: Recipe) { self.recipe = recipe }
}
