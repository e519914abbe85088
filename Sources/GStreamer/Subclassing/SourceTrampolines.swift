internal import CGStreamer

extension ElementType {
    /// Overrides the functions of GstPushSrc and GstBaseSrc.
    func overrideSource(_ anyClass: UnsafeMutableRawPointer) {
        let base = unsafe anyClass.assumingMemoryBound(to: GstBaseSrcClass.self)
        unsafe overrideSourceLife(base)
        unsafe overrideSourceFormat(base)
        unsafe overrideSourceMessages(base)
        let push = unsafe anyClass.assumingMemoryBound(to: GstPushSrcClass.self)
        unsafe push.pointee.create = { element, result in
            guard let instance = unsafe ElementInstance.of(element), let source = instance.source,
                let result = unsafe result
            else { return GST_FLOW_ERROR }
            return instance.flow {
                let buffer = try source.create()
                instance.handle.log(.log, "gives a buffer \(buffer.debugText)")
                unsafe result.pointee = buffer.intoFull()
            }
        }
    }

    private func overrideSourceLife(_ base: UnsafeMutablePointer<GstBaseSrcClass>) {
        unsafe base.pointee.start = { element in
            guard let instance = unsafe ElementInstance.of(element), let source = instance.source else { return 0 }
            return instance.succeeds { try source.start() }
        }
        unsafe base.pointee.stop = { element in
            unsafe ElementInstance.of(element)?.source?.stop()
            return 1
        }
        unsafe base.pointee.unlock = { element in
            unsafe ElementInstance.of(element)?.source?.unlock()
            return 1
        }
        unsafe base.pointee.unlock_stop = { element in
            unsafe ElementInstance.of(element)?.source?.unlockStop()
            return 1
        }
        // The time on the clock until which GstBaseSrc holds back a buffer. It does so for every source that names a
        // time, also for one that is not live.
        unsafe base.pointee.get_times = { element, buffer, start, end in
            let unset = GstClockTime.max
            let timing = unsafe element.flatMap { unsafe ElementInstance.of($0)?.source?.timing }
            let isPaced = timing == .paced || timing == .recorded
            let time = isPaced ? unsafe buffer?.pointee.pts ?? unset : unset
            let duration = unsafe buffer?.pointee.duration ?? unset
            let done = time == unset || duration == unset ? unset : time &+ duration
            unsafe start?.pointee = timing == .recorded && done != unset ? done : time
            unsafe end?.pointee = done
        }
    }

    private func overrideSourceFormat(_ base: UnsafeMutablePointer<GstBaseSrcClass>) {
        unsafe base.pointee.get_caps = { element, filter in
            guard let instance = unsafe ElementInstance.of(element) else { return nil }
            guard let caps = instance.source?.caps() else {
                return unsafe instance.parentClass(GstBaseSrcClass.self).get_caps?(element, filter)
            }
            return unsafe caps.filtered(by: filter).copyFull()
        }
        unsafe base.pointee.fixate = { element, caps in
            guard let caps = unsafe caps, let source = unsafe ElementInstance.of(element)?.source else {
                return unsafe caps
            }
            return unsafe source.fixate(Caps(takingFull: caps)).copyFull()
        }
        unsafe base.pointee.set_caps = { element, caps in
            guard let caps = unsafe caps, let instance = unsafe ElementInstance.of(element),
                let source = instance.source
            else { return 0 }
            let chosen = unsafe Caps(retainingNone: caps)
            instance.handle.log(.info, "gives \(chosen)")
            return instance.succeeds { try source.setCaps(chosen) }
        }
        unsafe base.pointee.decide_allocation = { _, query in
            unsafe removeAllocationOffers(in: query)
            return 1
        }
    }

    private func overrideSourceMessages(_ base: UnsafeMutablePointer<GstBaseSrcClass>) {
        unsafe base.pointee.event = { element, event in
            guard let event = unsafe event, let instance = unsafe ElementInstance.of(element) else { return 0 }
            if unsafe instance.source?.handle(upstream: Event(retainingNone: event)) == true { return 1 }
            return unsafe instance.parentClass(GstBaseSrcClass.self).event?(element, event) ?? 0
        }
        unsafe base.pointee.query = { element, query in
            guard let query = unsafe query, let instance = unsafe ElementInstance.of(element) else { return 0 }
            if unsafe query.pointee.type == GST_QUERY_LATENCY, let latency = instance.source?.latency {
                unsafe gst_query_set_latency(
                    query, gst_base_src_is_live(element), GstClockTime(latency.minimum),
                    latency.maximum.map { GstClockTime($0) } ?? GstClockTime.max)
                return 1
            }
            return unsafe instance.parentClass(GstBaseSrcClass.self).query?(element, query) ?? 0
        }
    }
}

extension ElementInstance {
    /// Configures the timing of GstBaseSrc; does nothing for elements that are not sources.
    func setTiming(of element: UnsafeMutablePointer<GstElement>) {
        guard let timing = source?.timing else { return }
        let base = unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstBaseSrc.self)
        unsafe gst_base_src_set_live(base, timing == .free ? 0 : 1)
        // Never set to false here, because users can also set `do-timestamp`.
        if timing == .stamped { unsafe gst_base_src_set_do_timestamp(base, 1) }
    }
}

/// Removes downstream's buffer pools and metadata from an allocation query. Behaviours allocate their own buffers, so a
/// pool would be allocated and never used. Metadata that downstream supports, such as GstVideoMeta with its strides,
/// must not be proposed to upstream either, because the behaviours do not read it.
func removeAllocationOffers(in query: UnsafeMutablePointer<GstQuery>?) {
    while unsafe gst_query_get_n_allocation_pools(query) > 0 {
        unsafe gst_query_remove_nth_allocation_pool(query, 0)
    }
    while unsafe gst_query_get_n_allocation_metas(query) > 0 {
        unsafe gst_query_remove_nth_allocation_meta(query, 0)
    }
}

extension Caps {
    /// Returns an additional reference for a C call that takes ownership (transfer full).
    func copyFull() -> UnsafeMutablePointer<GstCaps> {
        unsafe retainMiniObject(pointer)
        return unsafe pointer
    }

    /// Returns these caps restricted to an optional filter, in the filter's order of preference (transfer none).
    func filtered(by filter: UnsafeMutablePointer<GstCaps>?) -> Caps {
        guard let filter = unsafe filter else { return self }
        return unsafe Caps(retainingNone: filter).intersection(self)
    }
}
