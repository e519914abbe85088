/// Something in a text that works, but not well.
public struct PipelineWarning: Sendable, Hashable, CustomStringConvertible {
    /// Which rule it is about.
    public enum Rule: String, Sendable, Hashable, CaseIterable {
        /// A tee's branch that holds up the others.
        case teeWithoutQueue
        /// A queue that a single frame overfills.
        case smallQueue
        /// A sink that cannot work without a desktop.
        case needsDisplay
        /// Photos are taken, but a tee of the usual name is missing.
        case missingRole
        /// A preview that a slow display holds up.
        case blockingPreview
    }

    /// The rule.
    public var rule: Rule
    /// What is not well and what to do.
    public var message: String
    /// The file.
    public var file: String
    /// Where.
    public var place: TextPlace

    /// "file:line:column: message".
    public var description: String { "\(file):\(place.line):\(place.column): \(message)" }
}

extension PipelineDocument {
    /// Looks for what works, but not well.
    public func lint() -> [PipelineWarning] {
        let graph = PipelineGraph(self)
        return
            (graph.teesWithoutQueue() + graph.smallQueues() + graph.displays() + graph.missingRoles()
            + graph.blockingPreviews())
            .map { PipelineWarning(rule: $0.rule, message: $0.message, file: file, place: $0.place) }
            .sorted { ($0.place.line, $0.place.column) < ($1.place.line, $1.place.column) }
    }
}

/// A warning before it is known which file it is in.
private typealias Finding = (rule: PipelineWarning.Rule, message: String, place: TextPlace)

extension PipelineGraph {
    fileprivate func teesWithoutQueue() -> [Finding] {
        edges.filter { elements[$0.from].node.factory == "tee" }.compactMap { edge in
            let branches = edges.filter { $0.from == edge.from }.count
            let target = elements[edge.to]
            let queues: Set<String> = ["queue", "queue2", "multiqueue"]
            guard branches > 1, !queues.contains(target.node.factory) else { return nil }
            return (
                .teeWithoutQueue,
                "\(target.name) hangs on the tee \(elements[edge.from].name) without a queue, so it holds up the other "
                    + "branches; put \"queue !\" before it", target.node.place
            )
        }
    }

    /// The default limit of a queue is 10 MB; a frame of the default camera has 24.
    fileprivate func smallQueues() -> [Finding] {
        elements.indices.filter { elements[$0].node.factory == "queue" && carriesRaw($0) }.compactMap { index in
            let node = elements[index].node
            let limit = node.value(of: "max-size-bytes").flatMap(Int.init) ?? 10_485_760
            let frame = frameBytes(before: index)
            guard limit > 0, limit < 2 * frame else { return nil }
            return (
                .smallQueue,
                "this queue holds \(limit / 1_000_000) MB and a frame has \(frame / 1_000_000); set max-size-bytes=0 and "
                    + "limit it with max-size-buffers", node.place
            )
        }
    }

    /// Whether full-size frames come here: nothing has made them small or a file before.
    private func carriesRaw(_ index: Int) -> Bool {
        let before = upstream(of: index).map { elements[$0].node }
        let makers: Set<String> = ["gscapsensorsrc", "rawunpack", "rawshutter", "rawfusion"]
        let shrinkers = before.contains { node in
            (node.factory == "rawdevelop" && node.value(of: "quality") == "preview") || node.factory.hasSuffix("enc")
                || node.factory == "videoscale"
        }
        return before.contains { makers.contains($0.factory) } && !shrinkers
    }

    private func frameBytes(before index: Int) -> Int {
        let before = upstream(of: index)
        let caps = edges.filter { before.contains($0.to) }.compactMap(\.caps)
        func number(_ field: String) -> Int? {
            for text in caps {
                for part in text.split(separator: ",") {
                    let pair = part.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
                    guard pair.count == 2, pair[0] == field else { continue }
                    if let value = Int(pair[1].replacing("(int)", with: "")), value > 0, value < 100_000 {
                        return value
                    }
                }
            }
            return nil
        }
        let isFused = before.contains { elements[$0].node.factory == "rawfusion" }
        return (number("width") ?? 4032) * (number("height") ?? 3024) * (isFused ? 8 : 2)
    }

    fileprivate func displays() -> [Finding] {
        elements.filter { Self.displaySinks.contains($0.node.factory) }.map {
            (
                .needsDisplay, "\($0.node.factory) needs a desktop; without one gscap shows nothing and goes on",
                $0.node.place
            )
        }
    }

    /// Sinks that open a window.
    public static let displaySinks: Set<String> = [
        "autovideosink", "ximagesink", "xvimagesink", "glimagesink", "waylandsink", "gtksink", "gtkglsink",
        "glimagesinkelement", "fpsdisplaysink",
    ]

    fileprivate func missingRoles() -> [Finding] {
        guard let shutter = elements.first(where: { $0.node.factory == "rawshutter" }) else { return [] }
        let hasFusion = elements.contains { $0.node.factory == "rawfusion" }
        let roles = ["raw", "burst"] + (hasFusion ? ["photo"] : [])
        return roles.filter { role in !elements.contains { $0.name == role && $0.node.factory == "tee" } }.map { role in
            (
                .missingRole, "no \"tee name=\(role)\": branches added later have nowhere to hang on",
                shutter.node.place
            )
        }
    }

    fileprivate func blockingPreviews() -> [Finding] {
        elements.indices.filter { Self.displaySinks.contains(elements[$0].node.factory) }.compactMap { end in
            let path = branch(to: end)
            guard let tee = path.last(where: { elements[$0].node.factory == "tee" }),
                let start = path.firstIndex(of: tee),
                let queue = path[start...].first(where: { elements[$0].node.factory == "queue" }),
                ["", "no", "0"].contains(elements[queue].node.value(of: "leaky") ?? "")
            else { return nil }
            return (
                .blockingPreview, "a slow display holds up the camera here; set leaky=downstream on this queue",
                elements[queue].node.place
            )
        }
    }
}
