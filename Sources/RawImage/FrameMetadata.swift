/// The metadata of a frame: everything that a raw converter needs besides the samples.
///
/// In a pipeline it is attached to each buffer, from `rawunpack` or gscap's own sources on. After fusion it describes
/// the fused photo.
public struct FrameMetadata: Sendable, Hashable {
    /// Exposure time in seconds; 0 when unknown.
    public var exposureTime: Double
    /// ISO speed; 0 when unknown.
    public var iso: Double
    /// Black level, in codes, of the four positions in the 2×2 CFA cell in reading order; all equal for linear photos.
    public var blackLevel: [Double]
    /// White level: the saturated code, on the same scale as `blackLevel`.
    public var whiteLevel: Double
    /// The camera's native colour of the scene's white, with 1 as the largest component (DNG's AsShotNeutral).
    public var neutral: SIMD3<Double>
    /// Colour calibrations for one, two or three illuminants; empty when the camera is unknown.
    public var calibrations: [ColorCalibration]
    /// Noise profiles of the red, green and blue planes, or one for all; empty when unknown.
    public var noise: [NoiseProfile]
    /// Whether `noise` was estimated from the picture, because the camera does not state it or states it plainly wrong.
    public var isNoiseEstimated = false
    /// Time of the start of the exposure in nanoseconds of the sensor's clock.
    public var sensorTimestamp: UInt64
    /// Number of the frame, counted from the start of the sensor.
    public var frameNumber: UInt64
    /// Time of the start of the exposure in microseconds since 1970-01-01 00:00 UTC; 0 when unknown.
    public var wallClock: Int64
    /// The time zone of `wallClock`. In an unknown zone `wallClock` counts from 1970-01-01 00:00 of that zone.
    public var timeZone: CaptureTimeZone
    /// Exif orientation, 1…8.
    public var orientation: Int
    /// Camera manufacturer (Exif's Make).
    public var make: String
    /// Camera model (Exif's Model).
    public var model: String
    /// Number of frames fused into this image; 1 for a frame straight from the sensor.
    public var fusedFrames: Int
    /// Report of the fusion; nil for images that are not fused.
    public var fusion: FusionReport?
    /// Lens shading and distortion corrections; empty when unknown.
    public var lens: LensCorrection
    /// The geometry of the camera; nil when unknown.
    public var calibration: CameraCalibration?
    /// The zoom factor by which the photo is cropped around its centre: 1 for all of the picture. DNGs contain the
    /// whole picture, with this crop as DefaultCrop.
    package var cropFactor = 1.0
    /// Descriptive metadata: lens, location, artist, copyright and title.
    public var details: DescriptiveMetadata
    /// MD5 digests (DNG's NewRawImageDigest, in hexadecimal) of the sensor frames that this image was made from; empty
    /// when they were not computed.
    public var sensorDigests: [String]
    /// The recipe: rendering parameters for this image; nil when there is none.
    public var recipe: Recipe?
    /// Whether the flash fired for this frame; nil when unknown.
    public var flashFired: Bool?
    /// Exposure in EV relative to the camera's own, as it was requested (Exif's ExposureBiasValue); nil when unknown,
    /// and for an exposure that was requested by its exposure time and ISO number.
    public var exposureBias: Double?
    /// Whether the frame was the reference of the burst that it was stored with, by its file.
    package var isStoredReference = false
    /// The capture that the frame belongs to; nil before the shutter element has assigned one.
    public var capture: CaptureTag?
    /// The receipt that a file contains; nil until the photo is encoded.
    public var receipt: PhotoReceipt?
    /// The accepted damage and the changes of the files that this image was made from.
    public var history = FileHistory()
    /// Whether the camera has no colour filters, so that there is no white balance and no colour to convert.
    package var isMonochrome = false
    /// The tags of the file that the frame was read from, which files of photos made of it inherit: a DNG file without
    /// pixels. Empty for a frame of a camera.
    package var sourceTags: [UInt8] = []

    /// Creates metadata with default values: black level 0, the highest code of `bitDepth` bits as white level, and
    /// nothing else known.
    public init(bitDepth: Int = 16) {
        exposureTime = 0
        iso = 0
        blackLevel = [0, 0, 0, 0]
        whiteLevel = Double((1 << bitDepth) - 1)
        neutral = SIMD3(repeating: 1)
        calibrations = []
        noise = []
        sensorTimestamp = 0
        frameNumber = 0
        wallClock = 0
        timeZone = .machine
        orientation = 1
        make = ""
        model = ""
        fusedFrames = 1
        fusion = nil
        lens = LensCorrection()
        details = DescriptiveMetadata()
        sensorDigests = []
        recipe = nil
        flashFired = nil
        exposureBias = nil
        capture = nil
        receipt = nil
    }

    /// Creates metadata with default values for a mosaic of this format.
    package init(of format: MosaicFormat) {
        self.init(bitDepth: format.bitDepth)
        isMonochrome = format.isMonochrome
    }

    /// Describes the first problem: an invalid black level, white level or neutral; nil when all are valid.
    public var problem: String? {
        if blackLevel.count != 4 { return "blackLevel has \(blackLevel.count) values; it needs 4" }
        if !blackLevel.allSatisfy(\.isFinite) || !whiteLevel.isFinite {
            return "blackLevel or whiteLevel is not a finite number"
        }
        if let black = blackLevel.max(), whiteLevel <= black {
            return "whiteLevel \(whiteLevel) is not above blackLevel \(black)"
        }
        if !(0..<3).allSatisfy({ neutral[$0].isFinite && neutral[$0] > 0 }) {
            return "neutral \(neutral.x) \(neutral.y) \(neutral.z) has a component that is not above 0"
        }
        return nil
    }
}
