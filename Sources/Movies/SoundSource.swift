internal import CapturePlan
internal import CaptureSettings
internal import GStreamer
internal import Glibc
internal import GscapElements
internal import PipelineText

/// The source of a movie's sound, as the text of `MovieSettings.audioSource`, and its errors in the words of that
/// setting.
enum SoundSource {
    private static let setting = PhotoSetting.sound.property
    /// The beginning of the names of a movie's own elements, which no element of the text has.
    private static let reservedPrefix = "gscap-"
    private static let converter = "gscap-sound-check"

    /// Throws if the text has a mistake, if an element is not installed, if a file is missing, or if the source
    /// delivers no sound in real time.
    static func check(_ text: String) throws(CaptureError) {
        let elements: [Element]
        do throws(CaptureError) {
            elements = try self.elements(of: text)
        } catch {
            if error.code == .unknownElement {
                throw CaptureError(.missingElement, error.message, place: setting, cause: error)
            }
            throw CaptureError(
                .movieSettingsInvalid,
                "the source of the sound must be an element that delivers sound, not \"\(text)\": \(error.message)",
                place: setting, cause: error)
        }
        try checkNames(elements)
        for element in elements { try checkFile(of: element) }
        try checkTiming(elements)
    }

    /// Returns the elements that the text names, without those inside of elements such as autoaudiosrc.
    private static func elements(of text: String) throws(CaptureError) -> [Element] {
        let whole = "\(text) ! audioconvert name=\(converter) ! fakesink name=\(converter)-sink"
        try GscapPlugin.register()
        let description = try PipelineDescription(parsing: whole)
        if let error = description.errors(against: RegistryCatalogue()).first { throw error }
        return try Pipeline(parsing: whole).allElements.filter { element in
            !element.name.hasPrefix(converter) && ["pipeline", "bin"].contains(element.parent?.factoryName ?? "bin")
        }
    }

    /// Returns an error of an element of the running source; nil for the element if it is unknown.
    static func failure(_ error: GscapError, of element: Element?) -> CaptureError {
        var failure = error
        (failure.message, failure.place) = ("the source of the sound failed: \(error.message)", setting)
        // GST_RESOURCE_ERROR_NOT_FOUND, _OPEN_READ and _READ.
        let isUnreadable = error.domain == GscapError.Domain.resource && [3, 5, 9].contains(error.number)
        if isUnreadable, let file = element.flatMap(location) {
            failure.code = .cannotRead
            failure.message = "the sound \(file) cannot be read: \(error.message)"
        }
        return failure
    }
}

// MARK: - Checks

extension SoundSource {
    private static func invalid(_ message: String) -> CaptureError {
        CaptureError(.movieSettingsInvalid, message, place: setting)
    }

    /// Throws if an element could be taken for one of the movie's own.
    private static func checkNames(_ elements: [Element]) throws(CaptureError) {
        guard let name = elements.map(\.name).first(where: { $0.hasPrefix(reservedPrefix) }) else { return }
        throw invalid("names that begin with \"\(reservedPrefix)\" are reserved; rename the element \"\(name)\"")
    }

    /// Throws if an element reads a file that cannot be opened. Opens nothing, because a pipe would block.
    private static func checkFile(of element: Element) throws(CaptureError) {
        guard element.factoryName == "filesrc", let path = location(of: element) else { return }
        var status = stat()
        let isFolder = unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        if !isFolder, unsafe access(path, R_OK) == 0 { return }
        let reason = unsafe String(cString: strerror(isFolder ? EISDIR : errno))
        throw CaptureError(.cannotRead, "the sound \(path) cannot be read: \(reason)", place: setting)
    }

    /// The file or address that an element reads; nil if there is none.
    private static func location(of element: Element) -> String? {
        guard element.has("location") else { return nil }
        return try? element.get("location", as: String.self)
    }

    /// Throws if a source is not live and nothing behind it paces its sound, which would pass before the first picture.
    private static func checkTiming(_ elements: [Element]) throws(CaptureError) {
        if elements.contains(where: paces) { return }
        guard let source = elements.first(where: { !isLive($0) }) else { return }
        let advice =
            source.has("is-live")
            ? "set is-live=true" : "append \"! clocksync\", which plays it from the start of the session on"
        throw invalid("the source of the sound, \(source.factoryName), is not live; \(advice)")
    }

    /// Whether an element passes sound on in real time, whatever its source is.
    private static func paces(_ element: Element) -> Bool {
        guard ["clocksync", "identity"].contains(element.factoryName) else { return false }
        return (try? element.get("sync", as: Bool.self)) ?? false
    }

    /// Whether an element delivers sound in real time; true for an element that is no source, or of an unknown kind.
    private static func isLive(_ element: Element) -> Bool {
        // The sound of a pipe that another program fills has the times of its arrival.
        if element.isLiveSource == true || (try? element.get("do-timestamp", as: Bool.self)) == true { return true }
        if element.isLiveSource == nil, !element.has("uri") { return true }
        if let isLive = try? element.get("is-live", as: Bool.self) { return isLive }
        guard element.has("uri"), let uri = try? element.get("uri", as: String.self) else { return false }
        return !uri.hasPrefix("file:")
    }
}
