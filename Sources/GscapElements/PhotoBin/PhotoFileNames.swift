internal import Files

/// The paths of the files that a bin stores: `LOCATION-NUMBER.EXTENSION`, where the location names a folder and the
/// beginning of the names, and the number is the next one that no other shot in the folder has.
///
/// The format follows the number if several branches have the same extension, and after it the number of the exposure
/// or frame if a capture has several photos of the format: `cam1-0007-proraw-2.dng`.
struct PhotoFileNames: Hashable {
    /// The names of the shots in the folder.
    let shots: ShotNames
    private let prefix: String
    private let formats: [PhotoBranchFormat]

    /// Creates names in a location, such as `/srv/stills/cam1`, for photos of these formats. A location that ends with
    /// a slash is a folder, in which the names begin with `photo`.
    init(location: String, formats: [PhotoBranchFormat]) {
        let slash = location.lastIndex(of: "/").map { location.index(after: $0) } ?? location.startIndex
        shots = ShotNames(folder: String(location[..<slash]))
        let name = String(location[slash...])
        let needsDash = name.last.map { $0.isLetter || $0.isNumber } ?? false
        prefix = name.isEmpty ? "photo-" : needsDash ? name + "-" : name
        self.formats = formats
    }

    /// The folder of the files.
    var folder: String { shots.place }

    /// Returns the name that the files of the shot with this number begin with.
    func name(number: Int) -> String { prefix + ShotNames.digits(of: number) }

    /// Returns the path of a file of the shot of this name. `part` is the number of the photo among those of its
    /// format; nil if it is the only one.
    func path(name: String, _ format: PhotoBranchFormat, part: Int?) -> String {
        let isShared = formats.count { $0.fileExtension == format.fileExtension } > 1
        return shots.path(
            of: name, kind: isShared ? format.rawValue : nil, part: part, fileExtension: format.fileExtension)
    }
}
