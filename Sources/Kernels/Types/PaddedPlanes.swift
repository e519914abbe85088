/// Planes of 16-bit codes with repeated edge values before and after each row.
@unsafe
package struct PaddedPlanes {
    /// Points at the first value of the first plane's first row, behind the row's padding.
    package let start: UnsafePointer<UInt16>
    /// The distance between the starts of two planes, in values.
    package let planePitch: Int
    /// The distance between the starts of two rows, in values.
    package let pitch: Int
    package let width: Int
    package let height: Int

    /// Groups a pointer to existing planes of `width` × `height` values and their distances in memory.
    package init(_ start: UnsafePointer<UInt16>, planePitch: Int, pitch: Int, width: Int, height: Int) {
        self.start = start
        self.planePitch = planePitch
        self.pitch = pitch
        self.width = width
        self.height = height
    }
}
