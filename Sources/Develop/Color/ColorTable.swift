internal import Kernels
internal import PixelMemory
internal import RawImage

/// A hue/saturation/value map (DNG ProfileHueSatMap or ProfileLookTable) in the form that the kernel reads: hue
/// shifts in units of 60 degrees, saturation and value scales.
struct ColorTable: Sendable {
    private let map: HueSatMap
    private let shifts: [Float]
    private let encode: CurveTable?
    private let decode: CurveTable?

    init(_ map: HueSatMap) {
        self.map = map
        shifts = map.shifts.flatMap { [$0.x / 60, $0.y, $0.z] }
        encode = map.isEncoded ? CurveTable { DisplayCurve.encoded($0) } : nil
        decode = map.isEncoded ? CurveTable { DisplayCurve.decoded($0) } : nil
    }

    /// Applies the map to a row. `scale` is the factor from the row's values to values before exposure, which the map
    /// is indexed by; `count` is the number of pixels.
    func apply(_ row: ColorRow, scale: Float, count: Int) {
        unsafe applyHueSatMap(
            row.red.pointer(vectors: count), row.green.pointer(vectors: count), row.blue.pointer(vectors: count),
            shifts: shifts, hues: map.hues, saturations: map.saturations, values: map.values, valueScale: scale,
            encode: encode?.steps, decode: decode?.steps, count: count)
    }
}

/// A row of red, green and blue values, with padding at both ends for whole SIMD vectors.
struct ColorRow {
    let red: MutableMemoryView<Float>
    let green: MutableMemoryView<Float>
    let blue: MutableMemoryView<Float>

    /// Returns the row starting at a column.
    func advanced(by columns: Int) -> ColorRow {
        ColorRow(red: red + columns, green: green + columns, blue: blue + columns)
    }

    /// Calls `body` with the index and line of each channel.
    func withEach(_ body: (Int, MutableMemoryView<Float>) -> Void) {
        body(0, red)
        body(1, green)
        body(2, blue)
    }

    /// Returns the line of channel 0 (red), 1 (green) or 2 (blue).
    subscript(plane: Int) -> MutableMemoryView<Float> {
        plane == 0 ? red : plane == 1 ? green : blue
    }
}
