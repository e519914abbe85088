internal import CGStreamer
internal import CGStreamerShims

/// The buffers in which a transform takes its input: its answer to an allocation query.
public struct InputAllocation: Sendable, Hashable {
    /// The size of a buffer in bytes.
    public var size: Int
    /// The number of buffers that the element holds while it waits for the next one.
    public var held: Int

    /// Creates the answer for buffers of `size` bytes, `held` of which the element keeps.
    public init(size: Int, held: Int = 0) {
        self.size = size
        self.held = held
    }
}

extension ElementInstance {
    /// Answers the allocation query of the elements upstream: with a pool of buffers for the caps of the query, and
    /// GstVideoMeta, by which the rows may be placed otherwise than the caps say. Adds nothing if the transform states
    /// no size for the caps.
    func offerInput(in query: UnsafeMutablePointer<GstQuery>) {
        var pointer: UnsafeMutablePointer<GstCaps>?
        var needsPool: gboolean = 0
        unsafe gst_query_parse_allocation(query, &pointer, &needsPool)
        guard let pointer = unsafe pointer, let transform,
            let allocation = unsafe transform.inputAllocation(for: Caps(retainingNone: pointer)),
            allocation.size > 0
        else { return }
        unsafe gst_query_add_allocation_meta(query, gst_video_meta_api_get_type(), nil)
        let (size, least) = (UInt32(clamping: allocation.size), UInt32(clamping: max(1, allocation.held + 1)))
        let pool = needsPool != 0 ? unsafe Self.pool(for: pointer, size: size, least: least) : nil
        defer { if let pool = unsafe pool { unsafe gst_object_unref(pool) } }
        unsafe gst_query_add_allocation_pool(query, pool, size, least, 0)
    }

    /// Creates a pool for upstream to configure and start (transfer full); nil if it cannot have the size.
    private static func pool(
        for caps: UnsafeMutablePointer<GstCaps>, size: UInt32, least: UInt32
    ) -> UnsafeMutablePointer<GstBufferPool>? {
        // GStreamer's pool for video knows the layouts of x-raw only.
        let isRaw = unsafe Caps(retainingNone: caps).first?.name == "video/x-raw"
        let pool = isRaw ? unsafe gst_video_buffer_pool_new() : unsafe gst_buffer_pool_new()
        guard let pool = unsafe pool else { return nil }
        let configuration = unsafe gst_buffer_pool_get_config(pool)
        unsafe gst_buffer_pool_config_set_params(configuration, caps, size, least, 0)
        if isRaw { unsafe gst_buffer_pool_config_add_option(configuration, GST_BUFFER_POOL_OPTION_VIDEO_META) }
        if unsafe gst_buffer_pool_set_config(pool, configuration) != 0 { return unsafe pool }
        unsafe gst_object_unref(pool)
        return nil
    }
}

extension Pad {
    /// The answer to an allocation query.
    package struct Allocation: Sendable, Hashable {
        /// The size in bytes and the least number of the buffers of each pool.
        package var pools: [InputAllocation] = []
        /// Whether a pool can be used, rather than stated by its numbers only.
        package var hasPool = false
        /// Whether GstVideoMeta may place the rows.
        package var acceptsVideoMeta = false
    }

    /// Asks this pad how it wants buffers of these caps; nil if it does not answer.
    package func allocation(for caps: Caps) -> Allocation? {
        guard let query = unsafe gst_query_new_allocation(caps.pointer, 1) else { return nil }
        defer { unsafe releaseMiniObject(query) }
        guard unsafe gst_pad_query(pointer, query) != 0 else { return nil }
        var answer = Allocation()
        answer.acceptsVideoMeta =
            unsafe gst_query_find_allocation_meta(query, gst_video_meta_api_get_type(), nil) != 0
        for index in 0..<(unsafe gst_query_get_n_allocation_pools(query)) {
            var pool: UnsafeMutablePointer<GstBufferPool>?
            var (size, least, most): (UInt32, UInt32, UInt32) = (0, 0, 0)
            unsafe gst_query_parse_nth_allocation_pool(query, index, &pool, &size, &least, &most)
            answer.pools.append(InputAllocation(size: Int(size), held: Int(least) - 1))
            if let pool = unsafe pool {
                answer.hasPool = true
                unsafe gst_object_unref(pool)
            }
        }
        return answer
    }
}
