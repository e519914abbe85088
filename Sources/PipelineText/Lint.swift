extension PipelineDescription {
    /// What is allowed but will likely not do what is wanted, in the order of the text.
    public var warnings: [PipelineWarning] {
        let lint = Lint(description: self, graph: graph)
        let all =
            lint.queueless + lint.smallQueues + lint.displays + lint.roles + lint.stills + lint.previews + lint.files
        return all.enumerated().sorted {
            let (a, b) = ($0.element.excerpt?.place, $1.element.excerpt?.place)
            return (a?.line ?? 0, a?.column ?? 0, $0.offset) < (b?.line ?? 0, b?.column ?? 0, $1.offset)
        }.map(\.element)
    }
}

/// The rules, one property each.
private struct Lint {
    let description: PipelineDescription
    let graph: PipelineGraph

    var queueless: [PipelineWarning] {
        graph.indices(factory: "tee").flatMap { tee -> [PipelineWarning] in
            let links = graph.links(from: tee)
            guard links.count > 1 else { return [] }
            return links.filter { !KnownElements.threadBorders.contains(graph.elements[$0.sink].factory) }.map { link in
                warning(
                    .teeBranchWithoutQueue,
                    "this branch of \(title(tee)) has no queue, so it holds up the other branches; write queue ! "
                        + "before \(graph.elements[link.sink].factory)", at: link.sink)
            }
        }
    }

    var smallQueues: [PipelineWarning] {
        let sizes = FrameSize(graph: graph)
        return graph.elements.indices.compactMap { index in
            guard KnownElements.queues.contains(graph.elements[index].factory) else { return nil }
            let text = graph.elements[index]["max-size-bytes"]
            guard let limit = text.map({ Int($0) }) ?? Self.defaultLimit(of: graph.elements[index].factory), limit > 0,
                let frame = sizes.bytes(into: index), frame > limit
            else { return nil }
            return warning(
                .queueTooSmall,
                "one frame here is \(megabytes(frame)) MB but this queue holds \(megabytes(limit)) MB, which slows the "
                    + "pipeline down; write max-size-bytes=0 and limit it by max-size-buffers", at: index)
        }
    }

    private static func defaultLimit(of queue: String) -> Int? { queue == "queue2" ? 2_097_152 : 10_485_760 }

    var displays: [PipelineWarning] {
        graph.displaySinks.map {
            warning(
                .sinkNeedsDisplay,
                "\(graph.elements[$0].factory) needs a display; where there is none gscap puts a fakesink in its place",
                at: $0)
        }
    }

    /// The tees of DESIGN's diagram, which gscap finds by name.
    var roles: [PipelineWarning] {
        let shutters = graph.indices(factory: "rawshutter")
        let fusions = graph.indices(factory: "rawfusion")
        var warnings = role("raw", is: "behind rawunpack", near: shutters.first ?? graph.beginnings.first)
        if let shutter = shutters.first { warnings += role("burst", is: "behind rawshutter", near: shutter) }
        if let fusion = fusions.first { warnings += role("photo", is: "behind rawfusion", near: fusion) }
        return warnings
    }

    private func role(_ name: String, is place: String, near element: Int?) -> [PipelineWarning] {
        let found = graph.index(named: name)
        guard let found else {
            let message = "no tee is named \(name), so gscap cannot find that place; write tee name=\(name) \(place)"
            return [
                element.map { warning(.missingRole, message, at: $0) } ?? .init(code: .missingRole, message: message)
            ]
        }
        guard graph.elements[found].factory != "tee" else { return [] }
        return [
            warning(
                .missingRole,
                "\(name) is the name of a tee \(place), but here a \(graph.elements[found].factory) has it; name it "
                    + "otherwise", at: found)
        ]
    }

    var stills: [PipelineWarning] {
        branchesOfRaw.compactMap { branch in
            let isShut = branch.elements.contains { graph.elements[$0].factory == "rawshutter" }
            let still = branch.elements.first { index in
                let factory = graph.elements[index].factory
                return KnownElements.stillMakers.contains(factory) || KnownElements.fileSinks.contains(factory)
            }
            guard !isShut, let still else { return nil }
            return warning(
                .stillWithoutShutter,
                "this branch takes every frame; write rawshutter ! behind its queue, so that only captures pass",
                at: still)
        }
    }

    var previews: [PipelineWarning] {
        branchesOfRaw.compactMap { branch in
            guard let first = branch.elements.first, graph.elements[first].factory == "queue", isPreview(branch),
                !["downstream", "upstream", "1", "2"].contains(graph.elements[first]["leaky"] ?? "no")
            else { return nil }
            return warning(
                .previewNotLeaky,
                "this queue leads to a preview and is not leaky, so a slow display holds up the camera; write "
                    + "leaky=downstream max-size-buffers=2 max-size-bytes=0 max-size-time=0", at: first)
        }
    }

    var files: [PipelineWarning] {
        let behind = Set(graph.indices(factory: "rawshutter").flatMap { graph.downstream(of: $0) })
        return graph.elements.indices.filter { behind.contains($0) }.compactMap { index in
            let sink = graph.elements[index]
            let isNumbered = sink.factory == "multifilesink" && sink["location"]?.contains("%") != false
            guard ["filesink", "giosink", "multifilesink"].contains(sink.factory), !isNumbered else { return nil }
            return warning(
                .photosInOneFile,
                "all photos go into one file in gst-launch-1.0; write multifilesink location=photo-%05d.dng (gscap "
                    + "names the files itself)", at: index)
        }
    }

    private var branchesOfRaw: [PipelineGraph.Branch] {
        graph.index(named: "raw").map { graph.branches(of: $0) } ?? []
    }

    private func isPreview(_ branch: PipelineGraph.Branch) -> Bool {
        branch.elements.contains { index in
            let element = graph.elements[index]
            return KnownElements.displaySinks.contains(element.factory)
                || (element.factory == "rawdevelop" && element["quality"] == "preview")
        }
    }

    private func title(_ index: Int) -> String {
        graph.elements[index].name.map { "the tee \($0)" } ?? "this tee"
    }

    private func megabytes(_ bytes: Int) -> String {
        let tenths = bytes / 100_000
        return "\(tenths / 10).\(tenths % 10)"
    }

    private func warning(_ code: PipelineWarning.Code, _ message: String, at element: Int) -> PipelineWarning {
        PipelineWarning(
            code: code, message: message, excerpt: description.excerpt(at: graph.elements[element].element.place))
    }
}
