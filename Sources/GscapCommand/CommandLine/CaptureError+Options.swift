internal import GSCapture

/// Errors of captures in the words of the command line.
extension CaptureError {
    /// The options that set the properties of photo settings, by the names that errors give them.
    private static let options = [
        "audioSource": "--audio", "exposureBias": "--ev", "exposureTime": "--shutter", "flashMode": "--flash",
        "fusesBracket": "--merge", "fusesConstituents": "--fuse-constituents", "isDeferred": "--deferred",
        "iso": "--iso",
        "livePhotoFormat": "--live or --motion-photo", "location": "--location",
        "photoQualityPrioritization": "--quality", "processedFormats": "--processed", "rawFormats": "--raw",
        "thumbnailLongestSide": "--thumbnail", "videoZoomFactor": "--zoom", "whiteBalance": "--white",
    ]

    /// The options by the places of errors that name a value inside of a property, or a property whose name is an
    /// ordinary word in messages, too.
    private static let optionsOfPlaces = [
        "bracket": "--bracket", "colorSpace": "--color", "constituents": "--constituents", "quality": "--file-quality",
    ]

    /// The place and the message, in which settings have the names of their options. `iso` and `location` are also
    /// properties of elements and words in the names of files, so they are replaced in errors of settings only.
    var commandText: String {
        // One exposure of a bracket has its index behind the name.
        let setting = String((place.split(separator: ".").last ?? "").prefix { $0 != "[" })
        let option = place.contains("/") ? nil : Self.options[setting] ?? Self.optionsOfPlaces[setting]
        let text = message.replacing(/[A-Za-z]+/) { match in
            let word = String(match.0)
            guard option != nil || word.contains(where: \.isUppercase) else { return word }
            return Self.options[word] ?? word
        }
        let place = option ?? place
        return place.isEmpty ? text : "\(place): \(text)"
    }
}
