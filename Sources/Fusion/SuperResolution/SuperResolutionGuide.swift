internal import Demosaic
internal import Kernels
internal import PixelMemory
internal import RawImage

/// The demosaiced merged mosaic in three planes of codes: the guide that the samples of the frames are compared with.
final class SuperResolutionGuide {
    let width: Int
    let height: Int
    /// The relative sensitivity of red, green and blue: linear values times it are camera responses.
    let sensitivity: SIMD3<Float>
    private let codes: OwnedMemory<UInt16>

    /// The code of linear value 0. It is above 0 so that negative noise is not clipped.
    private static let zero: Float = 8192
    /// The number of codes from linear value 0 to full response.
    private static let range: Float = 56_000

    /// Demosaics the merged mosaic with a method that also suits the noise of `reference`, which remains where nothing
    /// was merged.
    init(
        _ mosaic: Mosaic, reference: FrameMetadata, cores: Int?, latch: CancelLatch
    ) throws(GscapError) {
        try mosaic.format.checkDemosaic(count: mosaic.codes.count)
        (width, height) = (mosaic.format.width, mosaic.format.height)
        sensitivity = SIMD3<Float>(mosaic.metadata.relativeSensitivity)
        codes = OwnedMemory(repeating: 0, count: 3 * width * height)
        let refines = try DemosaicPlan(reference, pattern: mosaic.format.pattern).refines
        let plan = try DemosaicPlan(
            mosaic.metadata, pattern: mosaic.format.pattern, method: refines ? .automatic : .fast)
        mosaic.codes.withView { source in
            let memory = ScratchMemoryPool()
            // Concurrent bands write to different rows.
            concurrentBands(rows: height, of: Demosaic.bandHeight, cores: cores) { rows in
                if latch.isCancelled { return }
                var lines = DemosaicLines(
                    codes: source, format: mosaic.format, plan: plan, memory: memory)
                lines.forEach(in: rows) { row, colors in store(colors, row) }
            }
        }
    }

    private func store(_ colors: DemosaicedRow, _ row: Int) {
        let scale = sensitivity * Self.range
        let (even, odd) = (colors.even, colors.odd)
        let cells = (width + 1) / 2
        func store(_ even: MemoryView<Float>, _ odd: MemoryView<Float>, _ color: Int) {
            unsafe storeGuide(
                even.pointer(cells), odd.pointer(width / 2), width, scale[color], Self.zero,
                codes(color, row).pointer(width))
        }
        store(even.red, odd.red, 0)
        store(even.green, odd.green, 1)
        store(even.blue, odd.blue, 2)
    }

    private func codes(_ color: Int, _ row: Int) -> MutableMemoryView<UInt16> {
        codes.view.part((color * height + row) * width, count: width)
    }

    /// Loads `count` pixels of a colour as linear values clipped at 1. The start may lie outside, where the edge pixel
    /// is repeated.
    func load(color: Int, x: Int, y: Int, count: Int, _ linear: MutableMemoryView<Float>) {
        let row = codes(color, y.clamped(to: 0...height - 1))
        let (first, last) = (x.clamped(to: 0...width - 1), (x + count - 1).clamped(to: 0...width - 1))
        let before = (first - x).clamped(to: 0...count - 1)
        let start = linear + before
        let known = min(last - first + 1, count)
        unsafe loadGuide(
            (row + first).pointer(known), known, 1 / (Self.range * sensitivity[color]), Self.zero,
            start.pointer(known))
        linear.update(repeating: start[0], count: before)
        (start + known).update(repeating: start[known - 1], count: count - before - known)
    }

    /// Adds to `count` values by how much the guide exceeds 1 there. All these pixels must lie inside the picture.
    func addExcess(color: Int, x: Int, y: Int, count: Int, _ linear: MutableMemoryView<Float>) {
        unsafe addGuideExcess(
            (codes(color, y) + x).pointer(count), count, 1 / (Self.range * sensitivity[color]), Self.zero,
            linear.pointer(count))
    }
}
