internal import Cameras
internal import GSCapture
internal import Glibc

/// The options that select a camera and the formats of its photos, for a pipeline that is composed from settings.
struct CameraOptions {
    /// The options that a pipeline file, which has its own camera, excludes.
    static let names = CommandOption.names(.camera, of: .capture)

    /// Throws if an option describes a camera although a pipeline file, which has its own camera, is named.
    static func requireNone(_ options: Options, beside file: String) throws(Failure) {
        guard let name = names.first(where: options.has) else { return }
        throw Failure(.usage, "the pipeline file \(file) and \(name) exclude each other")
    }

    /// The camera with the format in which it runs.
    let device: CaptureDevice
    /// Whether the camera is a simulated one, whose format the options set.
    let isSimulated: Bool
    /// The live preview; nil with `--no-preview`.
    let preview: PreviewOutput?
    /// The settings of a photo.
    let settings: PhotoSettings
    /// The formats of the photos in the end, also of deferred ones.
    private let formats: [PhotoFormat]

    init(_ options: Options, _ console: Console) throws {
        if let name = ["--set", "--var"].first(where: options.has) {
            throw Failure(.usage, "\(name) changes a pipeline file, and none is named")
        }
        let size = try Self.size(options)
        var device = try Self.device(options, size, console)
        device.videoZoomFactor =
            try options.number("--zoom", in: 1...device.maxAvailableVideoZoomFactor) ?? device.videoZoomFactor
        self.device = device
        isSimulated = try Self.simulated(options, size).contains { $0.uniqueID == device.uniqueID }
        // The preview scales frames down but not up, so it is no larger than the sensor's frames.
        let (width, height) = device.activeFormat.map { ($0.width, $0.height) } ?? size ?? Self.singleSize
        let output = PreviewOutput(width: min(1280, width), height: min(960, height))
        preview = options.has("--no-preview") ? nil : output
        var settings = try Self.settings(options)
        try ShotOptions(options).apply(to: &settings, formats: settings.formats)
        if options.has("--constituents") { settings.constituents = try Self.constituents(of: device) }
        if options.has("--fuse-constituents") {
            _ = try Self.constituents(of: device, option: "--fuse-constituents")
            settings.fusesConstituents = true
        }
        formats = settings.formats
        settings.isDeferred = options.has("--deferred")
        self.settings = settings
    }

    /// Returns the plan of a session that takes these photos.
    func plan() throws(CaptureError) -> PipelinePlan {
        let branches = formats + (settings.isDeferred ? [.proxy, .deferred] : [])
        return try PipelinePlan(device: device, preview: preview, formats: branches)
    }

    /// Sets a session and its output up for these photos.
    func configure(
        _ session: CaptureSession, _ output: PhotoOutput, deferredFolder: String?
    ) throws(CaptureError) {
        try session.add(CaptureDeviceInput(device: device))
        if let preview { try session.add(preview) }
        output.isProRAWEnabled = settings.rawFormats.contains(.proRAW)
        output.processedFormats = settings.processedFormats
        output.isLivePhotoCaptureEnabled = settings.livePhotoFormat != nil
        output.deferredFolder = deferredFolder
    }

    /// Returns the camera that `--device` names by its identifier or its name, or the virtual device that it names by
    /// the file of its cameras, or that the environment names. Without either, the first camera that delivers raw
    /// frames, or the simulated one if there is none.
    private static func device(_ options: Options, _ size: FrameSize?, _ console: Console) throws -> CaptureDevice {
        let simulated = try simulated(options, size)
        let setsFormat = options.has("--size") || options.has("--rate")
        guard let name = options.value("--device") ?? Self.deviceVariable else {
            let device = try standard(console)
            if device.uniqueID == simulated[0].uniqueID { return simulated[0] }
            guard setsFormat else { return device }
            do {
                return try running(device, options, size)
            } catch {
                console.note("the camera \"\(device.localizedName)\" has no such format; the simulated camera is used")
                return simulated[0]
            }
        }
        if let device = simulated.first(where: { $0.uniqueID == name }) { return device }
        if name.hasSuffix(".ini"), let option = ["--size", "--rate"].first(where: options.has) {
            throw Failure(.usage, "\(option) is no option of a file of cameras, which states their formats as caps")
        }
        if name.hasSuffix(".ini") { return try self.virtual(file: name) }
        let found = try CaptureDevice.discover()
        guard
            let device = found.first(where: {
                [$0.uniqueID, $0.localizedName, $0.camera?.address].contains(name)
            })
        else {
            let names = (found + simulated.dropFirst()).map(\.uniqueID).joined(separator: ", ")
            throw Failure(
                .unavailable,
                "there is no camera \"\(name)\"; the cameras are \(names), and those that a file NAME.ini"
                    + " describes")
        }
        if let problem = device.problem { throw Failure(.unavailable, problem) }
        return setsFormat ? try running(device, options, size) : device
    }

    /// The camera that the variable GSCAP_DEVICE of the environment names, in place of the first one; nil without it.
    private static var deviceVariable: String? {
        unsafe getenv("GSCAP_DEVICE").map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns a camera in the format that `--size` and `--rate` select.
    private static func running(
        _ device: CaptureDevice, _ options: Options, _ size: FrameSize?
    ) throws -> CaptureDevice {
        let rate = try options.integer("--rate", in: 1...1000)
        do throws(CaptureError) {
            return try device.running(width: size?.width, height: size?.height, framesPerSecond: rate)
        } catch {
            throw Failure(.usage, error.description)
        }
    }

    /// Returns the camera that takes photos if none is named. Messages name it, unless it is the simulated one, and the
    /// cameras before it that deliver no raw frames.
    private static func standard(_ console: Console) throws(CaptureError) -> CaptureDevice {
        let (device, passedOver) = CaptureDevice.standard(among: try CaptureDevice.discover())
        for camera in passedOver {
            console.note("the camera \"\(camera.localizedName)\" delivers no raw frames and is passed over")
        }
        let isSimulated = device.uniqueID == CaptureDevice.simulated().uniqueID
        if isSimulated, passedOver.isEmpty { return device }
        let name = isSimulated ? "the simulated camera" : "the camera \"\(device.localizedName)\""
        console.note("\(name) is used; `gscap devices` lists the cameras")
        return device
    }

    /// Returns the simulated camera and the simulated virtual device, in the format that the options set.
    private static func simulated(_ options: Options, _ size: FrameSize?) throws -> [CaptureDevice] {
        let rate = try options.integer("--rate", in: 1...1000) ?? 10
        let (single, each) = (size ?? singleSize, size ?? pairSize)
        return try [
            .simulated(width: single.width, height: single.height, framesPerSecond: rate),
            .simulatedWideAndTele(width: each.width, height: each.height, framesPerSecond: rate),
        ]
    }

    /// Returns the virtual device whose cameras a file describes.
    private static func virtual(file: String) throws(Failure) -> CaptureDevice {
        _ = try InputFile.beginning(of: file, count: 0)
        do throws(CaptureError) {
            return try CaptureDevice(contentsOf: file)
        } catch {
            throw Failure(
                error.code == .missingElement ? .unavailable : .badInput, error.description, file: file)
        }
    }

    /// Returns the identifiers of the cameras of a virtual device.
    private static func constituents(
        of device: CaptureDevice, option: String = "--constituents"
    ) throws(Failure) -> Set<String> {
        guard device.isVirtual else {
            throw Failure(
                .usage,
                "\(option) needs a device of several cameras, such as --device simulated-wide-and-tele or a file that"
                    + " describes them: --device cameras.ini")
        }
        return Set(device.constituents.map(\.device.uniqueID))
    }

    /// Returns the photo settings that the options select. Without --raw and --format: a ProRAW DNG and a JPEG, as
    /// phones store, or for a Live Photo, which excludes ProRAW, a JPEG.
    private static func settings(_ options: Options) throws(Failure) -> PhotoSettings {
        let raw = try choices("--raw", options.list("--raw")) { (format: RAWPhotoFormat) in
            format.rawValue.lowercased()
        }
        let words = options.list("--format").map(FormatWords.usual)
        let processed = try choices("--format", words) { (format: ProcessedPhotoFormat) in format.rawValue }
        let namesFormats = !raw.isEmpty || !processed.isEmpty
        let live = try livePhoto(options)
        var settings = PhotoSettings(
            raw: namesFormats || live != nil ? raw : [.proRAW], processed: namesFormats ? processed : [.jpeg])
        settings.livePhotoFormat = live
        if let quality = try PlanReader.effort(options) { settings.photoQualityPrioritization = quality }
        settings.frames = try PlanReader.frames(options)
        // Frames that are not fused are all stored, as with a pipeline file.
        settings.everyFrame = settings.frames != nil && settings.formats == [.raw(.bayer)]
        return settings
    }

    /// Returns the kind of Live Photo that the options select; nil for photos without a movie.
    private static func livePhoto(_ options: Options) throws(Failure) -> LivePhotoFormat? {
        guard options.has("--motion-photo") else { return options.has("--live") ? .pair : nil }
        if options.has("--live") { throw Failure(.usage, "--live and --motion-photo exclude each other") }
        return .motionPhoto
    }

    /// Returns the values that words stand for. Throws for a word that none of them has as its `name`.
    private static func choices<T: Hashable & CaseIterable>(
        _ option: String, _ words: [String], _ name: (T) -> String
    ) throws(Failure) -> Set<T> {
        var found: Set<T> = []
        for word in words {
            guard let choice = T.allCases.first(where: { name($0) == word }) else {
                throw Suggestions.unknown(word, of: option, among: T.allCases.map(name))
            }
            found.insert(choice)
        }
        return found
    }

    /// The width and height of frames in pixels.
    private typealias FrameSize = (width: Int, height: Int)

    /// The default sizes: 12 megapixels of the simulated sensor, and 3 of each of two. At 12 each, a busy machine takes
    /// longer for their first frames than photos wait for them.
    private static let (singleSize, pairSize): (FrameSize, FrameSize) = ((4032, 3024), (2016, 1512))

    /// Returns the width and height of `--size`; nil without it.
    private static func size(_ options: Options) throws(Failure) -> FrameSize? {
        guard let text = options.value("--size") else { return nil }
        let parts = text.split(separator: "x").compactMap { Int($0) }
        guard parts.count == 2, (16...8064).contains(parts[0]), (16...6048).contains(parts[1]) else {
            throw Failure(.usage, "--size needs WIDTHxHEIGHT from 16x16 to 8064x6048, not \"\(text)\"")
        }
        return (parts[0], parts[1])
    }
}
