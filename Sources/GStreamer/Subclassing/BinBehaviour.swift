/// An element made of elements; GstBin.
///
/// Its `init` adds the children to `element.bin` and shows their pads with `addGhostPad`, named as the pad templates say.
/// It may keep the children, but must not keep the bin itself.
public protocol BinBehaviour: ElementBehaviour {}
