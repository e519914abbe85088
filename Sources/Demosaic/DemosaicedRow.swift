/// One full-colour row as white-balanced light, in two half lines a colour: its even and its odd columns.
@unsafe
package struct DemosaicedRow {
    /// The colours of a half line.
    package typealias Half = (red: UnsafePointer<Float>, green: UnsafePointer<Float>, blue: UnsafePointer<Float>)

    /// Columns 0, 2, 4…
    package let even: Half
    /// Columns 1, 3, 5…
    package let odd: Half

    /// A row from its half lines, each as red, green and blue.
    init(
        even: (UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>),
        odd: (UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>)
    ) {
        unsafe self.even = unsafe even
        unsafe self.odd = unsafe odd
    }
}
