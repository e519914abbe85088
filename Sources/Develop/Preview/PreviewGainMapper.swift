internal import Kernels
internal import RawImage

/// Applies local gains to rows of a preview, a block of pixels at a time.
@safe
final class PreviewGainMapper {
    private let gains: PreviewGains
    private let height: Int
    private let bases: [UInt32]
    private let columnWeights: [Float]
    private let block: Int
    /// The interpolated gain tables, and the group of rows that they are for.
    private let tables: UnsafeMutablePointer<Float>
    private var group = -1
    /// Scratch memory for a block: red, green, blue and gains, and the table indices.
    private let lines: UnsafeMutablePointer<Float>
    private let tableIndices: UnsafeMutablePointer<UInt32>

    /// Rows that use the same vertically interpolated tables, because they hardly differ over so short a distance.
    private static let groupHeight = 4

    /// Creates a mapper for a preview of a size, processed in blocks of at most `block` pixels.
    init(_ gains: PreviewGains, width: Int, height: Int, block: Int) {
        self.gains = gains
        self.height = height
        self.block = block
        (bases, columnWeights) = gains.columns(width)
        unsafe tables = .allocate(capacity: gains.rowLength)
        unsafe tables.initialize(repeating: 1, count: gains.rowLength)
        unsafe lines = .allocate(capacity: 4 * block)
        unsafe lines.initialize(repeating: 0, count: 4 * block)
        unsafe tableIndices = .allocate(capacity: block)
        unsafe tableIndices.initialize(repeating: 0, count: block)
    }

    deinit {
        unsafe tables.deallocate()
        unsafe lines.deallocate()
        unsafe tableIndices.deallocate()
    }

    /// Prepares the gain tables for a row.
    func begin(_ row: Int) {
        guard row / Self.groupHeight != group else { return }
        group = row / Self.groupHeight
        let centre = Double(group * Self.groupHeight) + Double(Self.groupHeight) / 2
        unsafe gains.mix(at: centre / Double(height), into: tables)
    }

    /// Converts averaged cells of the current row to indices into the display curve, with local gains applied.
    /// `pixels` are the columns.
    func mix(
        _ cells: UnsafePointer<UInt32>, _ matrix: CellMatrix, _ pixels: Range<Int>, red: UnsafeMutablePointer<UInt16>,
        green: UnsafeMutablePointer<UInt16>, blue: UnsafeMutablePointer<UInt16>
    ) {
        let count = pixels.count
        let (inRed, inGreen, inBlue) = unsafe (lines, lines + block, lines + 2 * block)
        let factors = unsafe lines + 3 * block
        unsafe mixCellLinear(
            cells, redWeights: matrix.weights.red, greenWeights: matrix.weights.green, blueWeights: matrix.weights.blue,
            bases: matrix.offsets, count: count, red: inRed, green: inGreen, blue: inBlue)
        unsafe bases.withUnsafeBufferPointer { bases in
            unsafe columnWeights.withUnsafeBufferPointer { weights in
                guard let bases = bases.baseAddress, let weights = weights.baseAddress else { return }
                unsafe lookUpGains(
                    inRed, inGreen, inBlue, weights: gains.weights, leastWeight: gains.leastWeight,
                    mostWeight: gains.mostWeight, tables: tables, pitch: PreviewGains.pitch,
                    bases: bases + pixels.lowerBound, shares: weights + pixels.lowerBound, count: count,
                    indices: tableIndices, gains: factors)
            }
        }
        let rows = PreviewLook.toDisplay.rows
        unsafe mixGainedLinear(
            inRed, inGreen, inBlue, gains: factors, redWeights: SIMD3<Float>(rows.0),
            greenWeights: SIMD3<Float>(rows.1),
            blueWeights: SIMD3<Float>(rows.2), count: count, redIndices: red, greenIndices: green, blueIndices: blue)
    }
}
