internal import Kernels
internal import PixelMemory
internal import RawImage

/// The memory that receives a rendered picture, by sample format.
enum PixelDestination {
    case bytes(MutableMemoryView<UInt8>)
    case words(MutableMemoryView<UInt16>)
    case halves(MutableMemoryView<Float16>)
    case display(MutableMemoryView<UInt8>, DisplayFormat)
    case strip(StripBuffer)

    /// Whether the samples of the destination are 8-bit integers.
    var isBytes: Bool {
        switch self {
        case .bytes, .display, .strip: true
        case .words, .halves: false
        }
    }
}

/// The address arithmetic that applies an EXIF orientation while samples are stored, in elements of the destination.
struct PixelStrides {
    /// The offset in the destination of the first pixel of the first rendered row (before the orientation is applied).
    let start: Int
    /// The offset in the destination from one pixel of a rendered row to the next; negative if the orientation mirrors
    /// it.
    let across: Int
    /// The offset in the destination from one rendered row to the next; negative if the orientation mirrors it.
    let down: Int

    /// Computes the offsets for the orientation of a frame. `pixel` and `row` are the distances from one pixel and row
    /// of the destination to the next, in elements.
    init(_ frame: RenderFrame, pixel: Int, row: Int) {
        let (right, bottom) = (frame.width - 1, frame.height - 1)
        switch frame.orientation {
        case 2: (start, across, down) = (right * pixel, -pixel, row)
        case 3: (start, across, down) = (right * pixel + bottom * row, -pixel, -row)
        case 4: (start, across, down) = (bottom * row, pixel, -row)
        case 5: (start, across, down) = (0, row, pixel)
        case 6: (start, across, down) = (bottom * pixel, row, -pixel)
        case 7: (start, across, down) = (bottom * pixel + right * row, -row, -pixel)
        case 8: (start, across, down) = (right * row, -row, pixel)
        default: (start, across, down) = (0, pixel, row)
        }
    }

    /// Returns the offsets from a pixel to the end of the last of `count` pixels of a row, of `size` elements each.
    func range(_ count: Int, of size: Int) -> Range<Int> {
        let last = (count - 1) * across
        return min(0, last)..<max(0, last) + size
    }
}

/// A reusable buffer of 8-bit RGB rows, passed to a closure each time it is full. For orientation 1 only.
final class StripBuffer {
    private let rows: Range<Int>
    private let height: Int
    private let bytesInRow: Int
    private let lines: ScratchMemory
    private let deliver: (Span<UInt8>) -> Void

    /// Creates a buffer of `height` rows at a time that delivers the rows `rows` to `deliver` in order.
    init(
        _ rows: Range<Int>, width: Int, height: Int, _ memory: ScratchMemoryPool,
        _ deliver: @escaping (Span<UInt8>) -> Void
    ) {
        (self.rows, self.deliver) = (rows, deliver)
        self.height = min(height, rows.count)
        bytesInRow = width * Picture.channels
        lines = memory.take(Self.count(self.height * bytesInRow))
    }

    /// Returns how many `Float`s provide `bytes` bytes of memory.
    private static func count(_ bytes: Int) -> Int { bytes / MemoryLayout<Float>.size + 1 }

    private var bytes: MutableMemoryView<UInt8> {
        lines.view.rebound(to: UInt8.self).part(0, count: height * bytesInRow)
    }

    /// Returns the memory for a row; rows must be stored in ascending order.
    func row(_ row: Int) -> MutableMemoryView<UInt8> {
        bytes + (row - rows.lowerBound) % height * bytesInRow
    }

    /// Marks a row as stored; delivers the buffered rows if the buffer is now full or the row is the last of all.
    func finish(_ row: Int) {
        let filled = (row - rows.lowerBound) % height + 1
        guard filled == height || row == rows.upperBound - 1 else { return }
        MemoryView(bytes.part(0, count: filled * bytesInRow)).withSpan(deliver)
    }
}
