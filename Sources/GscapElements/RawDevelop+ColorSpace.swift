internal import FrameStream
internal import GStreamer
internal import RawImage
internal import Synchronization

extension RawDevelop {
    /// Changes the output format if the next picture has another colour space or crop than the last one. Throws if
    /// downstream accepts no such picture; the format then stays as it was. Streaming thread.
    ///
    ///     negotiated ──(a frame's color-space, crop-factor or default crop differs)──▶ changed
    ///         ▲                                                                           │
    ///         └──(a frame without them, or a negotiation)─────────────────────────────────┘
    func selectFormat(_ settings: DevelopSettings, _ metadata: FrameMetadata?, _ output: Pad) throws {
        guard !settings.isPreview,
            let (negotiated, last) = stream.withLock({ $0.map { ($0.negotiated, $0.output) } })
        else { return }
        let color = settings.colorSpace?.color ?? negotiated.shape.color
        let crop = RenderedCrop(negotiated.shape, metadata)
        if color == last.shape.color && crop == last.crop { return }
        let isUsual = color == negotiated.shape.color && crop == negotiated.crop
        let formats = isUsual ? negotiated.caps : DisplayCaps.formats(of: color, like: crop.caps(negotiated.caps))
        guard let caps = output.changeFormat(to: formats) else {
            if output.isFlushing { throw FlowError.flushing }
            if color == last.shape.color { throw refusal(of: crop) }
            throw refusal(of: color, settings)
        }
        do {
            let format = isUsual ? negotiated : try self.format(caps, crop, sharing: negotiated)
            stream.withLock { $0?.output = format }
        } catch {
            _ = output.changeFormat(to: last.caps)
            throw error
        }
    }

    /// Returns the format with these caps; pictures of the same size in bytes come from the pool of `other`.
    private func format(_ caps: Caps, _ crop: RenderedCrop, sharing other: Format) throws -> Format {
        let shape = try DisplayCaps.shape(caps)
        let pool = shape.size == other.shape.size ? other.pool : try BufferPool(size: shape.size)
        return Format(caps: caps, shape: shape, pool: pool, crop: crop)
    }

    private func refusal(of crop: RenderedCrop) -> GscapError {
        GscapError(
            message: "the elements downstream accept no pictures of \(crop.shown.width)×\(crop.shown.height) pixels, "
                + "to which the photo is cropped: remove caps filters with another size", place: element.name)
    }

    private func refusal(of color: PictureColor, _ settings: DevelopSettings) -> GscapError {
        let value = settings.colorSpace?.rawValue ?? "auto"
        return GscapError(
            message: "the elements downstream accept no pictures with color-space=\(value) (colorimetry "
                + "\(color.colorimetry)): remove caps filters with another colorimetry, or use another colour space or "
                + "encoder", place: element.name)
    }
}
