internal import Demosaic
internal import Kernels
internal import RawImage

/// The demosaiced merged mosaic in three planes of codes: the guide that the samples of the frames are compared with.
@safe
final class SuperResolutionGuide {
    let width: Int
    let height: Int
    /// The relative sensitivity of red, green and blue: linear values times it are camera responses.
    let sensitivity: SIMD3<Float>
    private let codes: UnsafeMutablePointer<UInt16>

    /// The code of linear value 0. It is above 0 so that negative noise is not clipped.
    private static let zero: Float = 8192
    /// The number of codes from linear value 0 to full response.
    private static let range: Float = 56_000

    /// Demosaics the merged mosaic with a method that also suits the noise of `reference`, which remains where nothing
    /// was merged.
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
            let memory = ScratchMemoryPool()
            // Concurrent bands write to different rows.
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

    /// Loads `count` pixels of a colour as linear values clipped at 1. The start may lie outside, where the edge pixel
    /// is repeated.
    func load(color: Int, x: Int, y: Int, count: Int, _ linear: UnsafeMutablePointer<Float>) {
        let row = unsafe codes(color, y.clamped(to: 0...height - 1))
        let (first, last) = (x.clamped(to: 0...width - 1), (x + count - 1).clamped(to: 0...width - 1))
        let start = unsafe linear + (first - x).clamped(to: 0...count - 1)
        let known = min(last - first + 1, count)
        unsafe loadGuide(row + first, known, 1 / (Self.range * sensitivity[color]), Self.zero, start)
        unsafe linear.update(repeating: start[0], count: start - linear)
        unsafe (start + known).update(repeating: start[known - 1], count: linear + count - (start + known))
    }

    /// Adds the guide's values in excess of 1, for pixels inside.
    func addExcess(color: Int, x: Int, y: Int, count: Int, _ linear: UnsafeMutablePointer<Float>) {
        unsafe addGuideExcess(codes(color, y) + x, count, 1 / (Self.range * sensitivity[color]), Self.zero, linear)
    }
}
