/// How a camera sees colour under one light.
public struct ColorCalibration: Sendable, Hashable {
    /// The light, by Exif's numbers.
    public var illuminant: Illuminant
    /// The light's colour where no number names it (DNG's IlluminantData); nil when unknown.
    package var lightColor: Chromaticity?
    /// CIE XYZ to camera colour.
    public var colorMatrix: Matrix3
    /// White-balanced camera colour to XYZ of D50, when known: for a camera as its model was measured.
    public var forwardMatrix: Matrix3?
    /// Colour of a camera as its model was measured to this one's, which is the last step of `colorMatrix` (DNG's AnalogBalance
    /// and CameraCalibration).
    public var individual: Matrix3

    /// A calibration for one light.
    public init(
        illuminant: Illuminant, colorMatrix: Matrix3, forwardMatrix: Matrix3? = nil, individual: Matrix3 = .identity
    ) {
        self.illuminant = illuminant
        self.colorMatrix = colorMatrix
        self.forwardMatrix = forwardMatrix
        self.individual = individual
    }
}

/// A light source by the number that Exif's LightSource and DNG's CalibrationIlluminant give it.
public struct Illuminant: RawRepresentable, Sendable, Hashable {
    /// Exif's number.
    public var rawValue: UInt16

    /// A light from Exif's number.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Incandescent light, 2856 K.
    public static let standardA = Illuminant(rawValue: 17)
    /// Daylight, 6504 K.
    public static let d65 = Illuminant(rawValue: 21)
    /// A light that has no number.
    public static let other = Illuminant(rawValue: 255)
    /// Horizon light, 5003 K.
    public static let d50 = Illuminant(rawValue: 23)
}
