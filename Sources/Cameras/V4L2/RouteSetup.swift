internal import CVideo4Linux
internal import Errors
internal import Glibc

/// Gives every pad from a sensor to a device file one format, and repairs the branches beside that way: the kernel
/// starts a stream only if all enabled links agree, also those to device files that nobody reads.
struct RouteSetup {
    let graph: MediaGraph
    let route: MediaRoute
    private let wanted: PadFormat
    private var subdevices: [UInt32: Subdevice] = [:]

    /// Sets up the route for frames of a format.
    init(_ graph: MediaGraph, _ route: MediaRoute, code: UInt32, width: Int, height: Int) {
        (self.graph, self.route) = (graph, route)
        wanted = PadFormat(code: code, width: width, height: height)
        for entity in graph.entities.values where !entity.isVideoNode { subdevices[entity.id] = Subdevice(entity) }
    }

    /// Enables the links and sets the formats. Returns the kernel's number of the colour space of the frames. Throws an
    /// error that names the first pad that refuses.
    func apply() throws(GscapError) -> UInt32 {
        for (from, to) in zip(route.stops, route.stops.dropFirst()) { try enable(from, to) }
        var format = wanted
        for stop in route.stops where !stop.entity.isVideoNode {
            guard let subdevice = subdevices[stop.entity.id] else {
                throw GscapError(
                    .noDevice,
                    "the device file of \"\(stop.entity.name)\" cannot be opened, so its format stays as it is",
                    place: route.name)
            }
            if let sink = stop.sink { try set(&format, sink, stop.entity, subdevice) }
            if let source = stop.source { try set(&format, source, stop.entity, subdevice) }
        }
        try repairBranches()
        return format.frame.colorspace
    }

    /// Sets the format of a pad on the route, and takes over what the driver adds to it, such as a colour space.
    private func set(
        _ format: inout PadFormat, _ pad: MediaGraph.Pad, _ entity: MediaGraph.Entity, _ subdevice: Subdevice
    ) throws(GscapError) {
        let place = "\"\(entity.name)\" pad \(pad.index)"
        let given: PadFormat
        do throws(SystemError) {
            given = try subdevice.setFormat(format, pad: pad.index)
        } catch {
            throw GscapError(
                .pipelineFailed, "\(place) refuses \(format.text): \(error)\(error.number == EBUSY ? inUse : "")",
                place: route.name, cause: error)
        }
        guard given.fits(format) else {
            throw GscapError(
                .unsupported, "\(place) does not take \(format.text), but \(given.text); choose that size and format",
                place: route.name)
        }
        format = given
    }

    private var inUse: String { "; another program streams from this camera" }

    private func enable(_ from: MediaRoute.Stop, _ to: MediaRoute.Stop) throws(GscapError) {
        guard let source = from.source, let sink = to.sink,
            let link = graph.links.first(where: { $0.source == source.id && $0.sink == sink.id }), !link.isEnabled
        else { return }
        // A pad takes one stream, so other links to it are disabled first.
        for other in graph.links where other.sink == sink.id && other.isEnabled && !other.isImmutable {
            setLink(other, isEnabled: false)
        }
        let error = setLink(link, isEnabled: true)
        guard error != 0 else { return }
        throw GscapError(
            .pipelineFailed,
            "the link from \"\(from.entity.name)\" to \"\(to.entity.name)\" cannot be enabled: "
                + "\(SystemError(number: error))", place: route.name, cause: SystemError(number: error))
    }

    @discardableResult
    private func setLink(_ link: MediaGraph.Link, isEnabled: Bool) -> Int32 {
        guard let source = graph.pads[link.source], let sink = graph.pads[link.sink] else { return EINVAL }
        return gscap_media_set_link(
            graph.file.descriptor, source.entity, UInt16(source.index), sink.entity, UInt16(sink.index),
            isEnabled ? 1 : 0)
    }

    // MARK: - Branches beside the route

    /// Follows all enabled links that leave the route, and gives each sink the format of its source. A branch that does
    /// not take it is cut off, if that is permitted.
    private func repairBranches() throws(GscapError) {
        let onRoute = Set(route.stops.map(\.entity.id))
        var queue = route.stops.map(\.entity.id)
        var isSeen = onRoute
        while !queue.isEmpty {
            let entity = queue.removeFirst()
            for source in graph.pads(of: entity, areSources: true) {
                for link in graph.links where link.source == source.id && link.isEnabled {
                    guard let sink = graph.pads[link.sink], let next = graph.entities[sink.entity],
                        !onRoute.contains(next.id)
                    else { continue }
                    do throws(GscapError) {
                        try copyFormat(from: source, to: sink, next)
                        if isSeen.insert(next.id).inserted { queue.append(next.id) }
                    } catch {
                        if link.isImmutable || setLink(link, isEnabled: false) != 0 { throw error }
                    }
                }
            }
        }
    }

    private func copyFormat(
        from source: MediaGraph.Pad, to sink: MediaGraph.Pad, _ entity: MediaGraph.Entity
    ) throws(GscapError) {
        guard let format = try? subdevices[source.entity]?.format(pad: source.index) else { return }
        let taken: PadFormat?
        if entity.isVideoNode {
            taken = VideoBranch(entity)?.take(format)
        } else {
            taken = try? subdevices[entity.id]?.setFormat(format, pad: sink.index)
        }
        guard let taken, taken.fits(format) else {
            throw GscapError(
                .pipelineFailed,
                "the branch to \"\(entity.name)\" does not take \(format.text) from "
                    + "\"\(graph.entities[source.entity]?.name ?? "")\", and the kernel would refuse to stream",
                place: route.name)
        }
    }
}

/// A device file at the end of a branch that nobody reads, whose format must fit all the same.
private struct VideoBranch {
    private let node: VideoNode

    init?(_ entity: MediaGraph.Entity) {
        guard let path = entity.device?.path, let node = try? VideoNode(path) else { return nil }
        self.node = node
    }

    /// Gives the node a format of the pad's size and kind; returns the pad's format, or nil if the node has none.
    func take(_ format: PadFormat) -> PadFormat? {
        let (width, height) = (Int(format.frame.width), Int(format.frame.height))
        // The formats that the kernel lists for this number on the bus; older kernels list all.
        let codes = node.file.list(gscap_vidioc_enum_fmt) { index in
            var description = v4l2_fmtdesc()
            (description.index, description.type) = (index, node.bufferType)
            description.mbus_code = format.frame.code
            return description
        } _: {
            $0.pixelformat
        }
        let present = try? node.format().code
        for code in [present].compactMap(\.self).filter(codes.contains) + codes {
            guard
                let given = try? node.setFormat(
                    code: code, width: width, height: height, colorspace: format.frame.colorspace)
            else { continue }
            if (given.code, given.width, given.height) == (code, width, height) { return format }
        }
        return nil
    }
}

extension MediaRoute {
    /// The names of the entities on the way.
    var name: String { stops.map(\.entity.name).joined(separator: " → ") }

    /// Returns the first link, of those enabled, whose pads have different formats, in words; nil if all agree.
    func disagreement(in graph: MediaGraph) -> String? {
        for link in graph.links where link.isEnabled {
            guard let source = graph.pads[link.source], let sink = graph.pads[link.sink],
                let from = graph.entities[source.entity], let to = graph.entities[sink.entity],
                let given = try? Subdevice(from)?.format(pad: source.index),
                let taken = try? Subdevice(to)?.format(pad: sink.index), !given.fits(taken)
            else { continue }
            return "\"\(from.name)\" pad \(source.index) gives \(given.text), \"\(to.name)\" pad \(sink.index) takes "
                + taken.text
        }
        return nil
    }
}
