public import RawImage

extension DNGFile {
    /// A picture's stored codes, before LinearizationTable is applied. The file's BlackLevel and WhiteLevel tags are on
    /// the scale after LinearizationTable.
    public struct StoredSamples: Sendable {
        /// The width in pixels.
        public let width: Int
        /// The height in rows.
        public let height: Int
        /// Samples per pixel, interleaved.
        public let samplesPerPixel: Int
        /// All samples, row by row. Floating-point samples are scaled to a white level of 65535.
        public let codes: [UInt16]
        /// LinearizationTable: the linear value of each code; empty if codes are linear.
        public let linearizationTable: [UInt16]
    }

    /// Decodes the main Bayer picture, or the given one; also that of a camera without colour filters.
    ///
    /// The mosaic includes the pixels outside the active area. Codes are linear: LinearizationTable and the supported
    /// opcodes of OpcodeList1 and OpcodeList2 have been applied, except GainMap, which becomes lens shading in the
    /// metadata. Black levels that differ by row, column or in a pattern larger than 2×2 are equalized. Of a quad
    /// mosaic the 2×2 pixels of each colour are averaged. The bit depth
    /// is what codes and white level need. Floating-point samples become 16-bit codes with white at 65535; brighter
    /// samples are clipped.
    public func mosaic(_ image: DNGImage? = nil) throws(GscapError) -> Mosaic {
        try mosaic(image, stored: nil)
    }

    /// Returns the main Bayer picture, or the given one, from its stored samples if they are already decoded.
    package func mosaic(_ image: DNGImage? = nil, stored: StoredSamples?) throws(GscapError) -> Mosaic {
        let image = try picture(image, of: (image ?? main)?.isMonochrome == true ? .linear : .bayer)
        if checksDigests { try checkCompanions() }
        let reader = try PixelReader(self, image)
        let codes = try reader.linearSamples(stored?.codes)
        let metadata = try metadata(of: image, reader)
        let highest = max(Int(codes.max() ?? 0), Int(min(metadata.whiteLevel, 65_535)))
        let depth = max(8, Int.bitWidth - highest.leadingZeroBitCount)
        var format = MosaicFormat(
            width: image.width, height: image.height, pattern: image.pattern ?? .rggb, bitDepth: depth)
        format.isMonochrome = image.isMonochrome
        return try Mosaic(format: format, metadata: metadata, codes: codes)
    }

    /// Decodes the main linear (demosaiced) picture, or the given one, to RGBA with opaque alpha. A mosaic of four
    /// colours, or with a pattern of 2×4 pixels, is interpolated.
    ///
    /// Values are linear; black and white levels are equalized as in `mosaic(_:)`, also between planes.
    public func linearImage(_ image: DNGImage? = nil) throws(GscapError) -> LinearImage {
        try linearImage(image, stored: nil)
    }

    /// Returns the main linear picture, or the given one, from its stored samples if they are already decoded.
    package func linearImage(_ image: DNGImage? = nil, stored: StoredSamples?) throws(GscapError) -> LinearImage {
        let kind = (image ?? main)?.kind
        let image = try picture(image, of: kind == .fourColor || kind == .longPattern ? kind ?? .linear : .linear)
        if checksDigests { try checkCompanions() }
        let reader = try PixelReader(self, image)
        let samples = try reader.linearSamples(stored?.codes)
        let metadata = try metadata(of: image, reader)
        if image.kind == .fourColor { return try linearImage(fourColor: image, samples, metadata) }
        if let pattern = image.longPattern {
            let format = LinearFormat(width: image.width, height: image.height)
            let values = pattern.interpolated(samples, width: image.width, height: image.height)
            return try LinearImage(format: format, metadata: metadata, values: values)
        }
        if image.samplesPerPixel != 3 { return try linearImage(image, samples, metadata) }
        let format = LinearFormat(width: image.width, height: image.height)
        let values = unsafe samples.withUnsafeBufferPointer { samples in
            unsafe [UInt16](
                large: format.valueCount,
                inRanges: { values, target in
                    guard let source = samples.baseAddress else { return }
                    // Ranges start and end at pixel boundaries, of four values each.
                    for pixel in values.lowerBound / 4..<values.upperBound / 4 {
                        unsafe target[pixel &* 4] = unsafe source[pixel &* 3]
                        unsafe target[pixel &* 4 &+ 1] = unsafe source[pixel &* 3 &+ 1]
                        unsafe target[pixel &* 4 &+ 2] = unsafe source[pixel &* 3 &+ 2]
                        unsafe target[pixel &* 4 &+ 3] = .max
                    }
                })
        }
        return try LinearImage(format: format, metadata: metadata, values: values)
    }

    /// Decodes the stored codes of the main picture, or of the given one.
    public func storedSamples(_ image: DNGImage? = nil) throws(GscapError) -> StoredSamples {
        guard let image = image ?? main else { throw noRawPicture }
        let directory = try container.directory(at: image.offset)
        let stored = try image.stored(in: directory)
        return StoredSamples(
            width: stored.width, height: stored.height, samplesPerPixel: stored.samplesPerPixel,
            codes: try PixelReader(self, stored).storedSamples(),
            linearizationTable: directory.integers(.linearizationTable).map { UInt16(clamping: $0) })
    }

    /// Decodes the first preview, or the given one, to RGB.
    public func preview(_ image: DNGImage? = nil) throws(GscapError) -> DNGPreview {
        let image = try picture(image, of: .preview)
        let isDisplayed = [Photometric.gray, Photometric.rgb].contains(image.photometric)
        let isCoded = [.jpeg, .jpegXL].contains(image.compression) && image.photometric == Photometric.yCbCr
        guard image.bitsPerSample == 8, image.samplesPerPixel == 3 || image.samplesPerPixel == 1, isDisplayed || isCoded
        else {
            throw GscapError(
                .unsupported,
                "\(image.place) is neither 8-bit grey or RGB nor a JPEG (photometric \(image.photometric), "
                    + "\(image.compression))")
        }
        let samples = try PixelReader(self, image).storedSamples()
        let bytes = samples.map { UInt8(truncatingIfNeeded: $0) }
        let rgb = image.samplesPerPixel == 3 ? bytes : bytes.flatMap { [$0, $0, $0] }
        return try DNGPreview(width: image.width, height: image.height, rgb: rgb)
    }

    /// Returns a preview's JPEG bytes without decoding them; nil if it is not stored as one baseline JPEG. The preview
    /// of a camera's own raw file is a small one of its raw picture; `previewJPEG(rawFile:)` returns the camera's.
    public func previewJPEG(_ image: DNGImage? = nil) throws(GscapError) -> [UInt8]? {
        let image = try picture(image, of: .preview)
        try check(image)
        guard image.compression == .jpeg, [1, 3].contains(image.samplesPerPixel) else { return nil }
        let directory = try container.directory(at: image.offset)
        let layout = try ChunkLayout(directory, image)
        guard layout.count == 1 else { return nil }
        let chunk = layout.chunk(0)
        guard let bytes = container.source.bytes(at: chunk.offset, count: chunk.byteCount) else { return nil }
        let stream = try JPEGStream(bytes, tables: directory.bytes(.jpegTables))
        return stream.process == .transform ? stream.bytes : nil
    }

    /// Returns the file's metadata with the black and white levels of the given picture.
    func metadata(of image: DNGImage, _ reader: PixelReader) throws(GscapError) -> FrameMetadata {
        var metadata = metadata
        if checksDigests { metadata.history = history }
        if let levels = reader.levels { try metadata.take(levels) }
        return metadata
    }

    func picture(_ image: DNGImage?, of kind: DNGImage.Kind) throws(GscapError) -> DNGImage {
        let found = image ?? (kind.isRaw ? main : images.first { $0.kind == kind })
        if let found, found.kind == kind { return found }
        if found == nil, kind.isRaw { throw noRawPicture }
        let problem =
            found.map { "\($0.place) is not a \(kind.rawValue) picture" } ?? "the file has no \(kind.rawValue) picture"
        throw GscapError(.noSuchImage, problem)
    }
}
