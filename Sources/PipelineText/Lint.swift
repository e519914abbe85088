extension PipelineDescription {
    /// Warnings about constructs that are valid but probably not intended, in the order of the text.
    public var warnings: [PipelineWarning] {
        let lint = Lint(description: self, graph: graph)
        let all =
            lint.branchesWithoutQueue + lint.smallQueues + lint.displays + lint.roles + lint.stills + lint.previews
            + lint.files
        return all.enumerated().sorted {
            let (a, b) = ($0.element.excerpt?.location, $1.element.excerpt?.location)
            return (a?.line ?? 0, a?.column ?? 0, $0.offset) < (b?.line ?? 0, b?.column ?? 0, $1.offset)
        }.map(\.element)
    }
}

/// The lint rules, one property each.
private struct Lint {
    let description: PipelineDescription
    let graph: PipelineGraph

    var branchesWithoutQueue: [PipelineWarning] {
        graph.indices(factory: "tee").flatMap { tee -> [PipelineWarning] in
            let links = graph.links(from: tee)
            guard links.count > 1 else { return [] }
            let unqueued = links.filter { !KnownElements.threadBoundaries.contains(graph.elements[$0.sink].factory) }
            return unqueued.map { link in
                warning(
                    .teeBranchWithoutQueue,
                    "this branch of \(title(tee)) has no queue, so it blocks the other branches; write queue ! "
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
                    + "pipeline down; write max-size-bytes=0 and limit the queue by max-size-buffers", at: index)
        }
    }

    private static func defaultLimit(of queue: String) -> Int? { queue == "queue2" ? 2_097_152 : 10_485_760 }

    var displays: [PipelineWarning] {
        graph.displaySinks.map {
            warning(
                .sinkNeedsDisplay,
                "\(graph.elements[$0].factory) needs a display; without one, gscap replaces it with a fakesink",
                at: $0)
        }
    }

    /// Warnings about the tees `raw`, `burst` and `photo`, which gscap finds by their names.
    var roles: [PipelineWarning] {
        let shutters = graph.indices(factory: "rawshutter")
        let fusions = graph.indices(factory: "rawfusion")
        var warnings = role("raw", is: "after rawunpack", near: shutters.first ?? graph.sourceElements.first)
        if let shutter = shutters.first { warnings += role("burst", is: "after rawshutter", near: shutter) }
        if let fusion = fusions.first { warnings += role("photo", is: "after rawfusion", near: fusion) }
        return warnings
    }

    private func role(_ name: String, is position: String, near element: Int?) -> [PipelineWarning] {
        let found = graph.index(named: name)
        guard let found else {
            let message = "no tee is named \(name), so gscap cannot connect there; write tee name=\(name) \(position)"
            return [
                element.map { warning(.missingRole, message, at: $0) } ?? .init(code: .missingRole, message: message)
            ]
        }
        guard graph.elements[found].factory != "tee" else { return [] }
        return [
            warning(
                .missingRole,
                "\(name) must be the name of a tee \(position), but here it names a \(graph.elements[found].factory); "
                    + "rename that element", at: found)
        ]
    }

    var stills: [PipelineWarning] {
        branchesOfRaw.compactMap { branch in
            let hasShutter = branch.elements.contains { graph.elements[$0].factory == "rawshutter" }
            let still = branch.elements.first { index in
                let factory = graph.elements[index].factory
                return KnownElements.stillMakers.contains(factory) || KnownElements.fileSinks.contains(factory)
            }
            guard !hasShutter, let still else { return nil }
            return warning(
                .stillWithoutShutter,
                "this branch receives every frame; write rawshutter ! after its queue to pass only captured frames",
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
                "this queue leads to a preview and is not leaky, so a slow display blocks the camera; write "
                    + "leaky=downstream max-size-buffers=2 max-size-bytes=0 max-size-time=0", at: first)
        }
    }

    var files: [PipelineWarning] {
        let downstream = Set(graph.indices(factory: "rawshutter").flatMap { graph.downstream(of: $0) })
        return graph.elements.indices.filter { downstream.contains($0) }.compactMap { index in
            let sink = graph.elements[index]
            let isNumbered = sink.factory == "multifilesink" && sink["location"]?.contains("%") != false
            guard ["filesink", "giosink", "multifilesink"].contains(sink.factory), !isNumbered else { return nil }
            return warning(
                .photosInOneFile,
                "gst-launch-1.0 writes all photos into one file here; write multifilesink location=photo-%05d.dng "
                    + "(gscap itself names the files)", at: index)
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
            code: code, message: message, excerpt: description.excerpt(at: graph.elements[element].element.location))
    }
}
