internal import CGStreamer

extension ElementType {
    /// Overrides the functions of GstBaseTransform.
    func overrideTransform(_ anyClass: UnsafeMutableRawPointer) {
        let base = unsafe anyClass.assumingMemoryBound(to: GstBaseTransformClass.self)
        unsafe overrideTransformLife(base)
        unsafe overrideTransformFormat(base)
        unsafe overrideTransformEvents(base)
        // GstBaseTransform calls `generate_output` for each queued input buffer. The behaviour pushes all its output
        // from within this call instead of returning one buffer, so that any number of buffers keep their order and
        // `process` receives downstream's flow return at once.
        unsafe base.pointee.generate_output = { element, result in
            guard let element = unsafe element, let result = unsafe result,
                let instance = unsafe ElementInstance.of(element)
            else { return GST_FLOW_ERROR }
            unsafe result.pointee = nil
            guard let queued = unsafe element.pointee.queued_buf else { return GST_FLOW_OK }
            unsafe element.pointee.queued_buf = nil
            if unsafe gst_base_transform_is_passthrough(element) != 0 {
                unsafe result.pointee = queued
                return GST_FLOW_OK
            }
            unsafe syncControlledProperties(of: element, with: queued)
            return unsafe instance.process(Buffer(takingFull: queued))
        }
    }

    private func overrideTransformLife(_ base: UnsafeMutablePointer<GstBaseTransformClass>) {
        unsafe base.pointee.start = { element in
            guard let instance = unsafe ElementInstance.of(element), let transform = instance.transform else {
                return 0
            }
            return instance.succeeds { try transform.start() }
        }
        unsafe base.pointee.stop = { element in
            unsafe ElementInstance.of(element)?.transform?.stop()
            return 1
        }
    }

    private func overrideTransformFormat(_ base: UnsafeMutablePointer<GstBaseTransformClass>) {
        unsafe base.pointee.transform_caps = { element, direction, caps, filter in
            guard let caps = unsafe caps, let transform = unsafe ElementInstance.of(element)?.transform else {
                return nil
            }
            let known = unsafe Caps(retainingNone: caps)
            let other = direction == GST_PAD_SINK ? transform.outputCaps(for: known) : transform.inputCaps(for: known)
            return unsafe other.filtered(by: filter).copyFull()
        }
        unsafe base.pointee.fixate_caps = { element, direction, caps, others in
            guard let caps = unsafe caps, let others = unsafe others else { return nil }
            let choice = unsafe Caps(takingFull: others)
            guard direction == GST_PAD_SINK, let transform = unsafe ElementInstance.of(element)?.transform else {
                return unsafe choice.fixated().copyFull()
            }
            return unsafe transform.fixate(output: choice, input: Caps(retainingNone: caps)).copyFull()
        }
        unsafe base.pointee.set_caps = { element, input, output in
            guard let input = unsafe input, let output = unsafe output,
                let instance = unsafe ElementInstance.of(element), let transform = instance.transform
            else { return 0 }
            let (accepted, produced) = unsafe (Caps(retainingNone: input), Caps(retainingNone: output))
            instance.handle.log(.info, "gets \(accepted), gives \(produced)")
            return instance.succeeds {
                try transform.setCaps(input: accepted, output: produced)
                unsafe gst_base_transform_set_passthrough(element, transform.isPassthrough ? 1 : 0)
            }
        }
        unsafe base.pointee.decide_allocation = { _, query in
            unsafe removeAllocationOffers(in: query)
            return 1
        }
        // GstBaseTransform takes transforms without a transform function for some that work in place: it would forward
        // the buffers and metadata that an encoder offers for its pictures to a camera with another format. The
        // transform answers for its own input instead.
        unsafe base.pointee.propose_allocation = { element, decided, query in
            guard let element = unsafe element, let instance = unsafe ElementInstance.of(element) else { return 0 }
            guard unsafe gst_base_transform_is_passthrough(element) != 0 else {
                if let query = unsafe query { unsafe instance.offerInput(in: query) }
                return 1
            }
            let parent = unsafe instance.parentClass(GstBaseTransformClass.self)
            return unsafe parent.propose_allocation?(element, decided, query) ?? 0
        }
    }

    private func overrideTransformEvents(_ base: UnsafeMutablePointer<GstBaseTransformClass>) {
        unsafe base.pointee.sink_event = { element, pointer in
            guard let pointer = unsafe pointer else { return 0 }
            let event = unsafe Event(takingFull: pointer)
            guard let instance = unsafe ElementInstance.of(element) else { return 0 }
            if instance.decide(downstream: event) == .drop { return 1 }
            return unsafe instance.parentClass(GstBaseTransformClass.self).sink_event?(element, event.copyFull()) ?? 0
        }
        unsafe base.pointee.src_event = { element, pointer in
            guard let pointer = unsafe pointer else { return 0 }
            let event = unsafe Event(takingFull: pointer)
            guard let instance = unsafe ElementInstance.of(element) else { return 0 }
            if instance.transform?.handle(upstream: event) == .drop { return 1 }
            return unsafe instance.parentClass(GstBaseTransformClass.self).src_event?(element, event.copyFull()) ?? 0
        }
    }
}

extension ElementInstance {
    fileprivate func process(_ input: consuming Buffer) -> GstFlowReturn {
        guard let transform, let output else { return GST_FLOW_ERROR }
        handle.log(.log, "gets a buffer \(input.debugText)")
        do {
            try transform.process(input, output: output)
            return GST_FLOW_OK
        } catch {
            return flow(of: error)
        }
    }

    /// Returns whether a downstream event is forwarded or dropped, as the behaviour decides. An error of the behaviour
    /// is posted on the bus, and the event is forwarded.
    fileprivate func decide(downstream event: Event) -> EventDecision {
        guard let transform, let output else { return .forward }
        do {
            return try transform.handle(downstream: event, output: output)
        } catch {
            _ = flow(of: error)
            return .forward
        }
    }
}

/// Updates controlled properties to their values at the buffer's stream time. Does nothing for streams in a format
/// other than time, such as a file's bytes.
private func syncControlledProperties(
    of element: UnsafeMutablePointer<GstBaseTransform>, with buffer: UnsafeMutablePointer<GstBuffer>
) {
    guard unsafe element.pointee.segment.format == GST_FORMAT_TIME else { return }
    let time = unsafe gst_segment_to_stream_time(
        &element.pointee.segment, GST_FORMAT_TIME, buffer.pointee.pts)
    if time != guint64.max {
        let object = unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstObject.self)
        unsafe gst_object_sync_values(object, GstClockTime(time))
    }
}
