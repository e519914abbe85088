/// The conversion of irradiance to codes by a simulated sensor, for all pixels of a frame.
package struct SensorResponse {
    /// The codes above black for an irradiance of 1, at the optical centre.
    package let scale: Float
    /// The decrease of `scale` by lens shading per square pixel of distance from the optical centre.
    package let shading: Float
    /// The variance of a code per code of signal above black.
    package let shot: Float
    /// The variance of a code at black.
    package let read: Float
    /// The code of zero irradiance; `white` is the highest code, at which codes are clipped.
    package let black: Float
    package let white: Float

    /// Groups the parameters of a frame.
    package init(scale: Float, shading: Float, shot: Float, read: Float, black: Float, white: Float) {
        self.scale = scale
        self.shading = shading
        self.shot = shot
        self.read = read
        self.black = black
        self.white = white
    }
}

/// A row of a simulated sensor: its position relative to the optical centre, and the hash keys of its noise.
package struct SensorRow {
    /// The distance in columns from the row's first pixel to the optical centre of the lens.
    package let centre: Float
    /// The square of the row's distance, in rows, from the optical centre of the lens.
    package let heightSquare: Float
    package let key: UInt32
    package let secondKey: UInt32

    /// Groups a sensor row's position relative to the optical centre and the two hash keys of its noise.
    package init(centre: Float, heightSquare: Float, key: UInt32, secondKey: UInt32) {
        self.centre = centre
        self.heightSquare = heightSquare
        self.key = key
        self.secondKey = secondKey
    }
}
