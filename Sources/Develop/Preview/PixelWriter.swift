internal import Kernels

/// Encodes pixels by the display curve and stores them in a display byte order.
@safe
struct PixelWriter {
    private let layout: DisplayPixelFormat
    private let curve: UnsafePointer<UInt8>
    private let words: UnsafePointer<UInt32>

    /// Calls `body` with a writer that is valid only during the call.
    static func with(_ layout: DisplayPixelFormat, _ curve: PreviewCurve, _ body: (PixelWriter) -> Void) {
        unsafe curve.bytes.withUnsafeBufferPointer { bytes in
            unsafe curve.words.withUnsafeBufferPointer { words in
                guard let curve = bytes.baseAddress, let words = words.baseAddress else { return }
                unsafe body(PixelWriter(layout: layout, curve: curve, words: words))
            }
        }
    }

    /// Bytes per pixel.
    var bytesPerPixel: Int { layout.bytes }

    /// Stores `count` pixels, `step` pixels apart, from their indices into the display curve.
    func write(
        red: UnsafePointer<UInt16>, green: UnsafePointer<UInt16>, blue: UnsafePointer<UInt16>, count: Int,
        step: Int, to bytes: UnsafeMutablePointer<UInt8>
    ) {
        let offsets = layout.offsets
        if layout.bytes == 4 {
            let length = DisplayCurve.table.count
            unsafe storeWidePixels(
                red, green, blue, count: count, redWords: words + offsets.red * length,
                greenWords: words + offsets.green * length, blueWords: words + offsets.blue * length, step: step,
                to: UnsafeMutableRawPointer(bytes))
        } else {
            unsafe storePixels(
                red, green, blue, count: count, curve: curve, redOffset: offsets.red,
                greenOffset: offsets.green, blueOffset: offsets.blue, step: step, to: bytes)
        }
    }
}
