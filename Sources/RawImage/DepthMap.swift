/// A depth map: for each pixel, the distance from the camera to the scene (DNG 1.5).
public struct DepthMap: Sendable, Hashable {
    /// The relation between codes and distances (DNG's DepthFormat).
    public enum Scale: UInt16, Sendable, Hashable {
        /// The relation is unknown, except that smaller codes are nearer.
        case unknown = 0
        /// Linear in distance, from `near` at code 0 to `far` at the highest code.
        case linear = 1
        /// Linear in the inverse of distance, from `near` at code 0 to `far` at the highest code.
        case inverse = 2
    }

    /// The direction along which distances are measured (DNG's DepthMeasureType).
    public enum Measure: UInt16, Sendable, Hashable {
        /// The direction is unknown.
        case unknown = 0
        /// Along the optical axis.
        case opticalAxis = 1
        /// Along the optical ray of each pixel.
        case opticalRay = 2
    }

    /// Width in pixels; may be smaller than the image's.
    public let width: Int
    /// Height in pixels; may be smaller than the image's.
    public let height: Int
    /// Bits per code: 8 or 16.
    public let bitDepth: Int
    /// The codes row by row; 0 is the nearest distance.
    public let codes: [UInt16]
    /// The relation between codes and distances.
    public var scale: Scale
    /// The direction along which distances are measured.
    public var measure: Measure
    /// Distance of code 0 in metres (DNG's DepthNear); nil when unknown.
    public var near: Double?
    /// Distance of the highest code in metres (DNG's DepthFar); nil when unknown, infinity for infinitely far.
    public var far: Double?

    /// Creates a depth map; throws unless there are `width`×`height` codes that fit into `bitDepth` bits.
    public init(
        width: Int, height: Int, bitDepth: Int, codes: [UInt16], scale: Scale = .unknown, measure: Measure = .unknown,
        near: Double? = nil, far: Double? = nil
    ) throws(GscapError) {
        let sides = 1...MosaicFormat.maximumSide
        guard sides.contains(width), sides.contains(height), codes.count == width * height,
            bitDepth == 16 || (bitDepth == 8 && codes.allSatisfy { $0 < 256 })
        else {
            throw GscapError(
                .badFormat,
                "a \(width)×\(height) depth map of \(bitDepth) bits has \(codes.count) codes, or codes above its range")
        }
        self.width = width
        self.height = height
        self.bitDepth = bitDepth
        self.codes = codes
        self.scale = scale
        self.measure = measure
        self.near = near
        self.far = far
    }
}
