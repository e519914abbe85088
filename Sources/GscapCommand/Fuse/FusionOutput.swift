internal import DNG
internal import GscapElements
internal import RawImage

/// The result of a fusion before encoding: a Bayer mosaic or a demosaiced, linear photo.
enum FusionOutput {
    case mosaic(Mosaic)
    case photo(LinearImage)

    /// The report of the fusion, as stored in the photo's metadata.
    var report: FusionReport? {
        get { metadata.fusion }
        set {
            switch self {
            case .mosaic(var mosaic):
                mosaic.metadata.fusion = newValue
                self = .mosaic(mosaic)
            case .photo(var photo):
                photo.metadata.fusion = newValue
                self = .photo(photo)
            }
        }
    }

    private var metadata: FrameMetadata {
        switch self {
        case .mosaic(let mosaic): mosaic.metadata
        case .photo(let photo): photo.metadata
        }
    }

    /// Encodes the photo as a DNG with a rendered preview; a linear photo also gets a look, and a mosaic that of its
    /// reference frame. The photo inherits the tags of its reference frame that it lacks: the serial number, the crop
    /// to show, private tags and others. Calls `warn` with a message if they are lost.
    func file(warn: (String) -> Void) throws -> DNGData {
        let photo = try encoded()
        do throws(GscapError) {
            return try photo.inheriting(metadata)
        } catch {
            warn("tags of the frames are lost: \(error.message)")
            return photo
        }
    }

    private func encoded() throws -> DNGData {
        var writer = DNGWriter()
        writer.softwareVersion = Software.version
        switch self {
        case .mosaic(let mosaic):
            let codes = mosaic.codes
            if let recipe = mosaic.metadata.sourceRecipe { writer.recipe = recipe }
            writer.preview = try DNGPreviewRenderer().of(codes.span, mosaic.format, mosaic.metadata, writer.recipe)
            return try writer.encode(mosaic: codes.span, format: mosaic.format, metadata: mosaic.metadata)
        case .photo(let photo):
            let values = photo.values
            writer.recipe = try PhotoLook.recipe(linear: values.span, photo.format, photo.metadata)
            writer.preview = try DNGPreviewRenderer().of(values.span, photo.format, photo.metadata, writer.recipe)
            return try writer.encode(linear: values.span, format: photo.format, metadata: photo.metadata)
        }
    }
}
