internal import CGStreamer
internal import CGStreamerShims

/// The part of a picture that an element outputs, and the size at which it outputs the part.
public struct PictureView: Sendable, Hashable {
    /// The position and size of the part, in pixels of the input.
    public var left, top, width, height: Int
    /// The size of the output, in pixels.
    public var outputWidth, outputHeight: Int

    /// Creates the view of a part of a picture.
    public init(left: Int = 0, top: Int = 0, width: Int, height: Int, outputWidth: Int, outputHeight: Int) {
        (self.left, self.top, self.width, self.height) = (left, top, width, height)
        (self.outputWidth, self.outputHeight) = (outputWidth, outputHeight)
    }
}

extension Buffer {
    /// Copies flags, timestamps and metadata from the buffer that this writable one was made from.
    ///
    /// Metadata are kept as GStreamer's video elements keep them, such as reference timestamps and regions of interest;
    /// those of the memory and the colours are not. `omitted` is custom metadata that is not copied. With `view`,
    /// regions of interest are converted to the part that it describes, and those outside of it are left out.
    public mutating func copyProperties(
        of input: borrowing Buffer, omitting omitted: CustomMeta? = nil, view: PictureView? = nil
    ) {
        guard let view else {
            return unsafe gscap_buffer_copy_metadata(pointer, input.pointer, omitted?.name, nil)
        }
        var part = GscapView(
            left: Int32(clamping: view.left), top: Int32(clamping: view.top), width: Int32(clamping: view.width),
            height: Int32(clamping: view.height), output_width: Int32(clamping: view.outputWidth),
            output_height: Int32(clamping: view.outputHeight))
        unsafe gscap_buffer_copy_metadata(pointer, input.pointer, omitted?.name, &part)
    }
}
