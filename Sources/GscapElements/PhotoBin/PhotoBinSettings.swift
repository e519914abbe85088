internal import Files
internal import FrameStream
internal import GStreamer
internal import Glibc
internal import RawImage

/// The values of the properties of `gscapphotobin` that an application sets.
struct PhotoBinSettings: Sendable {
    var formats = "jpeg"
    /// The compression quality of all encoders, once it is set; until then each encoder has its own, JPEG this one.
    var quality = 0.97
    var frames = FusionMode.standard.burstLength
    var fusionMode = FusionMode.standard
    var budget = 1024
    var deadline = 0.0
    var location = ""
    var isBackground = false
    var period = 0.0
    var frameNumber = -1

    static let properties = PropertyTable(
        defaults: PhotoBinSettings(),
        [
            .string(
                "formats", \.formats,
                blurb: "Formats of the photos, separated by commas: " + PhotoBranchFormat.names,
                options: [.readWrite, .mutableReady]),
            .double(
                "quality", \.quality, 0...1,
                blurb: "Compression quality of JPEG, HEIF, AVIF, JPEG XL and WebP; until it is set, each encoder's own",
                options: [.readWrite, .mutablePlaying]),
            .int32(
                "frames", \.frames, 1...Int32(CaptureRequest.mostFrames),
                blurb: "Frames per burst, unless the request specifies it", options: [.readWrite, .mutablePlaying]),
            .enumeration(
                "fusion-mode", \.fusionMode, type: FusionMode.typeName, FusionMode.choices,
                blurb: "Fusion mode, unless the request specifies it", options: [.readWrite, .mutablePlaying]),
            .uint32(
                "max-queued", \.budget, 1...1_000_000,
                blurb: "Mebibytes of frames that the captures under way may hold; a press beyond is refused",
                options: [.readWrite, .mutablePlaying]),
            .double(
                "deadline", \.deadline, 0...86_400,
                blurb: "Seconds from the press to the end of its capture; 0 leaves it to the shutter's limits",
                options: [.readWrite, .mutablePlaying]),
            .string(
                "location", \.location,
                blurb: "Folder and beginning of the names of files, such as /srv/stills/cam1; empty stores none",
                options: [.readWrite, .mutablePlaying]),
            .boolean(
                "background", \.isBackground,
                blurb: "Whether photos are computed at a higher nice value, unless the request specifies it",
                options: [.readWrite, .mutablePlaying]),
            .double(
                "capture-period", \.period, 0...86_400,
                blurb: "Seconds from one automatic capture to the next; 0 takes none",
                options: [.readWrite, .mutablePlaying]),
            .int64(
                "capture-frame", \.frameNumber, -1...Int64.max,
                blurb: "Number of the frame that begins one automatic capture, or the first after it; -1 takes none",
                options: [.readWrite, .mutablePlaying]),
        ])
}

extension PhotoBinSettings {
    /// Throws if a property has a value with which no photo can be made; the error names the property and the element
    /// `place`.
    func check(_ property: String, of place: String) throws(GscapError) {
        switch property {
        case "formats": _ = try branchFormats(of: place)
        case "location": try checkFolder(of: place)
        default: break
        }
    }

    /// The formats of the branches; throws unless the list names at least one, and each once.
    func branchFormats(of place: String) throws(GscapError) -> [PhotoBranchFormat] {
        if let list = PhotoBranchFormat.list(formats) { return list }
        throw GscapError(
            message: "formats is \"\(formats)\": name each format once, separated by commas, of "
                + PhotoBranchFormat.names, place: place)
    }

    /// Throws unless files can be created in the folder of the location.
    private func checkFolder(of place: String) throws(GscapError) {
        if location.isEmpty { return }
        let folder = PhotoFileNames(location: location, formats: []).folder
        // Behind a slash, a file in the place of the folder is an error, too.
        guard unsafe access(folder + "/.", W_OK | X_OK) != 0 else { return }
        let failure = GscapError("photos cannot be stored in \(folder)", folder + "/.", reason: errno)
        throw GscapError(
            message: "location is \"\(location)\": \(failure.message)", place: place)
    }
}

/// The values of the properties of `gscapphotobin` that an application only reads.
struct PhotoBinMetrics: Sendable, Hashable {
    var waiting = 0
    var refused: UInt64 = 0
    var droppedFrames: UInt64 = 0
    var bytesHeld: UInt64 = 0
    var age = -1.0
    var latency = -1.0

    static let properties = PropertyTable(
        defaults: PhotoBinMetrics(),
        [
            .uint32(
                "waiting", \.waiting, 0...UInt32.max, blurb: "Captures under way", options: .readable),
            .uint64(
                "refused", \.refused, 0...UInt64.max, blurb: "Presses refused so far", options: .readable),
            .uint64(
                "dropped-frames", \.droppedFrames, 0...UInt64.max,
                blurb: "Frames missing in the stream so far, by their numbers", options: .readable),
            .uint64(
                "bytes-held", \.bytesHeld, 0...UInt64.max,
                blurb: "Bytes of the frames in the ring and of those reserved for captures", options: .readable),
            .double(
                "photo-age", \.age, -1...Double.greatestFiniteMagnitude,
                blurb: "Seconds from the exposure of the last photo to its delivery; -1 before the first or if unknown",
                options: .readable),
            .double(
                "photo-latency", \.latency, -1...Double.greatestFiniteMagnitude,
                blurb: "Seconds from the press to the delivery of the last photo; -1 before the first or if unknown",
                options: .readable),
        ])
}
