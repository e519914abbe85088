internal import Glibc
internal import KernelTypes
internal import PixelMemory

/// Scratch memory for the tiles of one thread, with constant tables.
struct TileScratch: ~Copyable {
    private let memory = OwnedMemory(repeating: SIMD16<Float>.zero, count: Self.rows)
    private let codes = OwnedMemory<UInt16>(repeating: 0, count: 2 * TileSource.largest)

    // The first rows of the parts of the memory.
    private static let tileRow = 0
    private static let otherTileRow = tileRow + BurstTile.rows
    private static let kernelRow = otherTileRow + BurstTile.rows
    private static let kernelRows = max(
        BurstTile.subtractRows, BurstTile.rows, BurstTile.energyRows, BurstTile.denoisingRows)
    private static let excessRow = kernelRow + kernelRows
    private static let otherExcessRow = excessRow + BurstTile.planeSide
    private static let powerRow = otherExcessRow + BurstTile.planeSide
    private static let windowRow = powerRow + 1
    private static let halfWindowRow = windowRow + 1
    private static let shiftRow = halfWindowRow + 1
    private static let rows = shiftRow + 2

    init() {
        let memory = memory.view
        for lane in 0..<16 {
            memory[Self.windowRow][lane] = 0.5 - 0.5 * cosf((Float(lane) + 0.5) * .pi / 8)
            memory[Self.halfWindowRow][lane] = sinf((Float(lane) + 0.5) * .pi / 16)
            // The phase of the highest frequency has no sign, so it is not turned.
            let frequency = lane == 8 ? 0 : Float(lane < 8 ? lane : lane - 16)
            memory[Self.shiftRow][lane] = cosf(frequency * .pi / 16)
            memory[Self.shiftRow + 1][lane] = sinf(frequency * .pi / 16)
        }
    }

    private func part(_ row: Int, _ rows: Int) -> MutableMemoryView<SIMD16<Float>> {
        memory.view.part(row, count: rows)
    }

    /// The four planes of a tile: differences from the reference, then their frequencies or their correction.
    var tile: MutableMemoryView<SIMD16<Float>> { part(Self.tileRow, BurstTile.rows) }
    /// A second tile: the difference with all colours together.
    var otherTile: MutableMemoryView<SIMD16<Float>> { part(Self.otherTileRow, BurstTile.rows) }
    /// The scratch memory of the kernels.
    var kernelScratch: MutableMemoryView<SIMD16<Float>> { part(Self.kernelRow, Self.kernelRows) }
    /// For each frequency of `tile` the excess of its energy over noise, then its weight; in the end its remaining
    /// fraction of the noise variance.
    var excess: MutableMemoryView<SIMD16<Float>> { part(Self.excessRow, BurstTile.planeSide) }
    /// The excess of each frequency of `otherTile` over noise.
    var otherExcess: MutableMemoryView<SIMD16<Float>> { part(Self.otherExcessRow, BurstTile.planeSide) }
    /// The power that interpolation leaves at each horizontal frequency: one row.
    var rowPower: MutableMemoryView<SIMD16<Float>> { part(Self.powerRow, 1) }
    /// A raised-cosine window of 16 values; those of overlapping tiles add up to 1.
    var window: MutableMemoryView<Float> { part(Self.windowRow, 1).rebound(to: Float.self) }
    /// The square roots of `window`, for a window that is applied twice.
    var halfWindow: MutableMemoryView<Float> { part(Self.halfWindowRow, 1).rebound(to: Float.self) }
    /// The cosines and the sines of the phases by which half a Bayer cell turns the 16 frequencies.
    var shifts: MutableMemoryView<Float> { part(Self.shiftRow, 2).rebound(to: Float.self) }
    /// The codes of a frame's block that extends beyond the frame.
    var block: MutableMemoryView<UInt16> { codes.view.part(0, count: TileSource.largest) }
    /// The codes of the reference's block that extends beyond the frame.
    var referenceBlock: MutableMemoryView<UInt16> { codes.view.part(TileSource.largest, count: TileSource.largest) }
}
