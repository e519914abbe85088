public import RawImage

// What a raw converter needs of a DNG file.

extension DNGFile: RawPhotoFile {
    /// Decodes the main picture. Throws if the white balance or the colour matrices are invalid, or, with `usingLook`,
    /// if the file's look is.
    public func rawPhoto(usingLook: Bool) throws(GscapError) -> RawPhoto {
        guard let main else { throw noRawPicture }
        if let problem = colorProblem ?? (squareScale == nil ? pixelShapeProblem : nil) {
            throw GscapError(.badPicture, "cannot develop: \(problem)")
        }
        if usingLook, let problem = lookProblem?.message ?? recipe.problem {
            throw GscapError(
                .badPicture, "the file's look is invalid: \(problem); choose another look than the file's")
        }
        switch main.kind {
        case .xTrans: return .xTrans(try xTransMosaic())
        case .bayer: return .mosaic(try mosaic())
        default: return .linear(try linearImage())
        }
    }

    /// Returns what the file contains besides the samples of the main picture.
    public func rawPhotoDetails() throws(GscapError) -> RawPhotoDetails {
        var details = RawPhotoDetails(recipe: recipe)
        details.areas = shownAreas
        details.squareScale = squareScale ?? (1, 1)
        // Without the file's directories, files of its pictures inherit nothing.
        details.inheritableTags = (try? inheritableTags()) ?? []
        details.mattes = try mattes()
        details.depthMap = try depthMap()
        details.remarks = remarks.map(\.message)
        return details
    }
}
