internal import Glibc
internal import KernelTypes

/// Scratch memory for the tiles of one thread, with two constant tables.
@unsafe struct TileScratch {
    private let memory: UnsafeMutablePointer<SIMD16<Float>>
    private let codes: UnsafeMutablePointer<UInt16>

    // The first rows of the parts of the memory.
    private static let tileRow = 0
    private static let otherTileRow = tileRow + BurstTile.rows
    private static let kernelRow = otherTileRow + BurstTile.rows
    private static let excessRow = kernelRow + max(BurstTile.subtractRows, BurstTile.rows, BurstTile.energyRows)
    private static let otherExcessRow = excessRow + BurstTile.planeSide
    private static let powerRow = otherExcessRow + BurstTile.planeSide
    private static let windowRow = powerRow + 1
    private static let distanceRow = windowRow + 1
    private static let rows = distanceRow + BurstTile.planeSide

    init() {
        unsafe memory = .allocate(capacity: Self.rows)
        unsafe memory.initialize(repeating: .zero, count: Self.rows)
        unsafe codes = .allocate(capacity: 2 * TileSource.largest)
        unsafe codes.initialize(repeating: 0, count: 2 * TileSource.largest)
        for row in 0..<16 {
            for lane in 0..<16 {
                unsafe memory[Self.distanceRow + row][lane] = hypotf(
                    Float(min(row, 16 - row)), Float(min(lane, 16 - lane)))
            }
        }
        for lane in 0..<16 {
            unsafe memory[Self.windowRow][lane] = 0.5 - 0.5 * cosf((Float(lane) + 0.5) * .pi / 8)
        }
    }

    func deallocate() {
        unsafe memory.deallocate()
        unsafe codes.deallocate()
    }

    /// Returns rows of 16 values as consecutive numbers.
    static func floats(_ rows: UnsafeMutablePointer<SIMD16<Float>>) -> UnsafeMutablePointer<Float> {
        unsafe UnsafeMutableRawPointer(rows).assumingMemoryBound(to: Float.self)
    }

    var tile: UnsafeMutablePointer<SIMD16<Float>> { unsafe memory + Self.tileRow }
    var otherTile: UnsafeMutablePointer<SIMD16<Float>> { unsafe memory + Self.otherTileRow }
    var kernelScratch: UnsafeMutablePointer<SIMD16<Float>> { unsafe memory + Self.kernelRow }
    var excess: UnsafeMutablePointer<SIMD16<Float>> { unsafe memory + Self.excessRow }
    var otherExcess: UnsafeMutablePointer<SIMD16<Float>> { unsafe memory + Self.otherExcessRow }
    /// The power that interpolation leaves at each horizontal frequency: one row.
    var rowPower: UnsafeMutablePointer<SIMD16<Float>> { unsafe memory + Self.powerRow }
    /// A raised-cosine window of 16 values; those of overlapping tiles add up to 1.
    var window: UnsafePointer<Float> {
        unsafe UnsafePointer(Self.floats(memory + Self.windowRow))
    }
    /// The distance of each frequency from frequency 0, in 16 rows.
    var distances: UnsafePointer<SIMD16<Float>> { unsafe UnsafePointer(memory + Self.distanceRow) }
    /// The codes of a frame's block that extends beyond the frame.
    var block: UnsafeMutablePointer<UInt16> { unsafe codes }
    /// The codes of the reference's block that extends beyond the frame.
    var referenceBlock: UnsafeMutablePointer<UInt16> { unsafe codes + TileSource.largest }
}
