package import GStreamer

/// The event that follows the frames of a capture downstream: the capture has no more frames.
package struct CaptureEnd: Sendable, Hashable {
    /// The id of the capture that has no more frames.
    package var id: UInt64

    private static let name = "gscap-capture-end"

    package init(id: UInt64) { self.id = id }

    /// Decodes the event that ends a capture's burst; returns nil for all other events, custom ones included.
    package init?(_ event: Event) {
        guard event.kind == .customDownstream, let structure = event.structure, structure.name == Self.name,
            let id = structure["capture-id"]?.unsigned
        else { return nil }
        self.id = id
    }

    package var structure: Structure { Structure(Self.name, ["capture-id": .uint64(id)]) }
}
