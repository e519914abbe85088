/// A demosaiced row of white-balanced linear values, with the even and the odd columns of each colour stored
/// separately.
@unsafe
package struct DemosaicedRow {
    /// Red, green and blue of every second column.
    package typealias Half = (red: UnsafePointer<Float>, green: UnsafePointer<Float>, blue: UnsafePointer<Float>)

    /// The values of columns 0, 2, 4, …
    package let even: Half
    /// The values of columns 1, 3, 5, …
    package let odd: Half

    /// Creates a row from its two half lines, each with red, green and blue.
    init(
        even: (UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>),
        odd: (UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>)
    ) {
        unsafe self.even = unsafe even
        unsafe self.odd = unsafe odd
    }
}
