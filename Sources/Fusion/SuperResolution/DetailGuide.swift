internal import Demosaic
internal import Kernels
internal import RawImage

/// The demosaiced mosaic of the merged burst, as three planes of codes: what the frames' own samples are compared with.
@safe
final class DetailGuide {
    let width: Int
    let height: Int
    /// Light against the camera's response, of red, green and blue.
    let sensitivity: SIMD3<Float>
    private let codes: UnsafeMutablePointer<UInt16>

    /// The code of no light: noise goes below it, and must not be cut.
    private static let zero: Float = 8192
    /// Codes of full response.
    private static let range: Float = 56_000

    /// `reference` has the noise that is left where nothing could be merged: the demosaic must be one for that, too.
    init(
        _ mosaic: Mosaic, reference: FrameMetadata, cores: Int?, latch: CancelLatch
    ) throws(RawImageError) {
        try mosaic.format.checkDemosaic(count: mosaic.codes.count)
        (width, height) = (mosaic.format.width, mosaic.format.height)
        sensitivity = SIMD3<Float>(mosaic.metadata.relativeSensitivity)
        unsafe codes = .allocate(capacity: 3 * width * height)
        unsafe codes.initialize(repeating: 0, count: 3 * width * height)
        let refines = try DemosaicPlan(reference, pattern: mosaic.format.pattern).refines
        let plan = try DemosaicPlan(
            mosaic.metadata, pattern: mosaic.format.pattern, method: refines ? .automatic : .fast)
        unsafe mosaic.codes.withUnsafeBufferPointer { source in
            guard let source = source.baseAddress else { return }
            let memory = LineMemory()
            // Bands write rows of their own.
            concurrentBands(rows: height, of: Demosaic.bandHeight, cores: cores) { rows in
                if latch.isCancelled { return }
                var lines = unsafe DemosaicLines(
                    codes: source, format: mosaic.format, plan: plan, memory: memory)
                unsafe lines.forEach(in: rows) { row, colors in unsafe store(colors, row) }
            }
        }
    }

    deinit { unsafe codes.deallocate() }

    private func store(_ colors: DemosaicedRow, _ row: Int) {
        let scale = sensitivity * Self.range
        let (even, odd) = unsafe (colors.even, colors.odd)
        unsafe storeGuide(even.red, odd.red, width, scale.x, Self.zero, codes(0, row))
        unsafe storeGuide(even.green, odd.green, width, scale.y, Self.zero, codes(1, row))
        unsafe storeGuide(even.blue, odd.blue, width, scale.z, Self.zero, codes(2, row))
    }

    private func codes(_ color: Int, _ row: Int) -> UnsafeMutablePointer<UInt16> {
        unsafe codes + (color * height + row) * width
    }

    /// Reads `count` pixels of a colour from a place that may lie outside, where the last pixel repeats, as light cut
    /// at 1.
    func load(color: Int, x: Int, y: Int, count: Int, _ light: UnsafeMutablePointer<Float>) {
        let row = unsafe codes(color, y.clamped(to: 0...height - 1))
        let (first, last) = (x.clamped(to: 0...width - 1), (x + count - 1).clamped(to: 0...width - 1))
        let start = unsafe light + (first - x).clamped(to: 0...count - 1)
        let known = min(last - first + 1, count)
        unsafe loadGuide(row + first, known, 1 / (Self.range * sensitivity[color]), Self.zero, start)
        unsafe light.update(repeating: start[0], count: start - light)
        unsafe (start + known).update(repeating: start[known - 1], count: light + count - (start + known))
    }

    /// Adds to light what the guide has above 1, at places inside.
    func addExcess(color: Int, x: Int, y: Int, count: Int, _ light: UnsafeMutablePointer<Float>) {
        unsafe addGuideExcess(codes(color, y) + x, count, 1 / (Self.range * sensitivity[color]), Self.zero, light)
    }
}
