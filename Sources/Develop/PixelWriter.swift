internal import Kernels

/// Looks colours up in the display's curve and writes them in a layout's order of bytes.
@safe
struct PixelWriter {
    private let layout: PixelLayout
    private let curve: UnsafePointer<UInt8>

    /// A writer over a curve that stays in place as long as the writer is used.
    init(layout: PixelLayout, curve: UnsafePointer<UInt8>) {
        self.layout = layout
        unsafe self.curve = unsafe curve
    }

    /// Writes `count` pixels, `step` pixels apart.
    func write(
        red: UnsafePointer<UInt16>, green: UnsafePointer<UInt16>, blue: UnsafePointer<UInt16>, count: Int,
        step: Int, to bytes: UnsafeMutablePointer<UInt8>
    ) {
        let offsets = layout.offsets
        if layout.bytes == 4 {
            unsafe storeWidePixels(
                red, green, blue, count: count, curve: curve, redShift: UInt32(8 * offsets.red),
                greenShift: UInt32(8 * offsets.green), blueShift: UInt32(8 * offsets.blue), step: step,
                to: UnsafeMutableRawPointer(bytes))
        } else {
            unsafe storePixels(
                red, green, blue, count: count, curve: curve, redOffset: offsets.red,
                greenOffset: offsets.green, blueOffset: offsets.blue, step: step, to: bytes)
        }
    }
}
