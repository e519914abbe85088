internal import GStreamer
internal import RawImage
internal import Synchronization

extension RawDevelop {
    /// Changes the output format if the next picture has another colour space than the last one. Throws if downstream
    /// accepts no picture in this colour space; the format then stays as it was. Streaming thread.
    ///
    ///     negotiated ──(a frame's color-space differs)──▶ changed
    ///         ▲                                              │
    ///         └──(a frame without one, or a negotiation)─────┘
    func selectFormat(_ settings: DevelopSettings, _ output: Pad) throws {
        guard !settings.isPreview,
            let (negotiated, last) = stream.withLock({ $0.map { ($0.negotiated, $0.output) } })
        else { return }
        let color = settings.colorSpace?.color ?? negotiated.shape.color
        if color == last.shape.color { return }
        if color == negotiated.shape.color {
            guard output.changeFormat(to: negotiated.caps) != nil else { throw refusal(of: color, settings) }
            stream.withLock { $0?.output = negotiated }
            return
        }
        guard let caps = output.changeFormat(to: DisplayCaps.formats(of: color, like: negotiated.caps)) else {
            throw refusal(of: color, settings)
        }
        let shape = try DisplayCaps.shape(caps)
        let pool = shape.size == negotiated.shape.size ? negotiated.pool : try BufferPool(size: shape.size)
        stream.withLock { $0?.output = Format(caps: caps, shape: shape, pool: pool) }
    }

    private func refusal(of color: PictureColor, _ settings: DevelopSettings) -> GStreamerError {
        let value = settings.colorSpace?.rawValue ?? "auto"
        return GStreamerError(
            message: "the elements downstream do not accept pictures with color-space=\(value) (colorimetry "
                + "\(color.colorimetry)), or the stream is stopping: remove caps filters with another colorimetry, or use "
                + "another colour space or encoder", place: element.name)
    }
}
