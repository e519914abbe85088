internal import Glibc
internal import RawImage

/// The distribution of a photo's noise over the levels of a pyramid, as fractions of a raw pixel's noise variance.
///
/// Demosaicing leaves most noise in the finest levels. Super-resolution that is not followed by noise reduction leaves
/// much more in the colour differences, because narrow kernels interpolate sparse samples of red and blue, and at
/// coarser levels if it enlarges the photo.
struct NoiseSpectrum: Sendable {
    /// The fractions for the luminance detail of four levels of a demosaiced frame, finest first.
    private static let brightnessFractions = [0.27, 0.143, 0.0394, 0.0117]
    /// The fractions for the colour differences of the same four levels.
    private static let colorFractions = [0.084, 0.116, 0.074, 0.029]
    /// The fractions for the coarse residual behind the first three levels.
    private static let coarseFractions = (levels: 3, brightness: 0.0155, color: 0.0385)
    /// How many times more noise super-resolution leaves in the colour differences of the four levels, relative to the
    /// mean of its frames: about the mean of that measured with 2, 3 and 8 frames.
    private static let sparseColor = [6, 2.6, 1.4, 1.1]

    /// By how much a fusion with a tele camera enlarged the photo, 1...2.
    let teleEnlargement: Double
    /// The level of a frame's pyramid that has the detail of the picture's finest level: above 0 after downscaling,
    /// which removes the finest ones; below 0 if a fusion with a tele camera enlarged the photo.
    private let shift: Double
    /// The fraction of the noise, 0...1, that super-resolution left.
    private let undenoised: Double
    /// The level, as `shift`, for that noise; below 0 if super-resolution enlarged the photo.
    private let undenoisedShift: Double
    /// The fractions for the colour differences of that noise.
    private let undenoisedColor: [Double]

    /// Creates the distribution for a picture of a photo, which `report` describes if it is fused.
    init(_ frame: RenderFrame, _ report: FusionReport?) {
        teleEnlargement = Self.bounded(report?.teleEnlargement, in: 1...2)
        shift = log2(frame.columnScale * frame.rowScale) / 2 - log2(teleEnlargement)
        undenoised = report?.superResolvedNoise ?? 0
        undenoisedShift = shift - log2(Self.bounded(report?.superResolutionScale, in: 1...2))
        let share = Self.bounded(report?.superResolvedFraction, in: 0...1)
        undenoisedColor = zip(Self.colorFractions, Self.sparseColor).map { $0 * (1 + ($1 - 1) * share) }
    }

    /// Returns the fraction for the luminance detail of a level of the picture's pyramid.
    func brightness(_ level: Int) -> Double { value(level, Self.brightnessFractions, Self.brightnessFractions) }

    /// Returns the fraction for the colour differences of a level of the picture's pyramid.
    func color(_ level: Int) -> Double { value(level, Self.colorFractions, undenoisedColor) }

    /// The fractions for the coarse residual behind some levels: luminance and colour differences.
    func coarse(behind levels: Int) -> (brightness: Double, color: Double) {
        let beyond = Double(levels - Self.coarseFractions.levels)
        let area = mean(exp2(-2 * (shift + beyond)), exp2(-2 * (undenoisedShift + beyond)))
        return (Self.coarseFractions.brightness * area, Self.coarseFractions.color * area)
    }

    /// Returns a value of a report, which may come from a file, within a range; the lower bound without one.
    private static func bounded(_ value: Double?, in range: ClosedRange<Double>) -> Double {
        guard let value, value.isFinite else { return range.lowerBound }
        return min(max(value, range.lowerBound), range.upperBound)
    }

    private func value(_ level: Int, _ usual: [Double], _ undenoised: [Double]) -> Double {
        mean(
            Self.fraction(Double(level) + shift, usual), Self.fraction(Double(level) + undenoisedShift, undenoised))
    }

    private func mean(_ usual: Double, _ undenoised: Double) -> Double {
        usual + (undenoised - usual) * self.undenoised
    }

    /// Interpolates the fraction at a fractional level. Beyond the measured levels it falls to a quarter per coarser
    /// level, and as measured on enlarged photos toward finer ones.
    private static func fraction(_ level: Double, _ fractions: [Double]) -> Double {
        let last = fractions.count - 1
        guard level >= 0 else { return fractions[0] * exp2(1.5 * level) }
        guard level < Double(last) else { return fractions[last] * exp2(-2 * (level - Double(last))) }
        let index = Int(level)
        return fractions[index] * pow(fractions[index + 1] / fractions[index], level - Double(index))
    }
}

extension FusionReport {
    /// The fraction of the noise, 0...1, that a super-resolved photo kept: 1 if its noise was not reduced, 0 for the
    /// usual reduction, and for photos without super-resolution.
    var superResolvedNoise: Double {
        // Files of earlier versions do not state the strength; the usual one is assumed.
        guard superResolvedFraction != nil, let denoising, denoising.isFinite else { return 0 }
        return min(max(1 - denoising, 0), 1)
    }
}
