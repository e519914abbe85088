internal import CGStreamer
internal import CGStreamerShims

extension Pad {
    /// Returns whether an element downstream of this source pad, or an element inside of a bin there, is of the type of
    /// this name, such as "GstVideoEncoder", or of one derived from it.
    public func leads(toType name: String) -> Bool {
        let type = unsafe g_type_from_name(name)
        guard type != gscap_type_invalid else { return false }
        var next = [self]
        var visited: Set<UInt> = []
        while let pad = next.popLast() {
            guard let element = pad.peer?.parentElement, visited.insert(element.address).inserted else { continue }
            let inner = element.containedElements
            if ([element] + inner).contains(where: { unsafe gscap_instance_is_a($0.pointer, type) != 0 }) {
                return true
            }
            next += element.pads.filter(\.isSource)
        }
        return false
    }
}

extension Element {
    /// The elements inside of this one, including those of inner bins; none unless it is a bin.
    fileprivate var containedElements: [Element] {
        guard unsafe gscap_instance_is_a(pointer, gst_bin_get_type()) != 0 else { return [] }
        return unsafe Bin(retainingNone: pointer).allElements
    }

    fileprivate var address: UInt { UInt(bitPattern: unsafe pointer) }
}
