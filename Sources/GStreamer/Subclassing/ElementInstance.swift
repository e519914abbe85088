internal import CGStreamer
internal import CGStreamerShims

/// The Swift part of one element instance. The C instance holds a reference to it, in a slot behind the base class's
/// fields, from `instance_init` to `finalize`.
@safe final class ElementInstance {
    let behaviour: any ElementBehaviour
    let source: (any SourceBehaviour)?
    let transform: (any TransformBehaviour)?
    let bin: (any BinBehaviour)?
    let handle: ElementHandle
    /// The source pad of a transform; nil for other elements.
    let output: Pad?
    private let parent: UnsafeMutableRawPointer

    init(
        _ type: any ElementBehaviour.Type, of element: UnsafeMutablePointer<GstElement>,
        parent: UnsafeMutableRawPointer
    ) {
        unsafe self.parent = parent
        let description = type.elementClass
        unsafe handle = ElementHandle(element, DebugCategory(description.factoryName, description.longName))
        let pad = unsafe gst_element_get_static_pad(element, "src").map { unsafe Pad(takingFull: $0) }
        output = type is any TransformBehaviour.Type ? pad : nil
        behaviour = type.init(element: handle)
        source = behaviour as? any SourceBehaviour
        transform = behaviour as? any TransformBehaviour
        bin = behaviour as? any BinBehaviour
    }

    /// Returns the base class's function table as the class struct `type`.
    func parentClass<C>(_ type: C.Type) -> C {
        unsafe parent.assumingMemoryBound(to: type).pointee
    }

    /// Runs `body`; returns GST_FLOW_OK, or the flow return for the error that it throws. An error other than a
    /// `FlowError` is posted on the bus.
    func flow(_ body: () throws -> Void) -> GstFlowReturn {
        do {
            try body()
            return GST_FLOW_OK
        } catch {
            return flow(of: error)
        }
    }

    /// Returns the flow return for an error: that of a `FlowError`. Any other error is posted on the bus and becomes
    /// GST_FLOW_ERROR.
    func flow(of error: any Error) -> GstFlowReturn {
        if let flow = error as? FlowError {
            handle.log(.debug, "the flow ends: \(flow)")
            return GstFlowReturn(rawValue: flow.rawValue)
        }
        handle.post(error: error)
        return GST_FLOW_ERROR
    }

    /// Runs `body`; returns 1 if it succeeds and 0 if it throws. An error other than a `FlowError` is posted on the
    /// bus.
    func succeeds(_ body: () throws -> Void) -> gboolean {
        flow(body) == GST_FLOW_OK ? 1 : 0
    }

    /// Posts an error on the bus as a warning, for calls that cannot fail in C.
    func warn(_ error: GscapError) { handle.post(warning: error) }
}

// MARK: - The slot in the C object

extension ElementInstance {
    /// The byte offset, in every C instance, of the slot that refers to the Swift part: after the largest base class's
    /// struct, aligned to 16 bytes.
    private static let slot: Int = {
        let largest = unsafe max(
            MemoryLayout<GstPushSrc>.size, MemoryLayout<GstBaseTransform>.size, MemoryLayout<GstBin>.size)
        return (largest + 15) / 16 * 16
    }()

    /// The size of a C instance in bytes, including the slot that refers to the Swift part.
    static let size = unsafe slot + MemoryLayout<UnsafeRawPointer?>.size

    /// Returns the Swift part of a C instance; nil before `instance_init` and after `finalize`.
    static func of(_ object: UnsafeMutableRawPointer?) -> ElementInstance? {
        guard let stored = unsafe object?.load(fromByteOffset: slot, as: UnsafeRawPointer?.self) else { return nil }
        return unsafe Unmanaged<ElementInstance>.fromOpaque(stored).takeUnretainedValue()
    }

    /// Stores this object in the slot of its C instance, which then holds a reference to it.
    func install(in object: UnsafeMutableRawPointer) {
        let stored = unsafe UnsafeRawPointer(Unmanaged.passRetained(self).toOpaque())
        unsafe object.storeBytes(of: stored, toByteOffset: Self.slot, as: UnsafeRawPointer?.self)
    }

    /// Clears the slot of a C instance and returns the Swift part, with the reference that the C instance held.
    static func remove(from object: UnsafeMutableRawPointer) -> ElementInstance? {
        guard let stored = unsafe object.load(fromByteOffset: slot, as: UnsafeRawPointer?.self) else { return nil }
        unsafe object.storeBytes(of: nil, toByteOffset: slot, as: UnsafeRawPointer?.self)
        return unsafe Unmanaged<ElementInstance>.fromOpaque(stored).takeRetainedValue()
    }
}
