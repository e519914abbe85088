/// The behaviour of a bin element (GstBin), which contains other elements.
///
/// The initializer adds the child elements to `element.bin` and exposes their pads with `addGhostPad`, under the names
/// of the pad templates. A behaviour may retain the children, but not the bin, which would be a reference cycle.
public protocol BinBehaviour: ElementBehaviour {}
