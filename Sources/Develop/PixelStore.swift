internal import Kernels
internal import RawImage

/// Where the numbers of a finished picture go, and in which form.
@unsafe
enum PixelStore {
    case bytes(UnsafeMutablePointer<UInt8>)
    case words(UnsafeMutablePointer<UInt16>)
    case halves(UnsafeMutablePointer<Float16>)
    case display(UnsafeMutablePointer<UInt8>, DisplayFormat)

    /// Whether numbers are bytes.
    var isBytes: Bool {
        switch unsafe self {
        case .bytes, .display: true
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

    /// `pixel` and `row` are the steps of the picture as it lies in memory, of which that of an upright one may begin with
    /// a later row.
    init(_ frame: RenderFrame, pixel: Int, row: Int, firstRow: Int) {
        let (right, bottom) = (frame.width - 1, frame.height - 1)
        switch frame.orientation {
        case 2: (start, across, down) = (right * pixel, -pixel, row)
        case 3: (start, across, down) = (right * pixel + bottom * row, -pixel, -row)
        case 4: (start, across, down) = (bottom * row, pixel, -row)
        case 5: (start, across, down) = (0, row, pixel)
        case 6: (start, across, down) = (bottom * pixel, row, -pixel)
        case 7: (start, across, down) = (bottom * pixel + right * row, -row, -pixel)
        case 8: (start, across, down) = (right * row, -row, pixel)
        default: (start, across, down) = (-firstRow * row, pixel, row)
        }
    }
}
