/// A camera's colour matrices for one calibration illuminant.
public struct ColorCalibration: Sendable, Hashable {
    /// The calibration illuminant (DNG's CalibrationIlluminant1…3).
    public var illuminant: Illuminant
    /// The chromaticity of an illuminant that has no LightSource number (DNG's IlluminantData); nil when unknown.
    package var lightColor: Chromaticity?
    /// Converts CIE XYZ to this camera's native colour, before white balance (DNG's ColorMatrix, with AnalogBalance and
    /// CameraCalibration applied).
    public var colorMatrix: Matrix3
    /// Converts white-balanced colour of the reference camera of this model to CIE XYZ under D50 (DNG's ForwardMatrix);
    /// nil when unknown.
    public var forwardMatrix: Matrix3?
    /// Converts colour of the reference camera of this model to this particular camera's (DNG's AnalogBalance times
    /// CameraCalibration). It is already part of `colorMatrix`.
    public var cameraCalibration: Matrix3

    /// Creates a calibration for one illuminant, without the chromaticity of IlluminantData.
    public init(
        illuminant: Illuminant, colorMatrix: Matrix3, forwardMatrix: Matrix3? = nil,
        cameraCalibration: Matrix3 = .identity
    ) {
        self.illuminant = illuminant
        self.colorMatrix = colorMatrix
        self.forwardMatrix = forwardMatrix
        self.cameraCalibration = cameraCalibration
    }
}

/// A light source, by its number in Exif's LightSource and DNG's CalibrationIlluminant.
public struct Illuminant: RawRepresentable, Sendable, Hashable {
    /// The number in Exif's LightSource.
    public var rawValue: UInt16

    /// Creates an illuminant from its number in Exif's LightSource.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Standard light A: incandescent, 2856 K.
    public static let standardA = Illuminant(rawValue: 17)
    /// D65: daylight, 6504 K.
    public static let d65 = Illuminant(rawValue: 21)
    /// Any other light source; DNG's IlluminantData then describes it.
    public static let other = Illuminant(rawValue: 255)
    /// D50: horizon light, 5003 K.
    public static let d50 = Illuminant(rawValue: 23)
}
