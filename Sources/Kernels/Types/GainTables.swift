/// The weights of a pixel's red, green and blue and of their minimum and maximum in the brightness by which gain tables
/// are indexed (DNG MapInputWeights).
package struct GainWeights: Sendable {
    package let color: SIMD3<Float>
    package let least: Float
    package let most: Float

    /// Groups the weights of red, green and blue, of the smallest of the three (`least`) and of the largest (`most`).
    package init(color: SIMD3<Float>, least: Float, most: Float) {
        self.color = color
        self.least = least
        self.most = most
    }
}

/// A row of gain tables, stored one after another, and the tables between which the gain of each pixel is interpolated.
@unsafe
package struct GainTables {
    package let gains: UnsafePointer<Float>
    /// The distance from one table to the next in values.
    package let pitch: Int
    /// For each pixel the offset of the table to its left.
    package let bases: UnsafePointer<UInt32>
    /// For each pixel the weight 0…1 of the table to its right.
    package let rightWeights: UnsafePointer<Float>

    /// Groups the pointers and the distance that describe a row of gain tables and the tables of each pixel.
    package init(
        _ gains: UnsafePointer<Float>, pitch: Int, bases: UnsafePointer<UInt32>, rightWeights: UnsafePointer<Float>
    ) {
        self.gains = gains
        self.pitch = pitch
        self.bases = bases
        self.rightWeights = rightWeights
    }
}
