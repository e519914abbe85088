internal import Files
internal import GSCapture
internal import GscapElements

/// Errors of captures in the words of the command line.
extension CaptureError {
    /// The options that set the properties of photo settings, by the names that errors give them.
    private static let options = [
        "audioSource": "--audio", "constituents": "--constituents", "exposureBias": "--ev", "exposureTime": "--shutter",
        "flashMode": "--flash", "fusesBracket": "--merge", "fusesConstituents": "--fuse-constituents",
        "isDeferred": "--deferred", "iso": "--iso", "livePhotoFormat": "--live or --motion-photo",
        "location": "--location", "nameTemplate": "--name", "photoQualityPrioritization": "--effort",
        "processedFormats": "--format", "rawFormats": "--raw", "thumbnailLongestSide": "--thumbnail",
        "videoZoomFactor": "--zoom", "whiteBalance": "--white",
    ]

    /// The options by the places of errors that name a value inside of a property, or a property whose name is an
    /// ordinary word in messages, too.
    private static let optionsOfPlaces = [
        "bitRate": "--bit-rate", "bracket": "--bracket", "colorSpace": "--color", "frames": "--frames",
        "quality": "--quality",
    ]

    /// The place and the message, in which settings have the names of their options.
    var commandText: String {
        let place = option ?? place
        return place.isEmpty ? commandMessage : "\(place): \(commandMessage)"
    }

    /// The message, with the options of the command in place of the library's settings and advice. Words in lower case,
    /// such as `iso`, are also properties of elements and words in names of files, so they are replaced in errors of
    /// settings only.
    var commandMessage: String {
        if isNameTaken {
            return message.replacing(Self.existingFileAdvice, with: "choose another name, or use --overwrite")
        }
        if isNotCreated {
            return message.replacing(Self.folderAdvice, with: "choose another with --output")
        }
        // The text of a source has properties of elements, too.
        let isOfSettings = option.map { $0 != "--audio" } ?? false
        return message.replacing(/[A-Za-z]+/) { match in
            let word = String(match.0)
            guard isOfSettings || word.contains(where: \.isUppercase) else { return word }
            return Self.options[word] ?? word
        }
    }

    /// The option that sets the property which the error names as its place; nil for other places, such as files.
    private var option: String? {
        if cause is SystemError { return nil }
        // One exposure of a bracket has its index behind the name.
        let setting = String((place.split(separator: ".").last ?? "").prefix { $0 != "[" })
        return place.contains("/") ? nil : Self.options[setting] ?? Self.optionsOfPlaces[setting]
    }
}
