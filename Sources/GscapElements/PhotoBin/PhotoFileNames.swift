/// The paths of the files that a bin stores: `LOCATION-NUMBER.EXTENSION`, where the location names a folder and the
/// beginning of the names, and the number is the next one that no other shot in the folder has.
///
/// The format follows the number if several branches have the same extension, and after it the number of the exposure
/// or frame if a capture has several photos of the format: `cam1-0007-proraw-2.dng`.
struct PhotoFileNames: Hashable {
    let folder: String
    private let prefix: String
    private let formats: [PhotoBranchFormat]

    /// Creates names in a location, such as `/srv/stills/cam1`, for photos of these formats. A location that ends with
    /// a slash is a folder, in which the names begin with `photo`.
    init(location: String, formats: [PhotoBranchFormat]) {
        let slash = location.lastIndex(of: "/").map { location.index(after: $0) } ?? location.startIndex
        folder = slash == location.startIndex ? "." : String(location[..<slash])
        let name = String(location[slash...])
        let needsDash = name.last.map { $0.isLetter || $0.isNumber } ?? false
        prefix = name.isEmpty ? "photo-" : needsDash ? name + "-" : name
        self.formats = formats
    }

    /// Returns the name that the files of the shot with this number begin with.
    func name(number: Int) -> String {
        let digits = String(number)
        return prefix + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Returns the path of a file of the shot of this name. `part` is the number of the photo among those of its
    /// format; nil if it is the only one.
    func path(name: String, _ format: PhotoBranchFormat, part: Int?) -> String {
        var name = name
        if formats.filter({ $0.fileExtension == format.fileExtension }).count > 1 { name += "-\(format.rawValue)" }
        if let part { name += "-\(part)" }
        return "\(folder == "." ? "" : folder)\(name).\(format.fileExtension)"
    }
}
