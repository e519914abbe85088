/// How far away each pixel's surface is.
public struct DepthMap: Sendable, Hashable {
    /// How codes stand for distances: DNG's DepthFormat.
    public enum Scale: UInt16, Sendable, Hashable {
        /// Not known; smaller is nearer.
        case unknown = 0
        /// Codes rise evenly with distance.
        case linear = 1
        /// Codes rise evenly with the inverse of distance, from the nearest.
        case inverse = 2
    }

    /// What distances are measured along: DNG's DepthMeasureType.
    public enum Measure: UInt16, Sendable, Hashable {
        /// Not known.
        case unknown = 0
        /// The optical axis.
        case opticalAxis = 1
        /// The ray of the pixel.
        case opticalRay = 2
    }

    /// Pixels in a row; may be fewer than the picture's.
    public let width: Int
    /// Rows.
    public let height: Int
    /// 8 or 16 bits of each code count.
    public let bitDepth: Int
    /// The codes in reading order; 0 is the nearest.
    public let codes: [UInt16]
    /// How codes stand for distances.
    public var scale: Scale
    /// What they are measured along.
    public var measure: Measure
    /// Distances of the lowest and the highest code in metres; nil when unknown, infinity when beyond measure.
    public var near: Double?
    /// The distance of the highest code.
    public var far: Double?

    /// A map; throws when the codes do not fill it.
    public init(
        width: Int, height: Int, bitDepth: Int, codes: [UInt16], scale: Scale = .unknown, measure: Measure = .unknown,
        near: Double? = nil, far: Double? = nil
    ) throws(RawImageError) {
        let sides = 1...MosaicFormat.maximumSide
        guard sides.contains(width), sides.contains(height), codes.count == width * height,
            bitDepth == 16 || (bitDepth == 8 && codes.allSatisfy { $0 < 256 })
        else {
            throw RawImageError(
                .badFormat, "\(codes.count) codes of \(bitDepth) bits are not a \(width)×\(height) depth map")
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
