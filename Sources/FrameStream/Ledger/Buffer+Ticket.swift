package import GStreamer

/// The GstCustomMeta that carries the ticket of a frame's capture: a reference to the object, beside the frame
/// metadata, which are values. Elements that copy a buffer's metadata, GStreamer's own too, keep it.
private enum TicketMeta {
    static let name = "GscapCapture"
    static let field = "ticket"
    static let registered = Result { () throws(GscapError) in try CustomMeta(registering: name) }
}

extension Buffer {
    /// The ticket of the capture that this buffer belongs to; nil outside a capture, and for frames whose metadata
    /// alone say that they belong to one.
    package var captureTicket: CaptureTicket? {
        guard let meta = try? TicketMeta.registered.get() else { return nil }
        return value(of: TicketMeta.field, in: meta)?.object as? CaptureTicket
    }

    /// Attaches the ticket of a capture to this buffer, which must be writable.
    package mutating func attach(_ ticket: CaptureTicket) throws(GscapError) {
        setStructure(
            Structure(TicketMeta.name, [TicketMeta.field: .object(SharedObject(ticket))]),
            of: try TicketMeta.registered.get())
    }
}
