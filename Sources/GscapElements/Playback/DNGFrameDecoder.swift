internal import CameraRaw
internal import DNG
internal import FrameStream
internal import GStreamer
package import RawImage

/// The decoding of Bayer DNG files, and of cameras' own raw files, as frames of a pipeline: the active area, without
/// the masked pixels at the borders, at the bit depth of its white level.
package enum DNGFrameDecoder {
    /// Returns the size, Bayer pattern and bit depth of a file's frame.
    static func format(path: String, acceptsDamage: Bool) throws -> MosaicFormat {
        try mosaic(path: path, acceptsDamage: acceptsDamage).format
    }

    /// Decodes a file into a canonical buffer and returns its metadata; throws if size or Bayer pattern differ from
    /// `format`. Calls `note` as `mosaic` does.
    static func decode(
        path: String, acceptsDamage: Bool, as format: MosaicFormat, into buffer: inout Buffer, note: (String) -> Void
    ) throws -> FrameMetadata {
        let mosaic = try mosaic(path: path, acceptsDamage: acceptsDamage, note: note)
        let source = mosaic.format
        guard source.width == format.width, source.height == format.height, source.colorName == format.colorName else {
            throw GscapError(
                message: "\(path) is \(source.width)×\(source.height) \(source.colorName), the first file is "
                    + "\(format.width)×\(format.height) \(format.colorName): play files of one camera only",
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
        // The frame is the whole picture, whatever crop of it the file shows.
        var metadata = mosaic.metadata
        metadata.details = metadata.details.ofWholePicture
        return metadata
    }

    /// Returns the id of the capture that the receipt in a file states; nil if the file has none or cannot be read.
    package static func captureID(path: String) -> UInt64? {
        (try? DNGFile(path: path))?.metadata.receipt?.captureID
    }

    /// Returns the active area of a file's Bayer image. Throws if the file is damaged, unless `acceptsDamage` is set:
    /// then the damage is in the history of the metadata. Calls `note` with a message about each correction that is not
    /// done, and if the tags that photos made of the frame would inherit cannot be read.
    package static func mosaic(
        path: String, acceptsDamage: Bool, note: (String) -> Void = { _ in }
    ) throws -> Mosaic {
        var file = try DNGFile(rawFile: path)
        file.acceptsDamage = acceptsDamage
        if let problem = file.colorProblem ?? file.pixelShapeProblem {
            throw GscapError(message: "\(path): \(problem)", place: "location")
        }
        let spoiled = file.tagProblems.map(\.message)
        if let problem = spoiled.first, !acceptsDamage {
            throw GscapError(
                .malformed,
                "\(path): \(problem): use another copy of the file, or accept the damage (--accept-damage)")
        }
        guard let image = file.main, image.kind == .bayer || image.isMonochrome else {
            throw GscapError(
                message: "\(path) contains no Bayer image: choose Bayer DNG files", place: "location")
        }
        for step in file.unsupportedSteps { note("\(path): \(step)") }
        var whole = try file.mosaic()
        whole.metadata.history.acceptedDamage += spoiled
        do throws(GscapError) {
            whole.metadata.sourceTags = try file.inheritableTags()
        } catch {
            note("\(path): the photo does not inherit the tags of this file: \(error.message)")
        }
        let area = image.activeArea
        let frame = whole.cropped(left: area.left, top: area.top, width: area.width, height: area.height) ?? whole
        return frame.ofWhiteLevelDepth
    }
}
