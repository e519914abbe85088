internal import Kernels
internal import RawImage

/// Gives rows of a preview their local gains.
@safe
final class GainedLines {
    private let gains: PreviewGains
    private let height: Int
    private let bases: [UInt32]
    private let shares: [Float]
    private let block: Int
    /// The tables of the rows under way, and which those are.
    private let tables: UnsafeMutablePointer<Float>
    private var group = -1
    /// For a block: three colours, gains, and where these stand.
    private let lines: UnsafeMutablePointer<Float>
    private let places: UnsafeMutablePointer<UInt32>

    /// Rows that share their tables: so near to each other these hardly differ.
    private static let groupHeight = 4

    /// Lines for a preview of a size, made a block of pixels at a time.
    init(_ gains: PreviewGains, width: Int, height: Int, block: Int) {
        self.gains = gains
        self.height = height
        self.block = block
        (bases, shares) = gains.columns(width)
        unsafe tables = .allocate(capacity: gains.rowLength)
        unsafe tables.initialize(repeating: 1, count: gains.rowLength)
        unsafe lines = .allocate(capacity: 4 * block)
        unsafe lines.initialize(repeating: 0, count: 4 * block)
        unsafe places = .allocate(capacity: block)
        unsafe places.initialize(repeating: 0, count: block)
    }

    deinit {
        unsafe tables.deallocate()
        unsafe lines.deallocate()
        unsafe places.deallocate()
    }

    /// Gets ready for a row.
    func begin(_ row: Int) {
        guard row / Self.groupHeight != group else { return }
        group = row / Self.groupHeight
        let middle = Double(group * Self.groupHeight) + Double(Self.groupHeight) / 2
        unsafe gains.mix(at: middle / Double(height), into: tables)
    }

    /// The places on the display's curve of some pixels of the row, of their averaged cells.
    func mix(
        _ cells: UnsafePointer<UInt32>, _ mix: CellMix, _ pixels: Range<Int>, red: UnsafeMutablePointer<UInt16>,
        green: UnsafeMutablePointer<UInt16>, blue: UnsafeMutablePointer<UInt16>
    ) {
        let count = pixels.count
        let (inRed, inGreen, inBlue) = unsafe (lines, lines + block, lines + 2 * block)
        let factors = unsafe lines + 3 * block
        unsafe mixCellLight(
            cells, redShares: mix.shares.red, greenShares: mix.shares.green, blueShares: mix.shares.blue,
            bases: mix.bases, count: count, red: inRed, green: inGreen, blue: inBlue)
        unsafe bases.withUnsafeBufferPointer { bases in
            unsafe shares.withUnsafeBufferPointer { shares in
                guard let bases = bases.baseAddress, let shares = shares.baseAddress else { return }
                unsafe lookUpGains(
                    inRed, inGreen, inBlue, weights: gains.weights, leastWeight: gains.leastWeight,
                    mostWeight: gains.mostWeight, tables: tables, pitch: PreviewGains.pitch,
                    bases: bases + pixels.lowerBound, shares: shares + pixels.lowerBound, count: count,
                    indices: places, gains: factors)
            }
        }
        let rows = PreviewLook.toDisplay.rows
        unsafe mixGainedLight(
            inRed, inGreen, inBlue, gains: factors, redShares: SIMD3<Float>(rows.0), greenShares: SIMD3<Float>(rows.1),
            blueShares: SIMD3<Float>(rows.2), count: count, redIndices: red, greenIndices: green, blueIndices: blue)
    }
}
