internal import CGStreamer

/// The Swift half of one element. The C half holds it in a slot behind the fields of the base class, from
/// `instance_init` to `finalize`.
@safe final class ElementInstance {
    let behaviour: any ElementBehaviour
    let source: (any SourceBehaviour)?
    let transform: (any TransformBehaviour)?
    let handle: ElementHandle
    /// The output of a transform.
    let output: Pad?
    private let parent: UnsafeMutableRawPointer

    init(
        _ type: any ElementBehaviour.Type, of element: UnsafeMutablePointer<GstElement>,
        parent: UnsafeMutableRawPointer
    ) {
        unsafe self.parent = parent
        unsafe handle = ElementHandle(element)
        let pad = unsafe gst_element_get_static_pad(element, "src").map { unsafe Pad(takingFull: $0) }
        output = type is any TransformBehaviour.Type ? pad : nil
        behaviour = type.init(element: handle)
        source = behaviour as? any SourceBehaviour
        transform = behaviour as? any TransformBehaviour
    }

    /// The base class's functions, seen as the class that declares them.
    func parentClass<C>(_ type: C.Type) -> C {
        unsafe parent.assumingMemoryBound(to: type).pointee
    }

    /// Runs a step of the streaming thread.
    func flow(_ body: () throws -> Void) -> GstFlowReturn {
        do {
            try body()
            return GST_FLOW_OK
        } catch {
            return flow(of: error)
        }
    }

    /// The flow that an error leads to. What is more than a flow is told on the bus.
    func flow(of error: any Error) -> GstFlowReturn {
        if let flow = error as? FlowError { return GstFlowReturn(rawValue: flow.rawValue) }
        handle.post(error: error)
        return GST_FLOW_ERROR
    }

    /// Runs a step that succeeds or not; an error is told on the bus.
    func succeeds(_ body: () throws -> Void) -> gboolean {
        flow(body) == GST_FLOW_OK ? 1 : 0
    }
}

// MARK: - The slot in the C object

extension ElementInstance {
    /// Where the slot is in every instance of ours: behind the largest base class.
    private static let slot: Int = {
        let largest = unsafe max(
            MemoryLayout<GstPushSrc>.size, MemoryLayout<GstBaseTransform>.size, MemoryLayout<GstBin>.size)
        return (largest + 15) / 16 * 16
    }()

    /// How large that makes an instance.
    static let size = unsafe slot + MemoryLayout<UnsafeRawPointer?>.size

    /// The Swift half of a C object of ours; nil before it is made and after it is gone.
    static func of(_ object: UnsafeMutableRawPointer?) -> ElementInstance? {
        guard let held = unsafe object?.load(fromByteOffset: slot, as: UnsafeRawPointer?.self) else { return nil }
        return unsafe Unmanaged<ElementInstance>.fromOpaque(held).takeUnretainedValue()
    }

    /// Puts it in the slot of its C object, which keeps it.
    func install(in object: UnsafeMutableRawPointer) {
        let held = unsafe UnsafeRawPointer(Unmanaged.passRetained(self).toOpaque())
        unsafe object.storeBytes(of: held, toByteOffset: Self.slot, as: UnsafeRawPointer?.self)
    }

    /// Takes it out of the slot and hands the reference over.
    static func remove(from object: UnsafeMutableRawPointer) -> ElementInstance? {
        guard let held = unsafe object.load(fromByteOffset: slot, as: UnsafeRawPointer?.self) else { return nil }
        unsafe object.storeBytes(of: nil, toByteOffset: slot, as: UnsafeRawPointer?.self)
        return unsafe Unmanaged<ElementInstance>.fromOpaque(held).takeRetainedValue()
    }
}
