internal import Kernels
internal import PixelMemory
public import RawImage

/// Demosaics a mosaic into a linear photo in camera-native colour.
///
/// White balance is applied during interpolation, so that red, green and blue are equal on grey surfaces, and removed
/// afterwards. The result covers the sensor's range from the black level to each colour's saturation.
public enum Demosaic {
    /// Black level of the linear photo. A level above 0 would preserve noise below black, but darktable ignores the
    /// black level of linear DNGs. Noise below black is therefore cut off in a way that keeps the mean of the values
    /// around it.
    public static let pedestal: UInt16 = 0

    /// Returns the metadata of the photo demosaiced from a mosaic with `metadata`: black and white level differ, and
    /// maps of lens shading are those of colours, not of positions in the CFA cell.
    public static func linearMetadata(for metadata: FrameMetadata, of pattern: BayerPattern) -> FrameMetadata {
        linearMetadata(for: metadata, plane: pattern.plane)
    }

    /// Returns the metadata of a demosaiced photo; `plane` returns the colour of the mosaic's pixels.
    static func linearMetadata(for metadata: FrameMetadata, plane: (_ row: Int, _ column: Int) -> Int) -> FrameMetadata
    {
        var result = metadata
        result.lens.shading = metadata.lens.shading.flatMap { $0.demosaiced(plane) }
        result.blackLevel = [Double](repeating: Double(pedestal), count: 4)
        result.whiteLevel = 65_535
        return result
    }

    /// Returns, for each colour, the factor from a white-balanced linear value to a code of the linear photo above its
    /// black level.
    package static func photoScale(_ metadata: FrameMetadata) -> SIMD3<Float> {
        SIMD3<Float>(metadata.relativeSensitivity) * (65_535 - Float(pedestal))
    }

    /// The method that interpolates the missing colours.
    public enum Method: Sendable, Hashable, CaseIterable {
        /// Interpolates green by ratios of local means along the direction with the least change; produces the least
        /// chroma noise.
        case fast
        /// As `fast`, then refines green with a linear minimum mean square error estimate of its differences from red
        /// and blue; sharper, but mistakes fine noise for detail.
        case best
        /// `best` when the metadata's noise profile is very low, otherwise `fast`.
        case automatic
    }

    /// Returns the linear photo of a mosaic of at least 2×2 pixels.
    public static func linear(_ mosaic: Mosaic, method: Method = .automatic) throws(GscapError) -> LinearImage {
        let format = LinearFormat(width: mosaic.format.width, height: mosaic.format.height)
        var values = [UInt16].largeZeros(format.valueCount)
        var span = values.mutableSpan
        try linear(
            mosaic.codes.span, format: mosaic.format, metadata: mosaic.metadata, into: &span, output: format,
            method: method)
        return try LinearImage(
            format: format, metadata: linearMetadata(for: mosaic.metadata, of: mosaic.format.pattern), values: values)
    }

    /// Demosaics `codes` into `values`, on the calling thread if `cores` is 1 and otherwise on all cores.
    ///
    /// Throws unless the mosaic has at least 2×2 pixels, the photo has the same size, both buffers are large enough,
    /// and the levels and neutral in `metadata` are valid.
    @_lifetime(values: copy values)
    public static func linear(
        _ codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata, into values: inout MutableSpan<UInt16>,
        output: LinearFormat, method: Method = .automatic, cores: Int? = nil
    ) throws(GscapError) {
        try format.checkDemosaic(count: codes.count)
        try output.check(count: values.count)
        guard output.width == format.width, output.height == format.height else {
            throw GscapError(
                .badFormat,
                "the photo is \(output.width)×\(output.height), its mosaic \(format.width)×\(format.height); "
                    + "the sizes must be equal")
        }
        var plan = try DemosaicPlan(metadata, pattern: format.pattern, method: method)
        plan.keepsBlackMeans = true
        let scale = photoScale(metadata)
        codes.withView { codes in
            values.withMutableView { values in
                let memory = ScratchMemoryPool()
                // Each band writes only its own rows.
                concurrentBands(rows: format.height, of: bandHeight, cores: cores) { rows in
                    var lines = DemosaicLines(codes: codes, format: format, plan: plan, memory: memory)
                    lines.forEach(in: rows) { row, colors in
                        store(colors, width: format.width, scale: scale, to: values + row * output.stride)
                    }
                }
            }
        }
    }

    /// Number of rows per band: large enough that the rows computed twice at band boundaries hardly matter.
    package static let bandHeight = 128

    private static func store(
        _ colors: DemosaicedRow, width: Int, scale: SIMD3<Float>, to pixels: MutableMemoryView<UInt16>
    ) {
        for phase in 0..<2 {
            let half = phase == 0 ? colors.even : colors.odd
            let (count, channels) = ((width + 1 - phase) / 2, LinearFormat.channels)
            unsafe storeLinear(
                half.red.pointer(count), half.green.pointer(count), half.blue.pointer(count), count: count,
                redScale: scale.x, greenScale: scale.y, blueScale: scale.z, pedestal: Float(pedestal),
                to: (pixels + phase * channels).pointer((2 * count - 1) * channels))
        }
    }
}

extension MosaicFormat {
    /// Throws unless the format is valid, at least 2×2, and fits into a buffer of `count` codes.
    package func checkDemosaic(count: Int) throws(GscapError) {
        try check(count: count)
        guard width >= 2, height >= 2 else {
            throw GscapError(
                .badFormat, "a mosaic of \(width)×\(height) does not have every colour; 2×2 pixels is the minimum")
        }
    }
}
