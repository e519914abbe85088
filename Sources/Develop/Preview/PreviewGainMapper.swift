internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

/// Applies local gains to rows of a preview, a block of pixels at a time.
final class PreviewGainMapper {
    private let gains: PreviewGains
    private let height: Int
    private let bases: [UInt32]
    private let columnWeights: [Float]
    private let block: Int
    /// A row of gain tables, interpolated vertically for a group of preview rows.
    private let tables: OwnedMemory<Float>
    /// The number of the group of rows that `tables` is for; -1 before the first.
    private var group = -1
    /// Scratch memory for the pixels of a block: red, green, blue and gains.
    private let lines: OwnedMemory<Float>
    /// Scratch memory for the pixels of a block: indices into `tables`.
    private let tableIndices: OwnedMemory<UInt32>

    /// The number of consecutive preview rows that use the same vertically interpolated gain tables, which hardly
    /// differ over so few rows.
    private static let groupHeight = 4

    /// Creates a mapper for a preview of a size, processed in blocks of at most `block` pixels.
    init(_ gains: PreviewGains, width: Int, height: Int, block: Int) {
        self.gains = gains
        self.height = height
        self.block = block
        (bases, columnWeights) = gains.columns(width)
        tables = OwnedMemory(repeating: 1, count: gains.rowLength)
        lines = OwnedMemory(repeating: 0, count: 4 * block)
        tableIndices = OwnedMemory(repeating: 0, count: block)
    }

    /// Interpolates the gain tables for a preview row, unless they are still those of its group of rows.
    func begin(_ row: Int) {
        guard row / Self.groupHeight != group else { return }
        group = row / Self.groupHeight
        let centre = Double(group * Self.groupHeight) + Double(Self.groupHeight) / 2
        gains.mix(at: centre / Double(height), into: tables.view)
    }

    /// Converts averaged cells of the current row to indices into the display curve, with local gains applied. `pixels`
    /// are the columns of the preview, one cell each.
    func mix(
        _ cells: MutableMemoryView<UInt32>, _ matrix: CellMatrix, _ pixels: Range<Int>, red: MutableMemoryView<UInt16>,
        green: MutableMemoryView<UInt16>, blue: MutableMemoryView<UInt16>
    ) {
        let count = pixels.count
        let (inRed, inGreen) = (lines.view.part(0, count: block), lines.view.part(block, count: block))
        let (inBlue, factors) = (lines.view.part(2 * block, count: block), lines.view.part(3 * block, count: block))
        unsafe mixCellLinear(
            cells.pointer(2 * count), redWeights: matrix.weights.red, greenWeights: matrix.weights.green,
            blueWeights: matrix.weights.blue, bases: matrix.offsets, count: count, red: inRed.pointer(count),
            green: inGreen.pointer(count), blue: inBlue.pointer(count))
        bases.withView { bases in
            columnWeights.withView { weights in
                unsafe lookUpGains(
                    inRed.pointer(vectors: count), inGreen.pointer(vectors: count), inBlue.pointer(vectors: count),
                    weights: gains.weights,
                    tables: GainTables(
                        tables.view.pointer(gains.rowLength), pitch: PreviewGains.pitch,
                        bases: (bases + pixels.lowerBound).pointer(vectors: count),
                        rightWeights: (weights + pixels.lowerBound).pointer(count)),
                    count: count, indices: tableIndices.view.pointer(vectors: count), gains: factors.pointer(count))
            }
        }
        let rows = PreviewLook.toDisplay.rows
        unsafe mixGainedLinear(
            inRed.pointer(count), inGreen.pointer(count), inBlue.pointer(count), gains: factors.pointer(count),
            redWeights: SIMD3<Float>(rows.0), greenWeights: SIMD3<Float>(rows.1), blueWeights: SIMD3<Float>(rows.2),
            count: count, redIndices: red.pointer(count), greenIndices: green.pointer(count),
            blueIndices: blue.pointer(count))
    }
}
