/// The codes of a tele photo and how they become linear values.
///
/// Samples are red, green, blue and alpha; `stride` is the distance between rows in samples. A linear value is a code
/// less `black`, times `scale`. Codes from `clip` on are saturated.
package struct TelePhoto {
    package let codes: UnsafePointer<UInt16>
    package let stride: Int
    package let width: Int
    package let height: Int
    package let black: Float
    package let scale: Float
    package let clip: UInt16

    @inlinable
    package init(
        codes: UnsafePointer<UInt16>, stride: Int, width: Int, height: Int, black: Float, scale: Float, clip: UInt16
    ) {
        self.codes = codes
        self.stride = stride
        self.width = width
        self.height = height
        self.black = black
        self.scale = scale
        self.clip = clip
    }
}

/// How a tele's colours become those of the wide photo: the columns of a matrix.
package struct TeleColors {
    package let red: SIMD4<Float>
    package let green: SIMD4<Float>
    package let blue: SIMD4<Float>

    @inlinable
    package init(red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>) {
        self.red = red
        self.green = green
        self.blue = blue
    }
}

/// The noise of the two photos, and what deviations beyond it count as the same scene.
///
/// The variances are `shot` · value + `read` for red, green, blue and, last, for the mean of the colours.
package struct TeleNoise {
    package let wideShot: SIMD4<Float>
    package let wideRead: SIMD4<Float>
    package let teleShot: SIMD4<Float>
    package let teleRead: SIMD4<Float>
    /// The part of a tele pixel's variance that the mean over a wide pixel keeps.
    package let kept: Float
    /// The mean squared difference of grey values in units of the noise that is tolerated.
    package let patience: Float
    /// The fraction of the local contrast by which deviations may be larger, since the lenses differ in sharpness.
    package let slack: Float
    /// The fraction of the structure within a wide pixel by which they may be larger, since it becomes aliasing there.
    package let aliasing: Float
    /// The squares of the mean differences of the colours that are tolerated, in units of the noise.
    package let bias: Float
    /// The square of the relative difference that is counted as noise, since the lenses render the same light not quite
    /// equally: in photos with little noise it is the larger part.
    package let rendition: Float
    /// The number of pixels in a local mean.
    package let neighbours: Float

    @inlinable
    package init(
        wideShot: SIMD4<Float>, wideRead: SIMD4<Float>, teleShot: SIMD4<Float>, teleRead: SIMD4<Float>, kept: Float,
        patience: Float, slack: Float, aliasing: Float, bias: Float, rendition: Float, neighbours: Float
    ) {
        self.wideShot = wideShot
        self.wideRead = wideRead
        self.teleShot = teleShot
        self.teleRead = teleRead
        self.kept = kept
        self.patience = patience
        self.slack = slack
        self.bias = bias
        self.aliasing = aliasing
        self.rendition = rendition
        self.neighbours = neighbours
    }
}
