public import RawImage

// Raw pictures other than Bayer mosaics and linear RGB: X-Trans mosaics, monochrome ones, and those of four colours.

extension DNGFile {
    /// Decodes the main X-Trans picture, or the given one. Codes are linear, as those of `mosaic(_:)`.
    public func xTransMosaic(_ image: DNGImage? = nil) throws(GscapError) -> XTransMosaic {
        try xTransMosaic(image, stored: nil)
    }

    /// Returns the main X-Trans picture, or the given one, from its stored samples if they are already decoded.
    package func xTransMosaic(_ image: DNGImage? = nil, stored: StoredSamples?) throws(GscapError) -> XTransMosaic {
        let image = try picture(image, of: .xTrans)
        guard let pattern = image.xTransPattern else { throw noRawPicture }
        if checksDigests { try checkCompanions() }
        let reader = try PixelReader(self, image)
        let codes = try reader.linearSamples(stored?.codes)
        let metadata = try metadata(of: image, reader)
        return try XTransMosaic(
            width: image.width, height: image.height, pattern: pattern, metadata: metadata, codes: codes)
    }

    /// Returns the linear image of samples of one colour, as grey, or of four colours, as the three of
    /// `FourColorCamera`.
    func linearImage(
        _ image: DNGImage, _ samples: [UInt16], _ metadata: FrameMetadata
    ) throws(GscapError) -> LinearImage {
        let format = LinearFormat(width: image.width, height: image.height)
        guard image.samplesPerPixel == 4 else {
            let values = Self.grey(samples, format)
            return try LinearImage(format: format, metadata: metadata, values: values)
        }
        return try linearImage(fourColors: samples, format, metadata)
    }

    /// Returns the linear image of a mosaic of four colours.
    func linearImage(
        fourColor image: DNGImage, _ codes: [UInt16], _ metadata: FrameMetadata
    ) throws(GscapError) -> LinearImage {
        let mosaic = FourColorMosaic(width: image.width, height: image.height, planes: image.fourColorPlanes)
        var metadata = metadata
        let levels = metadata.blackLevel
        // The levels of the 2×2 cell, in the order of the planes.
        for (position, plane) in image.fourColorPlanes.enumerated() where levels.count == 4 {
            metadata.blackLevel[plane] = levels[position]
        }
        let format = LinearFormat(width: image.width, height: image.height)
        return try linearImage(fourColors: mosaic.interpolated(codes), format, metadata)
    }

    private func linearImage(
        fourColors samples: [UInt16], _ format: LinearFormat, _ metadata: FrameMetadata
    ) throws(GscapError) -> LinearImage {
        let values = try FourColorCamera(first).rgb(samples, format, metadata)
        var metadata = metadata
        (metadata.blackLevel, metadata.whiteLevel) = ([0, 0, 0, 0], 65_535)
        return try LinearImage(format: format, metadata: metadata, values: values)
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
