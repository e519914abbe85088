/// The size in bytes of the frames at an element, derived from the caps in the pipeline text.
struct FrameSize {
    let graph: PipelineGraph

    /// The largest number of elements that the search for caps goes upstream, which also ends the search in a cycle.
    private static let maximumDistance = 100

    /// Returns the size in bytes of a frame that enters this element; nil if the text does not determine it.
    func bytes(into element: Int) -> Int? {
        guard let frame = frame(into: element), let size = bytesPerPixel(frame.format, frame.mediaType) else {
            return nil
        }
        let (pixels, overflow) = frame.width.multipliedReportingOverflow(by: frame.height)
        let (bytes, tooBig) = pixels.multipliedReportingOverflow(by: size.bytes)
        return overflow || tooBig ? nil : bytes / size.pixels
    }

    private struct Frame {
        var width = 4032
        var height = 3024
        var mediaType = "video/x-bayer"
        var format = "rggb12le"
    }

    /// Returns the frame format at the element's first input, by searching upstream for caps or the simulated sensor,
    /// whose default frame is 4032x3024.
    private func frame(into element: Int) -> Frame? {
        var changes: [(inout Frame) -> Void] = []
        var index = element
        for _ in 0..<Self.maximumDistance {
            guard let link = graph.links(into: index).first else { return nil }
            if let frame = Self.frame(of: link.link.caps) { return applied(changes, to: frame) }
            index = link.source
            let source = graph.elements[index]
            switch source.factory {
            case "gscapsensorsrc": return applied(changes, to: Frame())
            case "rawunpack": changes.append { $0.format = "rggb16le" }
            case "rawfusion":
                changes.append {
                    $0.mediaType = "video/x-raw"
                    $0.format = "RGBA64_LE"
                }
            case "capsfilter":
                let caps = source["caps"].flatMap { try? PipelineDescription.Caps($0) }
                if let frame = Self.frame(of: caps) { return applied(changes, to: frame) }
            case let factory where KnownElements.passing.contains(factory): break
            default: return nil
            }
        }
        return nil
    }

    private func applied(_ changes: [(inout Frame) -> Void], to frame: Frame) -> Frame {
        var frame = frame
        for change in changes.reversed() { change(&frame) }
        return frame
    }

    private static func frame(of caps: PipelineDescription.Caps?) -> Frame? {
        guard let structure = caps?.structures.first, caps?.structures.count == 1,
            let width = structure.number("width"), let height = structure.number("height"), width > 0, height > 0
        else { return nil }
        return Frame(
            width: width, height: height, mediaType: structure.mediaType, format: structure["format"] ?? "")
    }

    /// Returns a number of bytes and the number of pixels that they hold, such as 3 bytes for 2 pixels; nil for media
    /// types other than video/x-bayer and video/x-raw. Unlisted formats of video/x-raw count as 4:2:0 with 8 bits.
    private func bytesPerPixel(_ format: String, _ mediaType: String) -> (bytes: Int, pixels: Int)? {
        if mediaType == "video/x-bayer" {
            return (format.count > 4 ? 2 : 1, 1)
        }
        guard mediaType == "video/x-raw" else { return nil }
        return switch format {
        case "RGBA64_LE", "RGBA64_BE", "ARGB64", "AYUV64", "ARGB64_LE": (8, 1)
        case "RGBA", "RGBx", "BGRA", "BGRx", "ARGB", "xRGB", "ABGR", "xBGR", "AYUV": (4, 1)
        case "RGB", "BGR", "Y444": (3, 1)
        case "YUY2", "UYVY", "Y42B", "GRAY16_LE", "GRAY16_BE": (2, 1)
        case "GRAY8": (1, 1)
        default: (3, 2)
        }
    }
}
