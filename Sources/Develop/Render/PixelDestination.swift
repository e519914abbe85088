internal import Kernels
internal import RawImage

/// The memory that receives a rendered picture, by sample format.
@unsafe
enum PixelDestination {
    case bytes(UnsafeMutablePointer<UInt8>)
    case words(UnsafeMutablePointer<UInt16>)
    case halves(UnsafeMutablePointer<Float16>)
    case display(UnsafeMutablePointer<UInt8>, DisplayFormat)
    case strip(StripBuffer)

    /// Whether samples are bytes.
    var isBytes: Bool {
        switch unsafe self {
        case .bytes, .display, .strip: true
        case .words, .halves: false
        }
    }
}

/// The address arithmetic that applies an EXIF orientation while samples are stored, in elements of the destination.
struct PixelStrides {
    /// The offset of the first pixel of the first row, before rotation.
    let start: Int
    /// The offset from one pixel of a row to the next.
    let across: Int
    /// The offset from one row to the next.
    let down: Int

    /// `pixel` and `row` are the pixel and row strides of the destination.
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

/// A reusable buffer of 8-bit RGB rows, passed to a closure each time it is full. For orientation 1 only.
@safe
final class StripBuffer {
    private let rows: Range<Int>
    private let height: Int
    private let bytesInRow: Int
    private let memory: ScratchMemoryPool
    private let lines: UnsafeMutablePointer<Float>
    private let deliver: (Span<UInt8>) -> Void

    /// Creates a buffer of `height` rows at a time that delivers the rows `rows` to `deliver` in order.
    init(
        _ rows: Range<Int>, width: Int, height: Int, _ memory: ScratchMemoryPool,
        _ deliver: @escaping (Span<UInt8>) -> Void
    ) {
        (self.rows, self.memory, self.deliver) = (rows, memory, deliver)
        self.height = min(height, rows.count)
        bytesInRow = width * Picture.channels
        unsafe lines = memory.take(Self.count(self.height * bytesInRow))
    }

    deinit { unsafe memory.give(lines, Self.count(height * bytesInRow)) }

    /// Returns how many `Float`s provide `bytes` bytes of memory.
    private static func count(_ bytes: Int) -> Int { bytes / MemoryLayout<Float>.size + 1 }

    private var bytes: UnsafeMutablePointer<UInt8> {
        unsafe UnsafeMutableRawPointer(lines).assumingMemoryBound(to: UInt8.self)
    }

    /// Returns the memory for a row; rows must be stored in ascending order.
    func row(_ row: Int) -> UnsafeMutablePointer<UInt8> {
        unsafe bytes + (row - rows.lowerBound) % height * bytesInRow
    }

    /// Marks a row as stored, and delivers the buffer if that was its last row.
    func finish(_ row: Int) {
        let filled = (row - rows.lowerBound) % height + 1
        guard filled == height || row == rows.upperBound - 1 else { return }
        deliver(unsafe UnsafeBufferPointer(start: bytes, count: filled * bytesInRow).span)
    }
}
