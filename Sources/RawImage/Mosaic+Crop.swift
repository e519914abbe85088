extension Mosaic {
    /// Returns a crop of the mosaic, with the Bayer pattern, black levels and maps of lens shading adjusted to its
    /// origin; nil when the crop is empty or exceeds the mosaic.
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
        let crop = PixelRectangle(left: left, top: top, width: width, height: height)
        metadata.lens.shading = metadata.lens.shading.map {
            $0.cropped(from: (self.format.width, self.format.height), to: crop)
        }
        var shape = format
        (shape.width, shape.height, shape.stride) = (width, height, width)
        shape.pattern = format.pattern.shifted(rows: top, columns: left)
        return try? Mosaic(format: shape, metadata: metadata, codes: part)
    }

    /// The mosaic at the bit depth that its white level needs. Brighter codes, such as that of a defective pixel, are
    /// clipped to that depth, so that the frames of a burst have one.
    package var ofWhiteLevelDepth: Mosaic {
        let white = Int(min(metadata.whiteLevel, 65_535))
        let depth = max(8, Int.bitWidth - white.leadingZeroBitCount)
        guard depth < format.bitDepth else { return self }
        let limit = UInt16((1 << depth) - 1)
        var shape = format
        shape.bitDepth = depth
        return (try? Mosaic(format: shape, metadata: metadata, codes: codes.map { min($0, limit) })) ?? self
    }
}
