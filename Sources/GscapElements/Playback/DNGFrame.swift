internal import DNG
internal import GStreamer
package import RawImage

/// A Bayer DNG as a frame of the pipeline: what the lens lit, without the sensor's dark borders.
package enum DNGFrame {
    /// The shape of a file's frame.
    static func format(path: String) throws -> MosaicFormat {
        try mosaic(path: path).format
    }

    /// Reads a file into a canonical buffer, and what it tells. It must have the shape of the other frames.
    static func read(
        path: String, as format: MosaicFormat, into buffer: inout Buffer
    ) throws -> FrameMetadata {
        let mosaic = try mosaic(path: path)
        let (its, ours) = (mosaic.format, format)
        guard its.width == ours.width, its.height == ours.height, its.pattern == ours.pattern else {
            throw GStreamerError(
                message: "\(path) is \(its.width)×\(its.height) \(its.pattern.rawValue), the first file "
                    + "\(ours.width)×\(ours.height) \(ours.pattern.rawValue): play files of one camera",
                place: "location")
        }
        let stride = BayerCaps.stride(width: its.width)
        let codes = mosaic.codes
        buffer.withMutableValues(of: UInt16.self) { (values: inout MutableSpan<UInt16>) in
            for row in 0..<its.height {
                for column in 0..<its.width { values[row * stride + column] = codes[row * its.width + column] }
                if stride > its.width { values[row * stride + its.width] = 0 }
            }
        }
        return mosaic.metadata
    }

    /// A file's frame.
    package static func mosaic(path: String) throws -> Mosaic {
        let file = try DNGFile(path: path)
        guard let image = file.main, image.kind == .bayer else {
            throw GStreamerError(
                message: "\(path) holds no Bayer frame of a sensor: such frames are wanted here", place: "location")
        }
        let whole = try file.mosaic()
        let area = image.activeArea
        return whole.cropped(left: area.left, top: area.top, width: area.width, height: area.height) ?? whole
    }
}
