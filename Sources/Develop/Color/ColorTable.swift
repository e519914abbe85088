internal import Kernels
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

    /// Applies the map to a row. `scale` converts values in the pipeline to the map's value index.
    func apply(_ row: ColorRow, scale: Float, count: Int) {
        unsafe shifts.withUnsafeBufferPointer { shifts in
            guard let shifts = shifts.baseAddress else { return }
            unsafe CurveTable.with(encode) { encode in
                unsafe CurveTable.with(decode) { decode in
                    unsafe applyHueSatMap(
                        row.red, row.green, row.blue, shifts: shifts, hues: map.hues, saturations: map.saturations,
                        values: map.values, valueScale: scale, encode: encode, decode: decode, count: count)
                }
            }
        }
    }
}

extension CurveTable {
    /// Calls `body` with a pointer to a table's steps; nil without a table.
    fileprivate static func with(_ table: CurveTable?, _ body: (UnsafePointer<Float>?) -> Void) {
        guard let table else { return body(nil) }
        unsafe table.steps.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
    }
}

/// Pointers to a row of red, green and blue values, with padding at both ends for whole SIMD vectors.
@unsafe
struct ColorRow {
    let red: UnsafeMutablePointer<Float>
    let green: UnsafeMutablePointer<Float>
    let blue: UnsafeMutablePointer<Float>

    /// Returns the row starting at a column.
    func advanced(by columns: Int) -> ColorRow {
        unsafe ColorRow(red: red + columns, green: green + columns, blue: blue + columns)
    }

    /// Calls `body` with the index and line of each channel.
    func withEach(_ body: (Int, UnsafeMutablePointer<Float>) -> Void) {
        unsafe body(0, red)
        unsafe body(1, green)
        unsafe body(2, blue)
    }

    /// Returns the line of channel 0 (red), 1 (green) or 2 (blue).
    subscript(plane: Int) -> UnsafeMutablePointer<Float> {
        unsafe plane == 0 ? red : plane == 1 ? green : blue
    }
}
