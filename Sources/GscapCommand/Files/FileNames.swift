internal import CameraRaw
internal import DNG
internal import Files
internal import Glibc
internal import GscapElements

/// Generates the names of photo files from a template such as "photo-{n}".
///
/// `{n}` is the photo's number, the next one that no other photo in the folder uses. `{date}` and `{time}` are local,
/// and so are the conversions of strftime, such as `%Y-%m-%d`. `{kind}` is the format of the pipeline's branch.
struct FileNames {
    /// The folder that the photos are stored in.
    var folder: String
    /// The template, without the file extension.
    var template: String
    /// Whether names include the format because several branches use the same file extension.
    var namesKinds: Bool
    /// Whether the files replace existing ones.
    var replacesFiles: Bool

    private var lastNumber = 0

    /// Creates a generator for a folder. Throws if the template is not a file name or has an unknown field.
    init(folder: String, template: String, namesKinds: Bool, replacesFiles: Bool = false) throws(Failure) {
        try NameTemplate.check(template)
        self.folder = folder
        self.template = template
        self.namesKinds = namesKinds
        self.replacesFiles = replacesFiles
    }

    /// Reserves the beginning of the next photo's file names: the template with date, time and a number that no other
    /// photo in the folder has. The name is nobody else's until the result is released.
    ///
    /// With `replacesFiles` the numbers count from 1, and a template without a number names all photos the same.
    mutating func next() throws(Failure) -> PhotoName {
        let dated = NameTemplate.expand(template)
        let isNumbered = dated.contains("{n}")
        // Another process may delete the folder as long as it is empty.
        for isLast in [false, false, true] {
            try PhotoFolder.prepare(folder)
            do throws(FileError) {
                if replacesFiles, !isNumbered {
                    return PhotoName(stem: dated, reservation: try NameReservation.claim(dated, in: folder))
                }
                let names = ShotNames(folder: folder, otherFolders: [folder + "/deferred"])
                let found = try names.reserve(after: lastNumber, replacing: replacesFiles) { number in
                    Self.stem(dated, number, isNumbered: isNumbered)
                }
                lastNumber = found.number
                return PhotoName(stem: found.reservation.name, reservation: found.reservation)
            } catch {
                if isLast || error.kind != .notCreated {
                    throw Failure(error.kind == .notWritten ? .inputOutput : .cannotCreate, error.description)
                }
            }
        }
        throw Failure(.cannotCreate, "\(folder): cannot create this folder; choose another with --output")
    }

    /// Returns a template with a number; without a field for it, the second and later photos get the number at the end.
    private static func stem(_ template: String, _ number: Int, isNumbered: Bool) -> String {
        let digits = String(number)
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        if isNumbered { return template.replacing("{n}", with: padded) }
        return number == 1 ? template : "\(template)-\(number)"
    }

    /// Returns the path of one file of a photo. `frame` is the frame's number if each frame of a burst is stored as a
    /// separate file, else nil.
    /// A nil `kind` is that of a preview, whose stem names it already.
    func path(stem: String, kind: String?, fileExtension: String, frame: Int?) -> String {
        var name = stem.replacing("{kind}", with: kind ?? "proxy")
        if let kind, namesKinds, !template.contains("{kind}") { name += "-" + kind }
        if let frame { name += "-\(frame)" }
        return (folder.hasSuffix("/") ? folder : folder + "/") + name + "." + fileExtension
    }

    /// Returns whether a file name has the extension .dng in any case.
    static func isDNG(_ name: String) -> Bool { name.lowercased().hasSuffix(".dng") }

    /// Returns whether a file name has the extension of a DNG or of a camera's own raw file.
    static func isRawPhoto(_ name: String) -> Bool { isDNG(name) || DNGFile.isCameraRaw(name: name) }

    /// Returns whether a file in a folder is a raw photo: by its extension, or by its first bytes if that is .raw,
    /// which data of many other kinds has.
    static func isListedPhoto(_ path: String) -> Bool {
        guard path.lowercased().hasSuffix(".raw") else { return isRawPhoto(path) }
        let head = try? InputFile.beginning(of: path, count: DNGFile.photoHeadSize)
        return head.map { DNGFile.isPhoto(head: $0) } ?? false
    }

    /// Returns a file's name without its folder and without the extension of a DNG or of a camera's own raw file.
    static func stem(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard isRawPhoto(name), let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// Returns a file's folder and the beginning of its name up to the first digit, which the frames of one burst have
    /// in common.
    static func series(of path: String) -> String {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? path
        return String(path.dropLast(name.count)) + String(name.prefix { !($0.isASCII && $0.isNumber) })
    }
}

/// The beginning of the names of a photo's files, reserved as long as this exists.
struct PhotoName: Sendable {
    let stem: String
    /// The claim; nil if another photo has the same name, which then is replaced.
    let reservation: NameReservation?
}
