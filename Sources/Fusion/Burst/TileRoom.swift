internal import Glibc

/// The memory that work on one tile after another needs.
@unsafe struct TileRoom {
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

    /// Rows as their lanes one after the other.
    static func floats(_ rows: UnsafeMutablePointer<SIMD16<Float>>) -> UnsafeMutablePointer<Float> {
        unsafe UnsafeMutableRawPointer(rows).assumingMemoryBound(to: Float.self)
    }

    var tile: UnsafeMutablePointer<SIMD16<Float>> { unsafe memory }
    var otherTile: UnsafeMutablePointer<SIMD16<Float>> { unsafe memory + 64 }
    var scratch: UnsafeMutablePointer<SIMD16<Float>> { unsafe memory + 128 }
    var excess: UnsafeMutablePointer<SIMD16<Float>> { unsafe memory + 318 }
    var otherExcess: UnsafeMutablePointer<SIMD16<Float>> { unsafe memory + 334 }
    /// One row.
    var rowPower: UnsafeMutablePointer<SIMD16<Float>> { unsafe memory + 350 }
    /// A row: a raised cosine; those of tiles side by side add up to 1.
    var window: UnsafePointer<Float> {
        unsafe UnsafePointer(Self.floats(memory + 351))
    }
    /// How far each frequency is from 0.
    var distances: UnsafePointer<SIMD16<Float>> { unsafe UnsafePointer(memory + 352) }
    /// Codes of a tile at the edge.
    var block: UnsafeMutablePointer<UInt16> { unsafe codes }
    /// The reference's.
    var referenceBlock: UnsafeMutablePointer<UInt16> { unsafe codes + TileSource.largest }
}
