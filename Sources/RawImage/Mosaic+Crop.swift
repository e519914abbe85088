extension Mosaic {
    /// Returns a crop of the mosaic, with the Bayer pattern and black levels adjusted to its origin; nil when the crop
    /// is empty or exceeds the mosaic.
    public func cropped(left: Int, top: Int, width: Int, height: Int) -> Mosaic? {
        guard left >= 0, top >= 0, width > 0, height > 0, width <= format.width - left, height <= format.height - top
        else { return nil }
        if width == format.width, height == format.height { return self }
        var part = [UInt16](repeating: 0, count: width * height)
        for row in 0..<height {
            let start = (top + row) * format.stride + left
            part.replaceSubrange(row * width..<(row + 1) * width, with: codes[start..<start + width])
        }
        var metadata = metadata
        metadata.blackLevel = (0..<4).map { position in
            self.metadata.blackLevel[(position / 2 + top) % 2 * 2 + (position % 2 + left) % 2]
        }
        let format = MosaicFormat(
            width: width, height: height, pattern: format.pattern.shifted(rows: top, columns: left),
            bitDepth: format.bitDepth)
        return try? Mosaic(format: format, metadata: metadata, codes: part)
    }
}
