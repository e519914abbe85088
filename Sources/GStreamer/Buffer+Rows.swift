internal import CGStreamer

/// The place of a picture's rows in the bytes of a buffer.
public struct RowPlacement: Equatable, Sendable {
    /// The first byte of the first row.
    public var offset: Int
    /// The bytes from the start of a row to the start of the next.
    public var stride: Int

    /// Creates a placement. With the offset 0 the first row starts at the first byte.
    public init(offset: Int = 0, stride: Int) {
        self.offset = offset
        self.stride = stride
    }
}

extension Buffer {
    /// Returns the placement of the rows that the buffer's GstVideoMeta states; nil if it has none, or one of several
    /// planes or of a picture of another size, which an element upstream has changed.
    public func rowPlacement(width: Int, height: Int) -> RowPlacement? {
        guard let meta = unsafe gst_buffer_get_video_meta(pointer), unsafe meta.pointee.n_planes == 1,
            unsafe (Int(meta.pointee.width), Int(meta.pointee.height)) == (width, height)
        else { return nil }
        return unsafe RowPlacement(
            offset: Int(clamping: meta.pointee.offset.0), stride: Int(meta.pointee.stride.0))
    }

    /// States the placement of the rows of a picture in a GstVideoMeta, for rows that are padded otherwise than
    /// GStreamer pads them. Has no effect while the buffer is shared.
    public mutating func setRowPlacement(_ placement: RowPlacement, width: Int, height: Int) {
        guard isWritable else { return }
        var offset = gsize(placement.offset)
        var stride = gint(placement.stride)
        unsafe gst_buffer_add_video_meta_full(
            pointer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_ENCODED, guint(width), guint(height), 1, &offset,
            &stride)
    }

    /// Returns the picture of `width` pixels and `count` rows with its rows placed as its caps say: from the first byte
    /// on, `stride` bytes apart.
    ///
    /// If a GstVideoMeta states another placement, the result is a copy; otherwise it is this buffer. Throws if a row
    /// of `length` bytes would lie outside of the buffer.
    public consuming func placingRows(
        width: Int, count: Int, stride: Int, length: Int
    ) throws(GscapError) -> Buffer {
        guard let placement = rowPlacement(width: width, height: count), placement != RowPlacement(stride: stride)
        else { return self }
        var copy = try Buffer(size: stride * count)
        let isCopied = withBytes { source in
            copy.withMutableBytes { target in
                Self.copyRows(source, placement, to: &target, stride: stride, length: length, count: count)
            }
        }
        guard isCopied else {
            throw GscapError(
                message: "the buffer's metadata places \(count) rows of \(length) bytes from byte \(placement.offset) "
                    + "on, \(placement.stride) bytes apart, but the buffer has \(size) bytes", place: "buffer")
        }
        unsafe copyMetadata(to: copy.pointer)
        return copy
    }

    /// Copies rows; false if one of them is outside of `source` or of `target`.
    @_lifetime(target: copy target)
    private static func copyRows(
        _ source: RawSpan, _ placement: RowPlacement, to target: inout MutableRawSpan, stride: Int, length: Int,
        count: Int
    ) -> Bool {
        guard placement.offset <= source.byteCount else { return false }
        return unsafe source.withUnsafeBytes { source in
            unsafe target.withUnsafeMutableBytes { target in
                for row in 0..<count {
                    let (start, end) = (placement.offset + row * placement.stride, (row + 1) * stride)
                    guard start >= 0, start <= source.count - length, length <= stride, end <= target.count,
                        let from = source.baseAddress, let to = target.baseAddress
                    else { return false }
                    // Safe: the guard has compared both ranges with the sizes of the memory.
                    let target = unsafe to + row * stride
                    unsafe target.copyMemory(from: from + start, byteCount: length)
                    unsafe (target + length).initializeMemory(as: UInt8.self, repeating: 0, count: stride - length)
                }
                return true
            }
        }
    }

    /// Copies flags, timestamps and metadata to another buffer, without the placement of the rows.
    private func copyMetadata(to copy: UnsafeMutablePointer<GstBuffer>) {
        let all = GstBufferCopyFlags(
            GST_BUFFER_COPY_FLAGS.rawValue | GST_BUFFER_COPY_TIMESTAMPS.rawValue | GST_BUFFER_COPY_META.rawValue)
        _ = unsafe gst_buffer_copy_into(copy, pointer, all, 0, .max)
        if let meta = unsafe gst_buffer_get_video_meta(copy) {
            _ = unsafe gst_buffer_remove_meta(copy, UnsafeMutableRawPointer(meta).assumingMemoryBound(to: GstMeta.self))
        }
    }
}
