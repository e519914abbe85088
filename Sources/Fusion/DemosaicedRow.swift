/// One full-colour row as white-balanced light, in two half lines a colour: its even and its odd columns.
@unsafe
package struct DemosaicedRow {
    /// Red, green and blue of columns 0, 2, 4…
    package var even: (red: UnsafePointer<Float>, green: UnsafePointer<Float>, blue: UnsafePointer<Float>)
    /// Red, green and blue of columns 1, 3, 5…
    package var odd: (red: UnsafePointer<Float>, green: UnsafePointer<Float>, blue: UnsafePointer<Float>)
}
