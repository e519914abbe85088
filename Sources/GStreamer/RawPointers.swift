internal import CGStreamer

// Raw pointers for the project's own tests, which pass objects to GStreamer's test library.

extension Element {
    /// The C element, which this object continues to own.
    package var rawPointer: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(pointer) }
}

extension Buffer {
    /// Takes ownership of the caller's reference (transfer full).
    package init(takingRawPointer pointer: UnsafeMutableRawPointer) {
        unsafe self.init(takingFull: pointer.assumingMemoryBound(to: GstBuffer.self))
    }

    /// Returns the C buffer and transfers this reference to the caller (transfer full).
    package consuming func intoRawPointer() -> UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(intoFull()) }
}

extension Event {
    /// Takes ownership of the caller's reference (transfer full).
    package convenience init(takingRawPointer pointer: UnsafeMutableRawPointer) {
        unsafe self.init(takingFull: pointer.assumingMemoryBound(to: GstEvent.self))
    }

    /// Returns an additional reference for a C call that takes ownership (transfer full).
    package func copyRawPointer() -> UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(copyFull()) }
}
