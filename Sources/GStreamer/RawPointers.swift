internal import CGStreamer

// The doors through which the project's own tests hand objects to GStreamer's test library.

extension Element {
    /// The C object; the element keeps it.
    package var rawPointer: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(pointer) }
}

extension Buffer {
    /// Takes over a reference.
    package init(takingRawPointer pointer: UnsafeMutableRawPointer) {
        unsafe self.init(takingFull: pointer.assumingMemoryBound(to: GstBuffer.self))
    }

    /// Gives the reference away.
    package consuming func intoRawPointer() -> UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(intoFull()) }
}

extension Event {
    /// Takes over a reference.
    package convenience init(takingRawPointer pointer: UnsafeMutableRawPointer) {
        unsafe self.init(takingFull: pointer.assumingMemoryBound(to: GstEvent.self))
    }

    /// A reference for whom takes one.
    package func copyRawPointer() -> UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(copyFull()) }
}
