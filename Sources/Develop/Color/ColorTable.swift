internal import Kernels
internal import RawImage

/// A map of hue, saturation and value as the kernel wants it.
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

    /// Moves a row of colours; `scale` takes their values to the map's.
    func apply(_ row: ColorRow, scale: Float, count: Int) {
        unsafe shifts.withUnsafeBufferPointer { shifts in
            guard let shifts = shifts.baseAddress else { return }
            unsafe CurveTable.with(encode) { encode in
                unsafe CurveTable.with(decode) { decode in
                    unsafe moveColors(
                        row.red, row.green, row.blue, shifts: shifts, hues: map.hues, saturations: map.saturations,
                        values: map.values, valueScale: scale, encode: encode, decode: decode, count: count)
                }
            }
        }
    }
}

extension CurveTable {
    /// Calls `body` with the steps of a table, if there is one.
    fileprivate static func with(_ table: CurveTable?, _ body: (UnsafePointer<Float>?) -> Void) {
        guard let table else { return body(nil) }
        unsafe table.steps.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
    }
}

/// A row of red, green and blue, with room for whole vectors either side.
@unsafe
struct ColorRow {
    let red: UnsafeMutablePointer<Float>
    let green: UnsafeMutablePointer<Float>
    let blue: UnsafeMutablePointer<Float>

    /// The row from a column on.
    func advanced(by columns: Int) -> ColorRow {
        unsafe ColorRow(red: red + columns, green: green + columns, blue: blue + columns)
    }

    /// Calls `body` with each colour's line and number.
    func withEach(_ body: (Int, UnsafeMutablePointer<Float>) -> Void) {
        unsafe body(0, red)
        unsafe body(1, green)
        unsafe body(2, blue)
    }

    /// The line of red, green or blue by its number.
    subscript(plane: Int) -> UnsafeMutablePointer<Float> {
        unsafe plane == 0 ? red : plane == 1 ? green : blue
    }
}
