internal import CLensfun
internal import RawImage

/// The loaded database and its queries. It stays loaded until the program ends. *Thread-bound*: Lensfun stores the
/// scores of a search in its entries.
@safe struct OpenLensDatabase {
    private let lensfun: LensfunFunctions
    private let database: UnsafeMutablePointer<lfDatabase>

    /// The distance, in metres, for which vignetting is corrected: files rarely contain that of the subject.
    private static let distance: Float = 1000

    init() throws(GscapError) {
        lensfun = try LensfunLibrary.functions()
        guard let database = lensfun.db_new() else {
            throw GscapError(.missingLibrary, "not enough memory for Lensfun's database")
        }
        unsafe self.database = unsafe database
        guard unsafe lensfun.db_load(database) == LF_NO_ERROR else {
            unsafe lensfun.db_destroy(database)
            throw GscapError(
                .missingLibrary, "Lensfun has no database; install the Debian package liblensfun-data-v1")
        }
    }

    /// Returns the profile of the lens that the metadata names; nil if it is unknown.
    func profile(_ metadata: FrameMetadata, _ width: Int, _ height: Int) -> LensProfile? {
        guard let camera = unsafe camera(metadata) else { return nil }
        let name = metadata.details.lensModel
        // Lensfun's names of mounts start with a lower-case letter for cameras whose lens is fixed, and only for them.
        let hasFixedLens = unsafe camera.pointee.Mount.map { unsafe (97...122).contains($0.pointee) } ?? false
        guard hasFixedLens || !name.isEmpty,
            let lens = unsafe lenses(camera, hasFixedLens ? nil : name, isLoose: false).first
        else { return nil }
        return unsafe profile(lens, crop: Double(camera.pointee.CropFactor), metadata, width, height)
    }

    /// Returns the profile of a lens by its name; throws if there is none.
    func profile(
        named name: String, _ metadata: FrameMetadata, _ width: Int, _ height: Int
    ) throws(GscapError) -> LensProfile {
        let camera = unsafe camera(metadata)
        guard let lens = unsafe lenses(camera, name, isLoose: false).first else {
            let similar = unsafe lenses(camera, name, isLoose: true).prefix(3).map { unsafe text($0.pointee.Model) }
            let advice = similar.isEmpty ? "" : "; similar ones: \(similar.joined(separator: ", "))"
            let owner = unsafe camera.map { unsafe " for the camera \(text($0.pointee.Model))" } ?? ""
            throw GscapError(
                .unknownLens, "Lensfun's database has no lens \"\(name)\"\(owner)\(advice)")
        }
        let details = metadata.details.ofWholePicture
        let crop = unsafe camera.map { unsafe Double($0.pointee.CropFactor) }
        guard let crop = crop ?? (details.focalLength > 0 ? details.focalLengthIn35mm / details.focalLength : nil),
            crop > 0
        else {
            throw GscapError(
                .unknownLens, "Lensfun's database does not contain the camera \"\(metadata.make) \(metadata.model)\"")
        }
        guard let profile = unsafe profile(lens, crop: crop, metadata, width, height) else {
            throw GscapError(
                .unknownLens,
                "Lensfun has no corrections of the lens \"\(unsafe text(lens.pointee.Model))\" at the photo's focal "
                    + "length, \(details.focalLength) mm")
        }
        return profile
    }

    // MARK: Queries

    private func camera(_ metadata: FrameMetadata) -> UnsafePointer<lfCamera>? {
        guard !metadata.model.isEmpty,
            let list = unsafe lensfun.db_find_cameras_ext(database, metadata.make, metadata.model, 0)
        else { return nil }
        defer { unsafe lensfun.free(list) }
        return unsafe list.pointee
    }

    /// Returns the lenses with a name, or all of the camera for nil, the best match first.
    private func lenses(
        _ camera: UnsafePointer<lfCamera>?, _ name: String?, isLoose: Bool
    ) -> [UnsafePointer<lfLens>] {
        let flags = isLoose ? Int32(LF_SEARCH_LOOSE) : 0
        guard let list = unsafe lensfun.db_find_lenses_hd(database, camera, nil, name, flags) else {
            return unsafe []
        }
        defer { unsafe lensfun.free(list) }
        var lenses: [UnsafePointer<lfLens>] = unsafe []
        while let lens = unsafe list[lenses.count] { unsafe lenses.append(lens) }
        return unsafe lenses
    }

    private func text(_ name: UnsafeMutablePointer<CChar>?) -> String {
        unsafe lensfun.mlstr_get(name).map { unsafe String(cString: $0) } ?? ""
    }

    // MARK: Corrections

    private func profile(
        _ lens: UnsafePointer<lfLens>, crop: Double, _ metadata: FrameMetadata, _ width: Int, _ height: Int
    ) -> LensProfile? {
        let entry = unsafe lens.pointee
        guard let focal = unsafe focalLength(metadata, entry), crop > 0, width > 1, height > 1 else { return nil }
        let geometry = unsafe LensGeometry(
            width: width, height: height, cropRatio: Double(entry.CropFactor) / crop,
            aspectRatio: Double(entry.AspectRatio), shift: SIMD2(Double(entry.CenterX), Double(entry.CenterY)))
        guard let (correction, parts) = unsafe terms(lens, focal, metadata.details.fNumber).corrections(geometry)
        else { return nil }
        return unsafe LensProfile(lens: text(entry.Model), parts: parts, correction: correction)
    }

    /// Returns the photo's focal length, or that of a lens with only one; nil if it is unknown or not one of the lens.
    private func focalLength(_ metadata: FrameMetadata, _ lens: lfLens) -> Float? {
        let (least, most) = unsafe (lens.MinFocal, lens.MaxFocal)
        let focal = Float(metadata.details.focalLength)
        guard focal > 0 else { return least == most && least > 0 ? least : nil }
        // Cameras store the focal length rounded, and shorter when the focus is close.
        guard least <= 0 || focal >= least * 0.9, most <= 0 || focal <= most * 1.1 else { return nil }
        return focal
    }

    private func terms(_ lens: UnsafePointer<lfLens>, _ focal: Float, _ fNumber: Double) -> LensTerms {
        var (distortion, aberration) = (lfLensCalibDistortion(), lfLensCalibTCA())
        var vignetting = lfLensCalibVignetting()
        var terms = LensTerms()
        if unsafe lensfun.lens_interpolate_distortion(lens, focal, &distortion) != 0 { terms.distortion = distortion }
        if unsafe lensfun.lens_interpolate_tca(lens, focal, &aberration) != 0 { terms.aberration = aberration }
        if fNumber > 0,
            unsafe lensfun.lens_interpolate_vignetting(lens, focal, Float(fNumber), Self.distance, &vignetting) != 0
        {
            terms.vignetting = vignetting
        }
        return terms
    }
}
