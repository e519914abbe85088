internal import GscapElements
internal import PipelineText

extension PipelinePlan {
    /// What may be changed while a text is read.
    public struct Reading: Sendable {
        /// The file's name, for messages.
        public var file = "pipeline"
        /// Values of `${NAME}`.
        public var variables: [String: String] = [:]
        /// Properties to set: the element's name or factory, the property, the value.
        public var settings: [(element: String, property: String, value: String)] = []
        /// Whether the live picture is shown; nil shows it when there is a display.
        public var showsPreview: Bool?

        /// A reading of the text as it stands.
        public init() {}
    }

    /// Reads a pipeline text. Every mistake is found before anything runs.
    public init(reading text: String, _ reading: Reading = Reading()) throws(CaptureError) {
        do {
            try GscapPlugin.register()
            let catalogue = RegistryCatalogue()
            var document = try PipelineDocument(reading: text, file: reading.file, variables: reading.variables)
            try document.check(with: catalogue)
            for change in reading.settings { try Self.apply(change, to: &document, catalogue) }
            let warnings = document.lint().filter { $0.rule != .needsDisplay }.map(\.description)
            self.init(document, warnings: warnings, showsPreview: reading.showsPreview)
        } catch let error as PipelineTextError {
            let code: CaptureError.Code = error.code == .unknownElement ? .missingElement : .badPipeline
            throw CaptureError(code, error.description, cause: error)
        } catch let error as CaptureError {
            throw error
        } catch {
            throw CaptureError(.badPipeline, "\(error)", cause: error)
        }
    }

    private static func apply(
        _ change: (element: String, property: String, value: String), to document: inout PipelineDocument,
        _ catalogue: RegistryCatalogue
    ) throws {
        guard document.set(change.element, change.property, to: change.value) else {
            throw CaptureError(
                .badPipeline, "the pipeline has no element \"\(change.element)\" to set \(change.property) of",
                place: document.file)
        }
        // The change is checked as if it had been written there.
        try document.check(with: catalogue)
    }

    private init(_ document: PipelineDocument, warnings: [String], showsPreview: Bool?) {
        var running = document
        let unseen = running.dropDisplay(wanted: showsPreview)
        let graph = PipelineGraph(document)
        let shutter = graph.elements.first { $0.node.factory == "rawshutter" }
        let ends = shutter.flatMap { graph.index(named: $0.name) }.map(graph.branches) ?? []
        running.takeEnds(ends.map(\.name), shutter: shutter?.name)
        file = document.file
        text = document.prettyText
        shellText = document.shellText
        launchText = running.launchText
        self.shutter = shutter?.name
        burstFrames = shutter?.node.value(of: "frames").flatMap(Int.init) ?? 8
        photos = max(1, shutter?.node.value(of: "captures").flatMap(Int.init) ?? 1)
        branches = ends
        self.warnings = warnings + unseen
    }
}

// MARK: - What gscap puts in place of what a text says

extension PipelineDocument {
    /// Sinks that open a window become ones that show nothing, where there is no display or no wish; tells why.
    fileprivate mutating func dropDisplay(wanted: Bool?) -> [String] {
        let sinks = PipelineGraph(self).elements.filter { PipelineGraph.displaySinks.contains($0.node.factory) }
        if sinks.isEmpty || (wanted != false && Display.isThere) { return [] }
        for sink in sinks {
            replace(sink.name, by: "fakesink", properties: [("sync", "false"), ("async", "false")])
        }
        return wanted == false ? [] : ["there is no display, so the preview runs unseen"]
    }

    /// File ends become ends in this process: files are then written whole or not at all.
    fileprivate mutating func takeEnds(_ names: [String], shutter: String?) {
        for name in names {
            replace(name, by: "appsink", properties: [("sync", "false"), ("async", "false"), ("max-buffers", "4")])
        }
        if let shutter { set(shutter, "captures", to: "0") }
    }
}

extension PipelineGraph {
    /// The ways from a shutter to files or to the application, in the order of the text.
    fileprivate func branches(from shutter: Int) -> [PipelinePlan.Branch] {
        let behind = downstream(of: shutter)
        let takers: Set<String> = ["filesink", "multifilesink", "appsink"]
        return ends.filter { behind.contains($0) && takers.contains(elements[$0].node.factory) }.map { end in
            let path = branch(to: end)
            let inside = path.drop { $0 != shutter }.dropFirst()
            return PipelinePlan.Branch(
                name: elements[end].name, format: format(at: end, along: Array(inside)),
                path: inside.map { elements[$0].name })
        }
    }

    private func format(at end: Int, along path: [Int]) -> PhotoFormat {
        let factories = path.map { elements[$0].node.factory }
        if factories.contains("dngenc") {
            return .raw(factories.contains("rawfusion") ? .proRAW : .bayer)
        }
        for format in ProcessedPhotoFormat.allCases where factories.contains(format.encoder) {
            return .processed(format)
        }
        let location = elements[end].node.value(of: "location") ?? ""
        let ending = location.split(separator: ".").last.map(String.init) ?? "bin"
        return .other(location.contains(".") ? ending : "bin")
    }
}

extension ProcessedPhotoFormat {
    /// The element that makes it.
    var encoder: String {
        switch self {
        case .jpeg: "jpegenc"
        case .png: "pngenc"
        case .webp: "webpenc"
        }
    }
}
