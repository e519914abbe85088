internal import Glibc

/// Scratch memory for the tiles of one thread, with two constant tables.
@unsafe struct TileScratch {
    private let memory: UnsafeMutablePointer<SIMD16<Float>>
    private let codes: UnsafeMutablePointer<UInt16>

    private static let rows = 64 + 64 + 190 + 16 + 16 + 1 + 1 + 16

    init() {
        unsafe memory = .allocate(capacity: Self.rows)
        unsafe memory.initialize(repeating: .zero, count: Self.rows)
        unsafe codes = .allocate(capacity: 2 * TileSource.largest)
        unsafe codes.initialize(repeating: 0, count: 2 * TileSource.largest)
        for row in 0..<16 {
            for lane in 0..<16 {
                unsafe memory[352 + row][lane] = hypotf(Float(min(row, 16 - row)), Float(min(lane, 16 - lane)))
            }
        }
        for lane in 0..<16 { unsafe memory[351][lane] = 0.5 - 0.5 * cosf((Float(lane) + 0.5) * .pi / 8) }
    }

    func deallocate() {
        unsafe memory.deallocate()
        unsafe codes.deallocate()
    }

    /// Returns rows of 16 values as consecutive numbers.
    static func floats(_ rows: UnsafeMutablePointer<SIMD16<Float>>) -> UnsafeMutablePointer<Float> {
        unsafe UnsafeMutableRawPointer(rows).assumingMemoryBound(to: Float.self)
    }

    var tile: UnsafeMutablePointer<SIMD16<Float>> { unsafe memory }
    var otherTile: UnsafeMutablePointer<SIMD16<Float>> { unsafe memory + 64 }
    var kernelScratch: UnsafeMutablePointer<SIMD16<Float>> { unsafe memory + 128 }
    var excess: UnsafeMutablePointer<SIMD16<Float>> { unsafe memory + 318 }
    var otherExcess: UnsafeMutablePointer<SIMD16<Float>> { unsafe memory + 334 }
    /// The power that interpolation leaves at each horizontal frequency: one row.
    var rowPower: UnsafeMutablePointer<SIMD16<Float>> { unsafe memory + 350 }
    /// A raised-cosine window of 16 values; those of overlapping tiles add up to 1.
    var window: UnsafePointer<Float> {
        unsafe UnsafePointer(Self.floats(memory + 351))
    }
    /// The distance of each frequency from frequency 0, in 16 rows.
    var distances: UnsafePointer<SIMD16<Float>> { unsafe UnsafePointer(memory + 352) }
    /// The codes of a frame's block that extends beyond the frame.
    var block: UnsafeMutablePointer<UInt16> { unsafe codes }
    /// The codes of the reference's block that extends beyond the frame.
    var referenceBlock: UnsafeMutablePointer<UInt16> { unsafe codes + TileSource.largest }
}
