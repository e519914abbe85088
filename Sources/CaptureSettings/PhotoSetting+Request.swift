internal import RawImage

// The settings that the shutter and the photo bin read in a request. The struct of the C library has them in this
// order, so new ones are added at its end.

extension PhotoSetting {
    package static let id = PhotoSetting(
        "id", .unsigned, "The capture id, above 0", standard: "a unique one")
    package static let receiptID = PhotoSetting(
        "receipt-id", .unsigned, "The capture id that receipts and warnings state", standard: "the id")
    package static let frames = PhotoSetting(
        "frames", .integer(1...64), "The number of frames in the burst, or for each exposure of a bracket",
        standard: "that of the effort or of the pipeline", property: "frames", option: "--frames", "N")
    package static let fusionMode = PhotoSetting(
        "fusion-mode", .choice(FusionMode.allCases.map(\.rawValue)), "The mode of the fusion",
        standard: "that of the element")
    package static let formats = PhotoSetting(
        "formats", .texts([]), "Those of the element's formats that the capture has", standard: "all")
    package static let everyFrame = PhotoSetting(
        "every-frame", .truth, "Whether each frame of the burst is stored, rather than the reference alone",
        standard: "false", property: "everyFrame")
    package static let time = PhotoSetting(
        "time", .unsigned, "The running time of the press", unit: "ns", standard: "now")
    package static let tolerance = PhotoSetting(
        "tolerance", .number(0...Double.greatestFiniteMagnitude),
        "The greatest time between the press and the middle of the reference frame's exposure", unit: "s",
        standard: "two frame periods and the camera's delay", property: "momentTolerance")
    package static let zeroShutterLag = PhotoSetting(
        "zero-shutter-lag", .truth, "Whether the capture may contain frames from before the press",
        standard: "the pipeline's", property: "zeroShutterLag")
    package static let exposureTime = PhotoSetting(
        "exposure-time", .positive, "The exposure time", unit: "s", property: "exposureTime", option: "--shutter",
        "TIME")
    package static let iso = PhotoSetting(
        "iso", .positive, "The gain as an ISO number", property: "iso", option: "--iso", "N")
    package static let exposureBias = PhotoSetting(
        "exposure-bias", .number(-20...20), "The exposure relative to that of the camera", unit: "EV", standard: "0",
        property: "exposureBias", option: "--ev", "N")
    package static let flash = PhotoSetting(
        "flash", .choice(["off", "on", "auto"]), "The use of the flash", standard: "off", property: "flashMode",
        option: "--flash", "MODE")
    package static let bracket = PhotoSetting(
        "bracket", .objects([exposureTime, iso, exposureBias]),
        "Exposures that are taken one after another, at most 16",
        standard: "none", property: "bracket", option: "--bracket", "EV,EV,…")
    package static let fuseBracket = PhotoSetting(
        "fuse-bracket", .truth, "Whether the exposures of the bracket are also merged into one photo",
        standard: "false", property: "fusesBracket", option: "--merge")
    package static let whiteTemperature = PhotoSetting(
        "white-temperature", .number(WhiteBalance.temperatures), "The correlated colour temperature of the light",
        unit: "K", property: "whiteBalance", option: "--white", "LIGHT")
    package static let whiteTint = PhotoSetting(
        "white-tint", .number(WhiteBalance.tints), "The tint of the light, magenta when positive", standard: "0",
        property: "whiteBalance", option: "--white", "LIGHT", needs: ["white-temperature"])
    package static let artist = PhotoSetting(
        "artist", .text, "The photographer, stored in the files", property: "details.artist", option: "--artist", "NAME"
    )
    package static let title = PhotoSetting(
        "title", .text, "The title, stored in the files", property: "details.title", option: "--title", "TEXT")
    package static let copyright = PhotoSetting(
        "copyright", .text, "The copyright, stored in the files", property: "details.copyright", option: "--copyright",
        "TEXT")
    package static let orientation = PhotoSetting(
        "orientation", .integer(1...8), "The Exif orientation", property: "details.orientation")
    package static let latitude = PhotoSetting(
        "latitude", .number(-90...90), "The position in degrees north", unit: "°", property: "details.location",
        option: "--location", "LAT,LON[,ALT]", needs: ["longitude"])
    package static let longitude = PhotoSetting(
        "longitude", .number(-180...180), "The position in degrees east", unit: "°", property: "details.location",
        option: "--location", "LAT,LON[,ALT]", needs: ["latitude"])
    package static let altitude = PhotoSetting(
        "altitude", .number(-Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude),
        "The height of the position above sea level", unit: "m", property: "details.location", option: "--location",
        "LAT,LON[,ALT]", needs: ["latitude", "longitude"])
    package static let settings = PhotoSetting(
        "settings", .properties, "Property values for this capture alone, with a structure for each element",
        standard: "none")
    package static let cameraGeometry = PhotoSetting(
        "camera-geometry", .numbers, "The geometry of the camera, as in the metadata of frames")
    package static let nearest = PhotoSetting(
        "nearest", .truth,
        "Whether a capture of one frame takes the nearest to the press in place of the newest before it",
        standard: "false")
    package static let cropFactor = PhotoSetting(
        "crop-factor", .number(1...100), "The zoom factor by which the photos are cropped around their centre",
        standard: "1")
    package static let priority = PhotoSetting(
        "priority", .choice(PhotoPriority.allCases.map(\.rawValue)),
        "The priority of the photo, of which background leaves the processors to everything else",
        standard: "normal, or the element's",
        property: "processingPriority")
    package static let keywords = PhotoSetting(
        "keywords", .texts([]), "The keywords, stored in the files", property: "details.keywords",
        option: "--keywords", "WORD,WORD,…")

    /// All fields of a request.
    package static let request = [
        id, receiptID, frames, fusionMode, formats, everyFrame, time, tolerance, zeroShutterLag, exposureTime, iso,
        exposureBias, flash, bracket, fuseBracket, whiteTemperature, whiteTint, artist, title, copyright, orientation,
        latitude, longitude, altitude, settings, cameraGeometry, nearest, cropFactor, priority,
        keywords,
    ]
}
