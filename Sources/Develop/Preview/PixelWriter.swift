internal import Kernels
internal import PixelMemory

/// Encodes pixels by the display curve and stores them in a display byte order.
struct PixelWriter {
    private let layout: DisplayPixelFormat
    private let curve: MemoryView<UInt8>
    private let words: MemoryView<UInt32>

    /// Calls `body` with a writer for a byte order and a display curve; the writer is valid only during the call.
    static func with(_ layout: DisplayPixelFormat, _ curve: PreviewCurve, _ body: (PixelWriter) -> Void) {
        curve.bytes.withView { bytes in
            curve.words.withView { words in body(PixelWriter(layout: layout, curve: bytes, words: words)) }
        }
    }

    /// Bytes per pixel.
    var bytesPerPixel: Int { layout.bytes }

    /// Stores `count` pixels, `step` pixels apart in `bytes`: looks up each channel's index (`red`, `green`, `blue`) in
    /// the display curve.
    func write(
        red: MutableMemoryView<UInt16>, green: MutableMemoryView<UInt16>, blue: MutableMemoryView<UInt16>, count: Int,
        step: Int, to bytes: MutableMemoryView<UInt8>
    ) {
        let offsets = layout.offsets
        if layout.bytes == 4 {
            let length = DisplayCurve.table.count
            unsafe storeWidePixels(
                red.pointer(count), green.pointer(count), blue.pointer(count), count: count,
                redWords: (words + offsets.red * length).pointer(length),
                greenWords: (words + offsets.green * length).pointer(length),
                blueWords: (words + offsets.blue * length).pointer(length), step: step,
                to: bytes.pointer(4 * ((count - 1) * step + 1)))
        } else {
            unsafe storePixels(
                red.pointer(count), green.pointer(count), blue.pointer(count), count: count,
                curve: curve.pointer(DisplayCurve.table.count), redOffset: offsets.red, greenOffset: offsets.green,
                blueOffset: offsets.blue, step: step, to: bytes.pointer(3 * ((count - 1) * step + 1)))
        }
    }
}
