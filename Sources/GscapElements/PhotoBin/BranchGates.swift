package import Dispatch
package import GStreamer
package import Waiting

/// The gates at the outputs of a pipeline's tees: a gate lets only those buffers into its branch that a capture expects
/// there, and keeps a failure of the branch from the rest of the pipeline.
///
///     open ──failure──► restarting ──elements run again──► open
///                           │
///                           └──elements do not start, or it is a preview──► closed
///
/// A gate pushes the buffers itself, so that the flow errors of its branch end there. While a branch restarts, its
/// buffers wait, for a second at most.
package final class BranchGates: Sendable {
    /// A gate: the output of a tee, and what lies behind it.
    private final class Gate: Sendable {
        enum Phase: Sendable { case open, restarting, closed }

        let pad: Pad
        /// The names of the photo branches behind the gate; empty for a preview.
        let branches: Set<String>
        /// The elements behind the gate, in the order of the stream.
        let elements: [Element]
        let names: Set<String>
        /// Buffers wait for the end of a restart.
        let phase = Awaited(Phase.open)

        init(_ pad: Pad, _ elements: [Element], _ branches: Set<String>) {
            self.pad = pad
            self.elements = elements
            self.branches = branches
            names = Set(elements.map(\.name))
        }
    }

    /// The functions that the gates call when branches fail.
    package struct Actions: Sendable {
        /// Called when a branch has failed, before it restarts. `branches` is empty for a preview.
        package var failed: @Sendable (_ branches: Set<String>, _ error: GscapError) -> Void
        /// Called when a branch has ended its restart.
        package var reopened: @Sendable () -> Void
        /// Takes an element that has stopped out of the bin.
        package var remove: @Sendable (Element) -> Void

        /// Creates actions.
        package init(
            failed: @escaping @Sendable (_ branches: Set<String>, _ error: GscapError) -> Void,
            reopened: @escaping @Sendable () -> Void, remove: @escaping @Sendable (Element) -> Void
        ) {
            self.failed = failed
            self.reopened = reopened
            self.remove = remove
        }
    }

    private let gates: [Gate]
    private let queue: DispatchQueue
    private let actions: Actions
    /// Whether branches that fail stay as they are, because the bin stops.
    private let isSuspended = AtomicFlag()
    private let clock: WaitClock
    /// The longest time for which a buffer waits for the end of a restart.
    private static let patience = Duration.seconds(1)

    /// Whether a photo branch is being restarted.
    package var isRestarting: Bool { gates.contains { $0.phase.withLock { $0 } == .restarting } }

    /// Creates gates at the outputs of the tees in a bin, and of its shutter, except those that lead to the shutter: a
    /// failure before the shutter fails the whole session. `sinks` are the names of the photo branches' sinks. State
    /// changes run on `queue`, one after another.
    package init(
        in bin: Bin, sinks: Set<String>, shutter: Element?, queue: DispatchQueue, _ actions: Actions,
        by clock: WaitClock = .current
    ) {
        (self.queue, self.clock) = (queue, clock)
        self.actions = actions
        let tees = bin.allElements.filter { $0.factoryName == "tee" } + [shutter].compactMap { $0 }
        gates = tees.flatMap { tee in
            tee.pads.filter(\.isSource).compactMap { pad in
                let elements = pad.elementsBehind
                let names = Set(elements.map(\.name))
                guard !elements.isEmpty, shutter.map({ !names.contains($0.name) }) ?? true else { return nil }
                return Gate(pad, elements, sinks.intersection(names))
            }
        }
    }

    /// Installs the gates. `admit` returns whether a buffer may enter the photo branches of these names.
    package func install(_ admit: @escaping @Sendable (borrowing Buffer, _ branches: Set<String>) -> Bool) {
        for gate in gates {
            _ = gate.pad.isolate { [weak gate, clock] buffer in
                guard let gate, gate.branches.isEmpty || admit(buffer, gate.branches) else { return false }
                return gate.phase.wait(until: clock.now + Self.patience, by: clock) { phase in
                    phase == .restarting ? nil : phase
                } == .open
            } failed: { [weak self, weak gate] flow in
                guard let self, let gate, flow != .flushing, flow != .endOfStream else { return }
                fail(gate, GscapError(message: "an element of the branch failed: \(flow)"))
            }
        }
    }

    /// Stops restarting branches, because the bin stops, and waits for a restart under way, ten seconds at most. Called
    /// before the bin's elements stop: a restart would start them again.
    package func suspend() {
        isSuspended.raise()
        let idle = DispatchSemaphore(value: 0)
        queue.async { idle.signal() }
        clock.wait(for: idle, until: clock.now + .seconds(10))
    }

    /// Restarts branches that fail from now on.
    package func resume() { isSuspended.lower() }

    /// Handles an error that an element posted; `names` are the element and the bins around it. The innermost gate
    /// before the element takes the failure. Returns false if the element is behind no gate.
    package func handle(_ error: GscapError, from names: [String]) -> Bool {
        let hit = gates.filter { gate in names.contains(where: gate.names.contains) }
        guard let gate = hit.min(by: { $0.elements.count < $1.elements.count }) else { return false }
        fail(gate, error)
        return true
    }

    private func fail(_ gate: Gate, _ error: GscapError) {
        let isFirst = gate.phase.withLock { phase in
            guard phase == .open else { return false }
            phase = gate.branches.isEmpty ? .closed : .restarting
            return true
        }
        guard isFirst else { return }
        actions.failed(gate.branches, error)
        queue.async { [self] in gate.branches.isEmpty ? takeOut(gate) : restart(gate) }
    }

    /// Takes the elements of a branch that stays closed out of the bin, so that its sink does not hold up the end of
    /// the stream.
    private func takeOut(_ gate: Gate) {
        if let peer = gate.pad.peer { gate.pad.unlink(from: peer) }
        for element in gate.elements.reversed() {
            element.setStateLocked(true)
            _ = try? element.setState(.null)
            actions.remove(element)
        }
    }

    /// Restarts the elements of a branch; a branch that does not start again stays closed. Relinking makes GStreamer
    /// repeat the stream's events (caps, segment) before the next data pushed. A buffer that waits at the gate is past
    /// that step already, so an event is pushed first.
    private func restart(_ gate: Gate) {
        guard !isSuspended.isRaised else {
            return gate.phase.change { $0 = .open }
        }
        let peer = gate.pad.peer
        if let peer { gate.pad.unlink(from: peer) }
        for element in gate.elements.reversed() { _ = try? element.setState(.null) }
        if let peer { try? gate.pad.link(to: peer) }
        let runs = gate.elements.reversed().allSatisfy { $0.syncStateWithParent() }
        if runs { gate.pad.push(.customDownstream(Structure("gscap-branch-restarted"))) }
        gate.phase.change { $0 = runs ? .open : .closed }
        if !runs { takeOut(gate) }
        actions.reopened()
    }
}

extension Pad {
    /// The elements behind this source pad, in the order of the stream.
    fileprivate var elementsBehind: [Element] {
        var found: [Element] = []
        var next = [self]
        while let pad = next.popLast() {
            guard let element = pad.peer?.parentElement, !found.contains(where: { $0.name == element.name }) else {
                continue
            }
            found.append(element)
            next += element.pads.filter(\.isSource)
        }
        return found
    }
}
