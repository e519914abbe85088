public import RawImage

extension DNGFile {
    /// Reads the Bayer picture that the file is about, or another one of it.
    ///
    /// The picture is whole: also what lies outside the active area. Its depth is what its codes and white level need.
    public func mosaic(_ image: DNGImage? = nil) throws(DNGError) -> Mosaic {
        let image = try picture(image, of: .bayer)
        let codes = try PixelReader(self, image).samples()
        let highest = max(Int(codes.max() ?? 0), Int(min(metadata.whiteLevel, 65_535)))
        let depth = max(8, Int.bitWidth - highest.leadingZeroBitCount)
        let format = MosaicFormat(
            width: image.width, height: image.height, pattern: image.pattern ?? .rggb, bitDepth: depth)
        do { return try Mosaic(format: format, metadata: metadata, codes: codes) } catch { throw DNGError(error) }
    }

    /// Reads the linear photo that the file is about, or another one of it.
    public func linearImage(_ image: DNGImage? = nil) throws(DNGError) -> LinearImage {
        let image = try picture(image, of: .linear)
        let samples = try PixelReader(self, image).samples()
        let format = LinearFormat(width: image.width, height: image.height)
        let values = unsafe [UInt16](unsafeUninitializedCapacity: format.valueCount) { values, count in
            unsafe samples.withUnsafeBufferPointer { samples in
                guard let source = samples.baseAddress, let target = values.baseAddress else { return }
                for pixel in 0..<samples.count / 3 {
                    unsafe target[pixel &* 4] = unsafe source[pixel &* 3]
                    unsafe target[pixel &* 4 &+ 1] = unsafe source[pixel &* 3 &+ 1]
                    unsafe target[pixel &* 4 &+ 2] = unsafe source[pixel &* 3 &+ 2]
                    unsafe target[pixel &* 4 &+ 3] = .max
                }
            }
            count = format.valueCount
        }
        do { return try LinearImage(format: format, metadata: metadata, values: values) } catch {
            throw DNGError(error)
        }
    }

    /// Reads the file's first preview, or another one of it.
    public func preview(_ image: DNGImage? = nil) throws(DNGError) -> DNGPreview {
        let image = try picture(image, of: .preview)
        guard image.bitsPerSample == 8, image.samplesPerPixel == 3 else {
            throw DNGError(.unsupported, "the preview does not have three samples of 8 bits a pixel")
        }
        let samples = try PixelReader(self, image).samples()
        return try DNGPreview(
            width: image.width, height: image.height, rgb: samples.map { UInt8(truncatingIfNeeded: $0) })
    }

    private func picture(_ image: DNGImage?, of kind: DNGImage.Kind) throws(DNGError) -> DNGImage {
        let found = image ?? (kind == .preview ? images.first { $0.kind == .preview } : main)
        if let found, found.kind == kind { return found }
        let instead = found.map { "this one is \($0.kind.rawValue)" } ?? "there is none"
        throw DNGError(.noSuchImage, "a \(kind.rawValue) picture is wanted, but \(instead)")
    }
}
