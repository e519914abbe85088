/// What a frame tells of itself: all that a converter needs to make a picture of its codes.
///
/// It rides on every buffer of the pipeline. Past fusion it describes the fused photo.
public struct FrameMetadata: Sendable, Hashable {
    /// How long light was gathered, in seconds; 0 when unknown.
    public var exposureTime: Double
    /// Sensitivity as an ISO number; 0 when unknown.
    public var iso: Double
    /// Codes without light at the four places of the cell in reading order (all equal for linear photos).
    public var blackLevel: [Double]
    /// The code of full light, on the same scale as `blackLevel`.
    public var whiteLevel: Double
    /// The camera's response to the scene's white, largest component 1 (DNG's AsShotNeutral).
    public var neutral: SIMD3<Double>
    /// Colour under one, two or three lights; empty when the camera is unknown.
    public var calibrations: [ColorCalibration]
    /// Noise of the red, green and blue planes; empty when unknown.
    public var noise: [NoiseProfile]
    /// Nanoseconds on the sensor's clock at the start of exposure.
    public var sensorTimestamp: UInt64
    /// Number of the frame since the sensor started.
    public var frameNumber: UInt64
    /// Microseconds since 1970-01-01 UTC at the start of exposure; 0 when unknown.
    public var wallClock: Int64
    /// Exif orientation, 1…8.
    public var orientation: Int
    /// Who made the camera.
    public var make: String
    /// The camera's name.
    public var model: String
    /// How many frames went into this picture: 1 off the sensor.
    public var fusedFrames: Int
    /// The receipt of the fusion; nil for pictures that are not fused.
    public var fusion: FusionReport?
    /// What the lens did, where known.
    public var lens: LensCorrection
    /// What else is known: the lens's name, the place, whose picture it is.
    public var details: ShotDetails
    /// The digest of each frame off the sensor that went into this picture, as hexadecimal numbers; empty when nobody
    /// looked.
    public var sensorDigests: [String]
    /// The look made for this picture; nil where nobody has made one.
    public var recipe: Recipe?
    /// The capture the frame belongs to; nil before the shutter.
    public var capture: CaptureTag?

    /// Metadata with neutral values; set what is known.
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
        orientation = 1
        make = ""
        model = ""
        fusedFrames = 1
        fusion = nil
        lens = LensCorrection()
        details = ShotDetails()
        sensorDigests = []
        recipe = nil
        capture = nil
    }

    /// The rule these values break, in words; nil when a converter can work with them.
    public var problem: String? {
        if blackLevel.count != 4 { return "blackLevel has \(blackLevel.count) values, 4 are needed" }
        if !blackLevel.allSatisfy(\.isFinite) || !whiteLevel.isFinite { return "a level is not a finite number" }
        if let black = blackLevel.max(), whiteLevel <= black {
            return "whiteLevel \(whiteLevel) is not above blackLevel \(black)"
        }
        if !(0..<3).allSatisfy({ neutral[$0].isFinite && neutral[$0] > 0 }) {
            return "neutral \(neutral) has a component that is not above 0"
        }
        return nil
    }
}

/// Which capture a frame belongs to, and its place in it.
public struct CaptureTag: Sendable, Hashable {
    /// The ticket: unique in the process, the same in every result and error of the capture.
    public var id: UInt64
    /// The frame's place in the burst, from 0.
    public var index: Int
    /// How many frames the burst has.
    public var count: Int
    /// How thoroughly the burst is to be fused, in the fusion's own word; nil leaves it to who fuses.
    public var fusionMode: String?

    /// A tag for one frame of a capture.
    public init(id: UInt64, index: Int, count: Int, fusionMode: String? = nil) {
        self.id = id
        self.index = index
        self.count = count
        self.fusionMode = fusionMode
    }
}
