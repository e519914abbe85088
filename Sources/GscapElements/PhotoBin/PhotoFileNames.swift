/// The paths of the files that a bin stores: `LOCATION-NUMBER.EXTENSION`, where the location names a folder and the
/// beginning of the names, and the number is the next one that no file in the folder has.
///
/// The format follows the number if several branches have the same extension, and after it the number of the exposure
/// or frame if a capture has several photos of the format: `cam1-0007-proraw-2.dng`.
struct PhotoFileNames {
    private let folder: String
    private let prefix: String
    private let formats: [PhotoBranchFormat]

    /// Creates names in a location, such as `/srv/stills/cam1`, for photos of these formats. A location that ends with
    /// a slash is a folder, in which the names begin with `photo`.
    init(location: String, formats: [PhotoBranchFormat]) {
        let slash = location.lastIndex(of: "/").map { location.index(after: $0) } ?? location.startIndex
        folder = String(location[..<slash])
        let name = String(location[slash...])
        let needsDash = name.last.map { $0.isLetter || $0.isNumber } ?? false
        prefix = name.isEmpty ? "photo-" : needsDash ? name + "-" : name
        self.formats = formats
    }

    /// Returns the first number above `last` with which no file in the folder exists yet.
    func number(after last: Int) -> Int {
        let names = FolderListing.names(in: folder.isEmpty ? "." : folder) ?? []
        let used = names.compactMap { name -> Int? in
            guard name.hasPrefix(prefix) else { return nil }
            return Int(name.dropFirst(prefix.count).prefix { $0.isASCII && $0.isNumber })
        }
        let taken = Set(used)
        var number = last + 1
        while taken.contains(number) { number += 1 }
        return number
    }

    /// Returns the path of a file. `part` is the number of the photo among those of its format; nil if it is the only
    /// one.
    func path(number: Int, _ format: PhotoBranchFormat, part: Int?) -> String {
        let digits = String(number)
        var name = prefix + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        if formats.filter({ $0.fileExtension == format.fileExtension }).count > 1 { name += "-\(format.rawValue)" }
        if let part { name += "-\(part)" }
        return "\(folder)\(name).\(format.fileExtension)"
    }
}
