/// The behaviour of a bin element (GstBin), which contains other elements.
///
/// The initializer adds the child elements to `element.bin` and exposes their pads with `addGhostPad`, under the names
/// of the pad templates. A behaviour may retain the children, but not the bin, which would be a reference cycle.
public protocol BinBehaviour: ElementBehaviour {
    /// Called with each error, warning and element message of an element inside, on the thread that posts it. Returns
    /// whether the message continues to the pipeline's bus; other messages always do.
    func passes(_ message: Message) -> Bool
}

extension BinBehaviour {
    /// By default, every message continues to the bus.
    public func passes(_ message: Message) -> Bool { true }
}
