public import RawImage

// Raw pictures other than Bayer mosaics and linear RGB: X-Trans mosaics, monochrome and four-colour linear pictures.

extension DNGFile {
    /// Decodes the main X-Trans picture, or the given one. Codes are linear, as those of `mosaic(_:)`.
    public func xTransMosaic(_ image: DNGImage? = nil) throws(DNGError) -> XTransMosaic {
        let image = try picture(image, of: .xTrans)
        guard let pattern = image.xTransPattern else { throw noRawPicture }
        if checksDigests { try checkCompanions() }
        let reader = try PixelReader(self, image)
        let codes = try reader.linearSamples()
        let metadata = try metadata(of: image, reader)
        do {
            return try XTransMosaic(
                width: image.width, height: image.height, pattern: pattern, metadata: metadata, codes: codes)
        } catch { throw DNGError(error) }
    }

    /// Returns the linear image of samples of one colour, as grey, or of four colours, as the three of
    /// `FourColorCamera`.
    func linearImage(
        _ image: DNGImage, _ samples: [UInt16], _ metadata: FrameMetadata
    ) throws(DNGError) -> LinearImage {
        let format = LinearFormat(width: image.width, height: image.height)
        guard image.samplesPerPixel == 4 else {
            let values = Self.grey(samples, format)
            do { return try LinearImage(format: format, metadata: metadata, values: values) } catch {
                throw DNGError(error)
            }
        }
        let values = try FourColorCamera(first).rgb(samples, format, metadata)
        var metadata = metadata
        (metadata.blackLevel, metadata.whiteLevel) = ([0, 0, 0, 0], 65_535)
        do { return try LinearImage(format: format, metadata: metadata, values: values) } catch {
            throw DNGError(error)
        }
    }

    private static func grey(_ samples: [UInt16], _ format: LinearFormat) -> [UInt16] {
        unsafe samples.withUnsafeBufferPointer { samples in
            unsafe [UInt16](
                large: format.valueCount,
                inRanges: { values, target in
                    guard let source = samples.baseAddress else { return }
                    // Ranges start and end at pixel boundaries, of four values each.
                    for pixel in values.lowerBound / 4..<values.upperBound / 4 {
                        let code = unsafe source[pixel]
                        for plane in 0..<3 { unsafe target[pixel &* 4 &+ plane] = code }
                        unsafe target[pixel &* 4 &+ 3] = .max
                    }
                })
        }
    }
}
