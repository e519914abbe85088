internal import CVideo4Linux
internal import Errors
internal import Files

/// A media graph: the entities between a sensor and the device files, and the links between their pads.
struct MediaGraph: Sendable {
    /// A part of the hardware, such as a sensor, a receiver, or the DMA engine behind a device file.
    struct Entity: Sendable, Hashable {
        var id: UInt32
        var name: String
        var function: UInt32
        /// The number of its device file; nil if it has none.
        var device: DeviceNumber?

        var isSensor: Bool { function == UInt32(MEDIA_ENT_F_CAM_SENSOR) }
        var isVideoNode: Bool { function == UInt32(MEDIA_ENT_F_IO_V4L) }
    }

    /// One input or output of an entity.
    struct Pad: Sendable, Hashable {
        var id: UInt32
        var entity: UInt32
        var index: UInt32
        var isSource: Bool
    }

    /// A connection from a source pad to a sink pad.
    struct Link: Sendable, Hashable {
        var source: UInt32
        var sink: UInt32
        var isEnabled: Bool
        var isImmutable: Bool
    }

    var entities: [UInt32: Entity]
    var pads: [UInt32: Pad]
    var links: [Link]
    /// Pairs of entities that belong together without a connection: a sensor, and its lens or flash.
    var companions: [(UInt32, UInt32)]

    /// The device file of the graph.
    let file: DeviceFile

    /// Reads the graph of a media device such as /dev/media0.
    init(_ path: String) throws(SystemError) {
        file = try DeviceFile(path)
        var graph = unsafe GscapMediaGraph()
        let error = unsafe gscap_media_read(file.descriptor, &graph)
        if error != 0 { throw SystemError(number: error) }
        defer { unsafe gscap_media_free(&graph) }
        entities = [:]
        pads = [:]
        links = []
        companions = []
        for entity in unsafe Array(UnsafeBufferPointer(start: graph.entities, count: Int(graph.entity_count))) {
            entities[entity.id] = Entity(
                id: entity.id, name: String(field: entity.name), function: entity.function,
                device: DeviceNumber(major: entity.major, minor: entity.minor))
        }
        for pad in unsafe Array(UnsafeBufferPointer(start: graph.pads, count: Int(graph.pad_count))) {
            pads[pad.id] = Pad(
                id: pad.id, entity: pad.entity, index: pad.index,
                isSource: pad.flags & UInt32(MEDIA_PAD_FL_SOURCE) != 0)
        }
        for link in unsafe Array(UnsafeBufferPointer(start: graph.links, count: Int(graph.link_count))) {
            if pads[link.source] == nil {
                companions.append((link.source, link.sink))
            } else {
                links.append(
                    Link(
                        source: link.source, sink: link.sink, isEnabled: link.flags & UInt32(MEDIA_LNK_FL_ENABLED) != 0,
                        isImmutable: link.flags & UInt32(MEDIA_LNK_FL_IMMUTABLE) != 0))
            }
        }
    }

    /// Returns the graph to which a device file belongs; nil if it belongs to none, or if the graph cannot be opened.
    static func containing(_ device: DeviceNumber) -> MediaGraph? {
        let names = (FolderListing.names(in: "/dev") ?? []).filter { $0.hasPrefix("media") }.sorted()
        for name in names {
            guard let graph = try? MediaGraph("/dev/" + name) else { continue }
            if graph.entities.values.contains(where: { $0.device == device }) { return graph }
        }
        return nil
    }

    /// The sink or source pads of an entity, by their indices.
    func pads(of entity: UInt32, areSources: Bool) -> [Pad] {
        pads.values.filter { $0.entity == entity && $0.isSource == areSources }.sorted { $0.index < $1.index }
    }

    /// The lens, the flash and others that belong to a sensor.
    func companions(of entity: UInt32) -> [Entity] {
        companions.compactMap { first, second in
            first == entity ? entities[second] : second == entity ? entities[first] : nil
        }
    }
}

/// The way of the frames from a sensor to a device file.
struct MediaRoute: Sendable {
    /// An entity on the way, with the pads by which the frames come in and go out.
    struct Stop: Sendable, Hashable {
        var entity: MediaGraph.Entity
        var sink: MediaGraph.Pad?
        var source: MediaGraph.Pad?
    }

    /// The sensor first, the device file last.
    var stops: [Stop]

    /// The sensor.
    var sensor: MediaGraph.Entity? { stops.first?.entity }

    /// Finds the way to a device file: one whose links are all enabled, or else the shortest one.
    init?(in graph: MediaGraph, to device: DeviceNumber) {
        guard let node = graph.entities.values.first(where: { $0.device == device }) else { return nil }
        var queue: [[Stop]] = [[Stop(entity: node)]]
        var found: [(stops: [Stop], disabled: Int)] = []
        var isSeen: Set<UInt32> = [node.id]
        while !queue.isEmpty {
            let way = queue.removeFirst()
            guard let first = way.first else { continue }
            if first.entity.isSensor {
                found.append((way, Self.disabledLinks(way, graph)))
                continue
            }
            for sink in graph.pads(of: first.entity.id, areSources: false) {
                for link in graph.links where link.sink == sink.id {
                    guard let source = graph.pads[link.source], let entity = graph.entities[source.entity],
                        entity.isSensor || isSeen.insert(entity.id).inserted
                    else { continue }
                    var longer = way
                    longer[0].sink = sink
                    queue.append([Stop(entity: entity, source: source)] + longer)
                }
            }
        }
        guard let best = found.min(by: { $0.disabled < $1.disabled }) else { return nil }
        stops = best.stops
    }

    private static func disabledLinks(_ stops: [Stop], _ graph: MediaGraph) -> Int {
        zip(stops, stops.dropFirst()).filter { from, to in
            graph.links.first { $0.source == from.source?.id && $0.sink == to.sink?.id }?.isEnabled != true
        }.count
    }
}
