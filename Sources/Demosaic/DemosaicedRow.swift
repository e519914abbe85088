package import PixelMemory

/// A demosaiced row of white-balanced linear values, with the even and the odd columns of each colour stored
/// separately.
package struct DemosaicedRow {
    /// Red, green and blue of every second column.
    package typealias Half = (red: MemoryView<Float>, green: MemoryView<Float>, blue: MemoryView<Float>)

    /// The values of columns 0, 2, 4, …
    package let even: Half
    /// The values of columns 1, 3, 5, …
    package let odd: Half
}
