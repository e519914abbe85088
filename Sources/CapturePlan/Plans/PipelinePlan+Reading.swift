internal import GStreamer
internal import GscapElements
internal import PipelineText
internal import RawImage

extension PipelinePlan {
    /// The options for reading a pipeline text.
    public struct Reading: Sendable {
        /// The file name in error messages.
        public var file = "pipeline"
        /// The values of the variables `${NAME}`.
        public var variables: [String: String] = [:]
        /// The properties to override: element name or factory name, property name, value.
        public var settings: [(element: String, property: String, value: String)] = []
        /// Whether the live preview is shown; nil shows it if there is a display.
        public var showsPreview: Bool?
        /// Whether file sinks that are no photo branches leave existing files as they are: numbered files continue
        /// after the last one, and another file that exists is an error.
        public var keepsFiles = false

        /// Creates options that leave the text unchanged.
        public init() {}
    }

    /// Parses and checks a pipeline text, so that mistakes are found before the pipeline runs.
    public init(reading text: String, _ reading: Reading = Reading()) throws(CaptureError) {
        try GscapPlugin.register()
        do throws(GscapError) {
            let catalogue = RegistryCatalogue()
            var description = try PipelineDescription(parsing: text, file: reading.file) { reading.variables[$0] }
            for change in reading.settings {
                try description.set(change.property, of: change.element, to: change.value)
            }
            // Overridden properties are checked like those in the text.
            if let error = description.errors(against: catalogue).first { throw error }
            let warnings = description.warnings.filter { $0.code != .sinkNeedsDisplay }.map(\.description)
            try self.init(description, reading, warnings: warnings + description.renamedElementWarnings)
        } catch {
            let code: CaptureError.Code =
                switch error.code {
                case .unknownElement: .missingElement
                case .existingFile: .cannotWrite
                default: .badPipeline
                }
            // The description of an error with an excerpt already contains the file name.
            let place = error.excerpt == nil ? reading.file : ""
            throw CaptureError(code, error.description, place: place, cause: error)
        }
    }

    private init(
        _ description: PipelineDescription, _ reading: Reading, warnings: [String]
    ) throws(GscapError) {
        var running = description
        running.nameElements()
        let graph = running.graph
        let shutter = graph.indices(factory: "rawshutter").first
        let ends = shutter.map { graph.photoSinks(behind: $0) } ?? []
        hidesPreview = running.dropDisplay(showsPreview: reading.showsPreview) && reading.showsPreview != false
        running.replaceFileSinks(ends, shutter: shutter)
        keptLocations = reading.keepsFiles ? try running.keepFiles() : []
        links = Link.all(in: running)
        file = reading.file
        text = description.fileText
        // Pipeline texts use the plain element names; GStreamer needs the registered ones.
        running.renameFactories(RegisteredNames.all)
        launchText = running.launchText
        self.shutter = shutter.flatMap { graph.elements[$0].name }
        burstFrames =
            shutter.flatMap { graph.elements[$0]["frames"] }.flatMap { Int($0) } ?? FusionMode.standard.burstLength
        photos = max(1, shutter.flatMap { graph.elements[$0]["captures"] }.flatMap { Int($0) } ?? 1)
        branches = ends.map { graph.branch(to: $0, from: shutter) }
        let fusion = branches.lazy.compactMap(\.fusion).first.flatMap(graph.index(named:))
        fusionMode = fusion.map { graph.elements[$0]["mode"].flatMap(FusionMode.init) ?? .standard }
        var line = description
        if reading.showsPreview == false { _ = line.dropDisplay(showsPreview: false) }
        let sinks = zip(ends, branches).map { (index: $0, name: $1.name) }
        line.prepareLaunch(sinks, shutter: shutter, captures: photos)
        shellText = line.renamed(RegisteredNames.all).shellText
        self.warnings = warnings
    }
}

// MARK: - Changes to the text before it runs

extension PipelineDescription {
    /// Warnings for the elements of gscap that are registered under another name, because another plugin has the name.
    fileprivate var renamedElementWarnings: [String] {
        let used = Set(graph.elements.map(\.factory))
        return RegisteredNames.all.sorted { $0.key < $1.key }.filter { used.contains($0.key) }.map { own, registered in
            "another plugin has an element \"\(own)\" too; this pipeline uses gscap's, "
                + "whose name in other programs is \"\(registered)\""
        }
    }

    fileprivate func renamed(_ names: [String: String]) -> PipelineDescription {
        var renamed = self
        renamed.renameFactories(names)
        return renamed
    }

    /// Replaces sinks that open a window by fakesink if there is no display or the preview is disabled; returns whether
    /// any sink was replaced.
    fileprivate mutating func dropDisplay(showsPreview: Bool?) -> Bool {
        let sinks = graph.displaySinks
        if sinks.isEmpty || (showsPreview != false && Display.isAvailable) { return false }
        for sink in sinks {
            replace(sink, with: Element("fakesink", [.init("sync", "false"), .init("async", "false")]))
        }
        return true
    }

    /// Prepares the text for `gst-launch-1.0`: the shutter takes `captures` photos and ends the stream, and where file
    /// sinks of several branches have one location, the location of each gets the name of its sink, so that no file
    /// replaces another.
    fileprivate mutating func prepareLaunch(_ sinks: [(index: Int, name: String)], shutter: Int?, captures: Int) {
        let elements = graph.elements
        let locations = sinks.map { sink in
            let element = elements[sink.index]
            return element["location"] ?? Self.standardLocations[element.factory]
        }
        for (sink, location) in zip(sinks, locations) {
            guard let location, locations.count(where: { $0 == location }) > 1 else { continue }
            let name = location.lastIndex(of: "/").map { location[location.index(after: $0)...] } ?? location[...]
            let end = name.lastIndex(of: ".") ?? name.endIndex
            var element = elements[sink.index].element
            element["location"] = "\(location[..<end])-\(sink.name)\(location[end...])"
            replace(sink.index, with: element)
        }
        guard let shutter else { return }
        var element = elements[shutter].element
        element["captures"] = "\(captures)"
        replace(shutter, with: element)
    }

    /// Replaces the file sinks of the branches by appsinks, so that this process writes the files atomically,
    /// disables automatic captures, and makes a stream that is not live wait for the captures.
    fileprivate mutating func replaceFileSinks(_ ends: [Int], shutter: Int?) {
        let settings = [("sync", "false"), ("async", "false"), ("max-buffers", "4")]
        for end in ends { replace(end, with: Element("appsink", settings.map { Property($0.0, $0.1) })) }
        guard let shutter else { return }
        var element = graph.elements[shutter].element
        element["captures"] = "0"
        element["wait-for-capture"] = "true"
        replace(shutter, with: element)
    }
}

extension PipelineGraph {
    /// Returns the file sinks and appsinks downstream of a shutter, in the order of the text.
    fileprivate func photoSinks(behind shutter: Int) -> [Int] {
        let behind = Set(downstream(of: shutter))
        let takers: Set<String> = ["filesink", "multifilesink", "appsink"]
        return ends.filter { behind.contains($0) && takers.contains(elements[$0].factory) }
    }

    /// Returns the branch from a shutter to a sink.
    fileprivate func branch(to end: Int, from shutter: Int?) -> PipelinePlan.Branch {
        let above = upstream(of: end).prefix { $0 != shutter }
        let inside = above.reversed() + [end]
        let format = format(at: end, along: inside)
        var branch = PipelinePlan.Branch(
            name: elements[end].name ?? "", format: format, path: inside.compactMap { elements[$0].name })
        let encoder =
            switch format {
            case .raw: "dngenc"
            case .processed(let format): format.ownEncoder
            case .proxy, .deferred, .other: nil as String?
            }
        branch.encoder = inside.last { elements[$0].factory == encoder }.flatMap { elements[$0].name }
        let fusion = inside.last { elements[$0].factory == "rawfusion" }
        branch.isFused = fusion != nil
        branch.fusion = fusion.flatMap { elements[$0].name }
        setSize(of: &branch, along: inside)
        if case .processed(let format) = format { setColors(of: &branch, format, along: inside) }
        return branch
    }

    /// Elements that change the size of pictures.
    private static let scalers: Set<String> = [
        "videoscale", "videoconvertscale", "videocrop", "aspectratiocrop", "videobox", "videoflip", "autovideoflip",
        "autovideoconvert", "decodebin", "decodebin3",
    ]

    /// Sets the size of a branch's photos where the text has elements that scale pictures.
    private func setSize(of branch: inout PipelinePlan.Branch, along path: [Int]) {
        guard let scaler = path.lastIndex(where: { Self.scalers.contains(elements[$0].factory) }) else { return }
        branch.hasFrameSize = false
        let structures = path[scaler...].compactMap { caps(into: $0) }
        branch.dimensions =
            structures.lazy.compactMap { structure in
                guard let width = structure.number("width"), let height = structure.number("height") else { return nil }
                return PhotoDimensions(width: width, height: height)
            }.first
    }

    /// Sets the colour space of a branch's pictures: the format's only one, or that of the caps in the text, or of the
    /// text's property of rawdevelop.
    private func setColors(
        of branch: inout PipelinePlan.Branch, _ format: ProcessedPhotoFormat, along path: [Int]
    ) {
        let look = path.last { elements[$0].factory == "rawdevelop" }
        branch.look = look.flatMap { elements[$0].name }
        let supported = format.supportedColorSpaces
        let colors = path.compactMap { caps(into: $0)?["colorimetry"] }.last
        if supported.count == 1, let only = supported.first {
            branch.colorSpace = only
        } else if let colors {
            branch.colorSpace = ColorSpace(colorimetry: colors)
        } else {
            let text = look.flatMap { elements[$0]["color-space"] } ?? ""
            branch.colorSpace = ColorSpace(rawValue: text) ?? .sRGB
        }
        branch.supportedColorSpaces = colors == nil && look != nil ? supported : [branch.colorSpace]
    }

    /// Returns the first structure of the caps before an element; nil if the text has none.
    private func caps(into element: Int) -> PipelineDescription.Caps.Structure? {
        let caps = links(into: element).compactMap(\.link.caps).first
        return (caps ?? elements[element]["caps"].flatMap { try? PipelineDescription.Caps($0) })?.structures.first
    }

    private func format(at end: Int, along path: [Int]) -> PhotoFormat {
        let factories = path.map { elements[$0].factory }
        // The branches of deferred delivery are known by the names of their sinks.
        if elements[end].name == PhotoFormat.proxy.name { return .proxy }
        if elements[end].name == PhotoFormat.deferred.name { return .deferred }
        if factories.contains("dngenc") {
            return .raw(factories.contains("rawfusion") ? .proRAW : .bayer)
        }
        let colors = path.compactMap { caps(into: $0)?["colorimetry"] }.last
        for index in path {
            let bits = elements[index]["bit-depth"].flatMap { Int($0) } ?? 0
            let format = ProcessedPhotoFormat(encoder: elements[index].factory, bitDepth: bits, colorimetry: colors)
            if let format { return .processed(format) }
        }
        // An appsink takes the pixels themselves if the caps before it name a pixel format.
        let pixels = elements[end].factory == "appsink" ? caps(into: end)?["format"] : nil
        if let format = pixels.flatMap(ProcessedPhotoFormat.init(pixelFormat:)) { return .processed(format) }
        let location = elements[end]["location"] ?? ""
        let ending = location.split(separator: ".").last.map(String.init) ?? "bin"
        return .other(location.contains(".") ? ending : "bin")
    }
}
