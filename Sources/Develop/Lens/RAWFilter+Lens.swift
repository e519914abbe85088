internal import RawImage

// Lens corrections from Lensfun's database.

extension RAWFilter {
    /// Whether the file has lens corrections.
    public var hasOwnLensCorrection: Bool { !source.metadata.lens.isEmpty }

    /// Whether the metadata describes the camera and its lens. Otherwise Lensfun's database, which takes about as long
    /// to read as a small photo, has no corrections of the photo.
    public var describesLens: Bool {
        !metadata.model.isEmpty && (!metadata.details.lensModel.isEmpty || metadata.details.focalLength > 0)
    }

    /// Replaces the lens corrections by those of a profile in Lensfun's database.
    ///
    /// Without `name`, uses the lens that the metadata names, and returns nil and changes nothing if the database does
    /// not contain it. With `name`, throws if the database does not contain that lens. Throws if Lensfun is missing.
    @discardableResult public mutating func applyLensProfile(
        named name: String? = nil
    ) throws(GscapError) -> LensProfile? {
        let database = try LensDatabase.shared()
        let area = areas.active
        let profile =
            if let name {
                try database.profile(named: name, for: metadata, width: area.width, height: area.height)
            } else {
                database.profile(for: metadata, width: area.width, height: area.height)
            }
        guard let profile else { return nil }
        lensCorrection = profile.correction
        lensCorrection.shading = lensCorrection.shading.map {
            $0.moved(from: area, toPictureOf: source.width, source.height)
        }
        lensProfile = profile
        return profile
    }
}
