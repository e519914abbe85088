internal import DNG
internal import GStreamer
package import RawImage

/// The decoding of Bayer DNG files as frames of a pipeline: the active area, without the masked pixels at the borders.
package enum DNGFrameDecoder {
    /// Returns the size, Bayer pattern and bit depth of a file's frame.
    static func format(path: String) throws -> MosaicFormat {
        try mosaic(path: path).format
    }

    /// Decodes a file into a canonical buffer and returns its metadata; throws if size or Bayer pattern differ from
    /// `format`.
    static func decode(
        path: String, as format: MosaicFormat, into buffer: inout Buffer
    ) throws -> FrameMetadata {
        let mosaic = try mosaic(path: path)
        let source = mosaic.format
        guard source.width == format.width, source.height == format.height, source.pattern == format.pattern else {
            throw GStreamerError(
                message: "\(path) is \(source.width)×\(source.height) \(source.pattern.rawValue), the first file is "
                    + "\(format.width)×\(format.height) \(format.pattern.rawValue): play files of one camera only",
                place: "location")
        }
        let stride = BayerCaps.stride(width: source.width)
        let codes = mosaic.codes
        buffer.withMutableValues(of: UInt16.self) { (values: inout MutableSpan<UInt16>) in
            for row in 0..<source.height {
                for column in 0..<source.width { values[row * stride + column] = codes[row * source.width + column] }
                if stride > source.width { values[row * stride + source.width] = 0 }
            }
        }
        return mosaic.metadata
    }

    /// Returns the active area of a file's Bayer image.
    package static func mosaic(path: String) throws -> Mosaic {
        let file = try DNGFile(path: path)
        guard let image = file.main, image.kind == .bayer else {
            throw GStreamerError(
                message: "\(path) contains no Bayer image: choose Bayer DNG files", place: "location")
        }
        let whole = try file.mosaic()
        let area = image.activeArea
        return whole.cropped(left: area.left, top: area.top, width: area.width, height: area.height) ?? whole
    }
}
