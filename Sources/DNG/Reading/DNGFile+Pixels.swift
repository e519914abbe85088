public import RawImage

extension DNGFile {
    /// Samples of a picture as the file stores them: before a linearization table, with the levels of the tags.
    public struct StoredSamples: Sendable {
        /// Pixels in a row.
        public let width: Int
        /// Rows.
        public let height: Int
        /// Samples of a pixel, which follow each other.
        public let samplesPerPixel: Int
        /// All samples in reading order. Floating-point ones are scaled so that their white level is 65535.
        public let codes: [UInt16]
        /// What each code stands for when codes are not linear; empty when they are.
        public let linearizationTable: [UInt16]
    }

    /// Reads the Bayer picture that the file is about, or another one of it.
    ///
    /// The picture is whole: also what lies outside the active area. Codes are linear: a linearization table was applied.
    /// Where black differs by row, column or in a pattern larger than 2×2, it was evened out. Its depth is what its
    /// codes and white level need. Floating-point samples become 16-bit codes with their white level at 65535; what
    /// is brighter is cut off there.
    public func mosaic(_ image: DNGImage? = nil) throws(DNGError) -> Mosaic {
        let image = try picture(image, of: .bayer)
        let reader = try PixelReader(self, image)
        let codes = try reader.linearSamples()
        let metadata = try metadata(of: image, reader)
        let highest = max(Int(codes.max() ?? 0), Int(min(metadata.whiteLevel, 65_535)))
        let depth = max(8, Int.bitWidth - highest.leadingZeroBitCount)
        let format = MosaicFormat(
            width: image.width, height: image.height, pattern: image.pattern ?? .rggb, bitDepth: depth)
        do { return try Mosaic(format: format, metadata: metadata, codes: codes) } catch { throw DNGError(error) }
    }

    /// Reads the linear photo that the file is about, or another one of it.
    ///
    /// Values are linear; black and white are evened out as `mosaic(_:)` does, also between planes.
    public func linearImage(_ image: DNGImage? = nil) throws(DNGError) -> LinearImage {
        let image = try picture(image, of: .linear)
        let reader = try PixelReader(self, image)
        let samples = try reader.linearSamples()
        let metadata = try metadata(of: image, reader)
        let format = LinearFormat(width: image.width, height: image.height)
        let values = unsafe samples.withUnsafeBufferPointer { samples in
            unsafe [UInt16](
                large: format.valueCount,
                inRanges: { values, target in
                    guard let source = samples.baseAddress else { return }
                    // Ranges begin with a pixel.
                    for pixel in values.lowerBound / 4..<values.upperBound / 4 {
                        unsafe target[pixel &* 4] = unsafe source[pixel &* 3]
                        unsafe target[pixel &* 4 &+ 1] = unsafe source[pixel &* 3 &+ 1]
                        unsafe target[pixel &* 4 &+ 2] = unsafe source[pixel &* 3 &+ 2]
                        unsafe target[pixel &* 4 &+ 3] = .max
                    }
                })
        }
        do { return try LinearImage(format: format, metadata: metadata, values: values) } catch {
            throw DNGError(error)
        }
    }

    /// Reads a picture's samples as they are stored; without an argument those of the picture that the file is about.
    public func storedSamples(_ image: DNGImage? = nil) throws(DNGError) -> StoredSamples {
        guard let image = image ?? main else {
            throw DNGError(.noSuchImage, "a raw picture is wanted, but there is none")
        }
        let directory = try container.directory(at: image.offset)
        return StoredSamples(
            width: image.width, height: image.height, samplesPerPixel: image.samplesPerPixel,
            codes: try PixelReader(self, image).storedSamples(),
            linearizationTable: directory.integers(.linearizationTable).map { UInt16(clamping: $0) })
    }

    /// Reads the file's first preview, or another one of it.
    public func preview(_ image: DNGImage? = nil) throws(DNGError) -> DNGPreview {
        let image = try picture(image, of: .preview)
        let isDisplayed = [Photometric.gray, Photometric.rgb].contains(image.photometric)
        let isCoded = [.jpeg, .jpegXL].contains(image.compression) && image.photometric == Photometric.yCbCr
        guard image.bitsPerSample == 8, image.samplesPerPixel == 3 || image.samplesPerPixel == 1, isDisplayed || isCoded
        else {
            throw DNGError(
                .unsupported,
                "\(image.place) is neither grey nor RGB of 8 bits, nor JPEG (photometric \(image.photometric), "
                    + "\(image.compression))")
        }
        let samples = try PixelReader(self, image).storedSamples()
        let bytes = samples.map { UInt8(truncatingIfNeeded: $0) }
        let rgb = image.samplesPerPixel == 3 ? bytes : bytes.flatMap { [$0, $0, $0] }
        return try DNGPreview(width: image.width, height: image.height, rgb: rgb)
    }

    /// The JPEG file that a preview is stored as; nil when it is stored in another way.
    public func previewJPEG(_ image: DNGImage? = nil) throws(DNGError) -> [UInt8]? {
        let image = try picture(image, of: .preview)
        guard image.compression == .jpeg, [1, 3].contains(image.samplesPerPixel) else { return nil }
        let directory = try container.directory(at: image.offset)
        let layout = try PixelLayout(directory, image)
        guard layout.count == 1 else { return nil }
        let chunk = layout.chunk(0)
        guard let bytes = container.source.bytes(at: chunk.offset, count: chunk.byteCount) else { return nil }
        let stream = try JPEGStream(bytes, tables: directory.bytes(.jpegTables))
        return stream.process == .transform ? stream.bytes : nil
    }

    /// The file's metadata with the levels of one of its pictures.
    private func metadata(of image: DNGImage, _ reader: PixelReader) throws(DNGError) -> FrameMetadata {
        var metadata = metadata
        if let levels = reader.levels { try metadata.take(levels) }
        return metadata
    }

    func picture(_ image: DNGImage?, of kind: DNGImage.Kind) throws(DNGError) -> DNGImage {
        let found = image ?? (kind == .bayer || kind == .linear ? main : images.first { $0.kind == kind })
        if let found, found.kind == kind { return found }
        let instead = found.map { "this one is \($0.kind.rawValue)" } ?? "there is none"
        throw DNGError(.noSuchImage, "a \(kind.rawValue) picture is wanted, but \(instead)")
    }
}
