extension PipelineDescription {
    /// The error of the first link that closes a cycle; nil if there is none. GStreamer asks the elements of a cycle
    /// for their caps in turn until the stack overflows.
    func cycleError(in graph: PipelineGraph) -> GscapError? {
        guard let cycle = graph.firstCycle else { return nil }
        let names = cycle.map { graph.elements[$0.source].factory }
        let shown = (names.count > 8 ? names.prefix(7) + ["…"] : names) + names.prefix(1)
        return error(
            .cycle,
            "the elements \(shown.joined(separator: " ! ")) form a cycle, in which no data can flow; "
                + "remove one of these links",
            at: cycle.last.flatMap { $0.link.location ?? graph.elements[$0.sink].element.location })
    }
}

extension PipelineGraph {
    /// The links of the first cycle in the order of the text, the one that closes it last; nil if there is none.
    ///
    /// Elements with independent paths, such as multiqueue, may be part of a cycle: the paths differ by their pads.
    fileprivate var firstCycle: [Link]? {
        /// An element on the path from a start, with the number of its links that are done.
        struct Step {
            var element: Int
            var next = 0
        }
        var isDone = [Bool](repeating: false, count: elements.count)
        var position = [Int?](repeating: nil, count: elements.count)
        for start in elements.indices where !isDone[start] && !isSeparated(start) {
            var path = [Step(element: start)]
            var links: [Link] = []
            position[start] = 0
            while let step = path.last {
                let outgoing = self.links(from: step.element)
                guard step.next < outgoing.count else {
                    isDone[step.element] = true
                    position[step.element] = nil
                    path.removeLast()
                    _ = links.popLast()
                    continue
                }
                path[path.count - 1].next += 1
                let link = outgoing[step.next]
                if let first = position[link.sink] { return Array(links[first...]) + [link] }
                if isDone[link.sink] || isSeparated(link.sink) { continue }
                position[link.sink] = path.count
                path.append(Step(element: link.sink))
                links.append(link)
            }
        }
        return nil
    }

    private func isSeparated(_ element: Int) -> Bool {
        KnownElements.separatePaths.contains(elements[element].factory)
    }
}
