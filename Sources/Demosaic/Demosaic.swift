internal import Kernels
public import RawImage

/// Turns a mosaic into a linear photo in the camera's own colour.
///
/// Light is white-balanced for the time of the interpolation, since only then are red, green and blue of a grey
/// surface alike. The result keeps what the sensor recorded above black, each colour up to its own saturation.
public enum Demosaic {
    /// The code of no light in the photo. Noise below it would be worth keeping, but darktable and LibRaw misread
    /// linear DNGs whose black is not 0.
    public static let pedestal: UInt16 = 0

    /// What the photo of a mosaic tells of itself: that of the mosaic with the levels of the photo's scale.
    public static func linearMetadata(for metadata: FrameMetadata) -> FrameMetadata {
        var result = metadata
        result.blackLevel = [Double](repeating: Double(pedestal), count: 4)
        result.whiteLevel = 65_535
        return result
    }

    /// How colours are found between the pixels that saw them.
    public enum Method: Sendable, Hashable, CaseIterable {
        /// Green by ratios of local means along the direction that changes least; least coloured noise.
        case fast
        /// As `fast`, with green refined where its differences from red and blue say so: sharper, if there is no noise.
        case best
        /// `best` for pictures that by their metadata have next to no noise, `fast` for all others.
        case automatic
    }

    /// The photo of a mosaic.
    public static func linear(_ mosaic: Mosaic, method: Method = .automatic) throws(RawImageError) -> LinearImage {
        let format = LinearFormat(width: mosaic.format.width, height: mosaic.format.height)
        var values = [UInt16].largeZeros(format.valueCount)
        var span = values.mutableSpan
        try linear(
            mosaic.codes.span, format: mosaic.format, metadata: mosaic.metadata, into: &span, output: format,
            method: method)
        return try LinearImage(format: format, metadata: linearMetadata(for: mosaic.metadata), values: values)
    }

    /// Writes the photo of a mosaic, on all cores unless `cores` is 1.
    ///
    /// The mosaic must be at least 2×2, and the photo of the same size.
    public static func linear(
        _ codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata, into values: inout MutableSpan<UInt16>,
        output: LinearFormat, method: Method = .automatic, cores: Int? = nil
    ) throws(RawImageError) {
        try format.checkDemosaic(count: codes.count)
        try output.check(count: values.count)
        guard output.width == format.width, output.height == format.height else {
            throw RawImageError(
                .badFormat,
                "the photo is \(output.width)×\(output.height), its mosaic \(format.width)×\(format.height): "
                    + "make them alike")
        }
        let plan = try DemosaicPlan(metadata, pattern: format.pattern, method: method)
        let scale = SIMD3<Float>(metadata.relativeSensitivity) * (65_535 - Float(pedestal))
        unsafe codes.withUnsafeBufferPointer { codes in
            unsafe values.withUnsafeMutableBufferPointer { values in
                guard let source = codes.baseAddress, let target = values.baseAddress else { return }
                // Both stay in place until all bands are done, and each band writes rows of its own.
                nonisolated(unsafe) let (from, to) = unsafe (source, target)
                let memory = LineMemory()
                concurrentBands(rows: format.height, of: bandHeight, cores: cores) { rows in
                    var lines = unsafe DemosaicLines(codes: from, format: format, plan: plan, memory: memory)
                    unsafe lines.forEach(in: rows) { row, colors in
                        unsafe store(colors, width: format.width, scale: scale, to: to + row * output.stride)
                    }
                }
            }
        }
    }

    /// Rows demosaiced together: enough that the few computed twice where bands meet do not count.
    package static let bandHeight = 128

    private static func store(
        _ colors: DemosaicedRow, width: Int, scale: SIMD3<Float>, to pixels: UnsafeMutablePointer<UInt16>
    ) {
        for phase in 0..<2 {
            let half = unsafe phase == 0 ? colors.even : colors.odd
            unsafe storeLinear(
                half.red, half.green, half.blue, count: (width + 1 - phase) / 2, redScale: scale.x,
                greenScale: scale.y, blueScale: scale.z, pedestal: Float(pedestal),
                to: pixels + phase * LinearFormat.channels)
        }
    }
}

extension MosaicFormat {
    /// Throws unless a buffer of `count` codes holds the picture and it has every colour.
    package func checkDemosaic(count: Int) throws(RawImageError) {
        try check(count: count)
        guard width >= 2, height >= 2 else {
            throw RawImageError(.badFormat, "a mosaic of \(width)×\(height) has not every colour: give 2×2 or more")
        }
    }
}
