internal import Kernels
internal import RawImage

/// Where the numbers of a finished picture go, and in which form.
@unsafe
enum PixelStore {
    case bytes(UnsafeMutablePointer<UInt8>)
    case words(UnsafeMutablePointer<UInt16>)
    case halves(UnsafeMutablePointer<Float16>)
    case display(UnsafeMutablePointer<UInt8>, DisplayFormat)
    case strip(PixelStrip)

    /// Whether numbers are bytes.
    var isBytes: Bool {
        switch unsafe self {
        case .bytes, .display, .strip: true
        case .words, .halves: false
        }
    }
}

/// The way from a pixel to the next in memory, and to the next row, for a picture that is turned.
struct PixelSteps {
    /// The first pixel of the first row.
    let start: Int
    /// From pixel to pixel of a row.
    let across: Int
    /// From row to row.
    let down: Int

    /// `pixel` and `row` are the steps of the picture as it lies in memory.
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
}

/// Some rows of an upright picture of bytes, which are handed on when they are full and then hold the next.
@safe
final class PixelStrip {
    private let rows: Range<Int>
    private let height: Int
    private let bytesInRow: Int
    private let memory: LineMemory
    private let lines: UnsafeMutablePointer<Float>
    private let take: (Span<UInt8>) -> Void

    /// A strip of so many of some rows at a time.
    init(
        _ rows: Range<Int>, width: Int, height: Int, _ memory: LineMemory, _ take: @escaping (Span<UInt8>) -> Void
    ) {
        (self.rows, self.memory, self.take) = (rows, memory, take)
        self.height = min(height, rows.count)
        bytesInRow = width * Picture.channels
        unsafe lines = memory.take(Self.count(self.height * bytesInRow))
    }

    deinit { unsafe memory.give(lines, Self.count(height * bytesInRow)) }

    /// Numbers that hold so many bytes.
    private static func count(_ bytes: Int) -> Int { bytes / MemoryLayout<Float>.size + 1 }

    private var bytes: UnsafeMutablePointer<UInt8> {
        unsafe UnsafeMutableRawPointer(lines).assumingMemoryBound(to: UInt8.self)
    }

    /// Where a row goes.
    func row(_ row: Int) -> UnsafeMutablePointer<UInt8> {
        unsafe bytes + (row - rows.lowerBound) % height * bytesInRow
    }

    /// Is told that a row is there.
    func finish(_ row: Int) {
        let filled = (row - rows.lowerBound) % height + 1
        guard filled == height || row == rows.upperBound - 1 else { return }
        take(unsafe UnsafeBufferPointer(start: bytes, count: filled * bytesInRow).span)
    }
}
