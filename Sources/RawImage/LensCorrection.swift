internal import Glibc

/// Corrections for lens shading and lens distortion (from DNG's opcode lists).
public struct LensCorrection: Sendable, Hashable {
    /// Gain maps that correct lens shading, each for its own colour planes; they are applied one after the other.
    public var shading: [ShadingMap]
    /// The distortion correction; nil for none.
    public var warp: LensWarp?

    /// Creates a set of corrections; without arguments an empty one.
    public init(shading: [ShadingMap] = [], warp: LensWarp? = nil) {
        self.shading = shading
        self.warp = warp
    }

    /// Whether there are no corrections.
    public var isEmpty: Bool { shading.isEmpty && warp == nil }

    /// Describes the first invalid correction; nil when all are valid.
    public var problem: String? { warp?.problem ?? shading.lazy.compactMap(\.problem).first }
}

/// A lens shading correction: a grid of gains for all pixels of an area or for one position of the CFA cell (DNG's
/// GainMap opcode).
public struct ShadingMap: Sendable, Hashable {
    /// The pixels that the gains apply to: every `rowPitch`th row and `columnPitch`th column of a rectangle.
    public var area: PixelGrid
    /// The first colour plane that the gains apply to.
    public var plane: Int
    /// Number of colour planes that the gains apply to, starting at `plane`.
    public var planeCount: Int
    /// Number of rows in the grid of gains.
    public var rows: Int
    /// Number of columns in the grid of gains.
    public var columns: Int
    /// Vertical and horizontal distance between gains, as fractions of the image's height and width.
    public var spacing: GainTableMap.RelativePoint
    /// Position of the top left gain, as fractions of the image's height and width.
    public var origin: GainTableMap.RelativePoint
    /// Number of gains at each grid point: 1 for all planes, or one per plane (DNG's MapPlanes).
    public var gainPlanes: Int
    /// The gains row by row, `gainPlanes` of them at each grid point.
    public var gains: [Float]

    /// Creates a shading map; throws when a value is invalid.
    public init(
        area: PixelGrid, plane: Int = 0, planeCount: Int = 1, rows: Int, columns: Int,
        spacing: GainTableMap.RelativePoint,
        origin: GainTableMap.RelativePoint, gainPlanes: Int = 1, gains: [Float]
    ) throws(GscapError) {
        self.area = area
        self.plane = plane
        self.planeCount = planeCount
        self.rows = rows
        self.columns = columns
        self.spacing = spacing
        self.origin = origin
        self.gainPlanes = gainPlanes
        self.gains = gains
        if let problem { throw GscapError(.badRecipe, problem) }
    }

    /// Describes the first invalid value of this correction; nil when all are valid.
    public var problem: String? {
        let sizes = 1...4096
        guard sizes.contains(rows), sizes.contains(columns), (1...4).contains(gainPlanes), (0..<4).contains(plane),
            (1...4).contains(planeCount), gains.count == rows * columns * gainPlanes
        else {
            return "a shading map of \(rows)×\(columns) points with \(gainPlanes) gains each, for \(planeCount) planes "
                + "from plane \(plane), is out of range or has the wrong number of gains: \(gains.count)"
        }
        let positions = [spacing.down, spacing.across, origin.down, origin.across]
        guard positions.allSatisfy(\.isFinite), gains.allSatisfy({ $0.isFinite && $0 >= 0 }) else {
            return "a shading map has a gain that is negative, or a number that is not finite"
        }
        return area.problem
    }
}

/// The pixels of a rectangle at every `rowPitch`th row and `columnPitch`th column, from its top left corner.
public struct PixelGrid: Sendable, Hashable {
    /// The first row of the rectangle.
    public var top: Int
    /// The first column of the rectangle.
    public var left: Int
    /// The row after the rectangle's last.
    public var bottom: Int
    /// The column after the rectangle's last.
    public var right: Int
    /// Distance between selected rows; 1 selects all.
    public var rowPitch: Int
    /// Distance between selected columns; 1 selects all.
    public var columnPitch: Int

    /// Creates a grid; by default it selects all pixels of the rectangle.
    public init(top: Int, left: Int, bottom: Int, right: Int, rowPitch: Int = 1, columnPitch: Int = 1) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
        self.rowPitch = rowPitch
        self.columnPitch = columnPitch
    }

    /// Describes an invalid rectangle or pitch; nil when the grid is valid.
    public var problem: String? {
        let isRectangle = top >= 0 && left >= 0 && top <= bottom && left <= right
        if isRectangle && rowPitch > 0 && columnPitch > 0 { return nil }
        return "a pixel area has a negative edge, edges in the wrong order or a pitch below 1: \(self)"
    }
}

/// A model of lens distortion and lateral chromatic aberration (DNG's WarpRectilinear, WarpFisheye and
/// WarpRectilinear2).
///
/// It maps a pixel of the corrected image, at distance r from the optical centre (1 at the farthest corner), to its
/// position in the recorded image: at the distance given by the radial model, plus a tangential shift by t0 and t1.
public struct LensWarp: Sendable, Hashable {
    /// The radial function, which returns the distance in the recorded image.
    public enum Model: String, Sendable, Hashable, CaseIterable {
        /// WarpRectilinear: r·(k0 + k1·r² + k2·r⁴ + k3·r⁶).
        case rectilinear
        /// WarpFisheye: k0·θ + k1·θ³ + k2·θ⁵ + k3·θ⁷ with θ = atan(r).
        case fisheye
        /// WarpRectilinear2: r·(k0 + k1·r + … + k14·r¹⁴).
        case polynomial
        /// WarpRectilinear2 with the reciprocal flag: r / (k0 + k1·r + … + k14·r¹⁴).
        case reciprocal

        /// Number of radial coefficients per colour plane.
        public var count: Int { self == .rectilinear || self == .fisheye ? 4 : 15 }
    }

    /// The coefficients of one colour plane.
    public struct Plane: Sendable, Hashable {
        /// Radial coefficients k0, k1, …
        public var radial: [Double]
        /// Tangential coefficients t0 and t1.
        public var tangential: [Double]
        /// Distances for which the polynomials of WarpRectilinear2 are valid; r is clamped to this range.
        public var validRadii: ClosedRange<Double>

        /// Creates the coefficients of a plane; without arguments those of the model `rectilinear` without distortion.
        public init(
            radial: [Double] = [1, 0, 0, 0], tangential: [Double] = [0, 0], validRadii: ClosedRange<Double> = 0...1
        ) {
            self.radial = radial
            self.tangential = tangential
            self.validRadii = validRadii
        }
    }

    /// The radial function of the distortion model.
    public var model: Model
    /// Coefficients: one set for all colour planes, or one for each of the three.
    public var planes: [Plane]
    /// The optical centre, as fractions of the image's height and width.
    public var center: GainTableMap.RelativePoint

    /// Creates a distortion model; throws when a value is invalid.
    public init(
        _ model: Model = .rectilinear, planes: [Plane],
        center: GainTableMap.RelativePoint = GainTableMap.RelativePoint(down: 0.5, across: 0.5)
    ) throws(GscapError) {
        self.model = model
        self.planes = planes
        self.center = center
        if let problem { throw GscapError(.badRecipe, problem) }
    }

    /// Describes the first invalid value of this correction; nil when all are valid.
    public var problem: String? {
        guard planes.count == 1 || planes.count == 3,
            planes.allSatisfy({ $0.radial.count == model.count && $0.tangential.count == 2 })
        else {
            return "a lens warp needs 1 or 3 planes with \(model.count) radial and 2 tangential coefficients each"
        }
        let numbers = planes.flatMap { $0.radial + $0.tangential } + [center.down, center.across]
        guard numbers.allSatisfy(\.isFinite) else { return "a lens warp has a number that is not finite" }
        let radii = planes.map(\.validRadii)
        guard radii.allSatisfy({ $0.lowerBound >= 0 && $0.upperBound <= 1 && $0.lowerBound < $0.upperBound }) else {
            return "a lens warp's valid radii are not a range between 0 and 1"
        }
        return nil
    }

    /// Returns the distance from the optical centre in the recorded image divided by `distance`, that in the corrected
    /// image. The result can be infinite or NaN.
    package func ratio(_ plane: Plane, at distance: Double) -> Double {
        func sum(_ power: Double) -> Double { plane.radial.reversed().reduce(0) { $0 * power + $1 } }
        switch model {
        case .rectilinear: return sum(distance * distance)
        case .fisheye:
            let angle = atan(distance)
            return sum(angle * angle) * (distance > 1e-6 ? angle / distance : 1)
        case .polynomial, .reciprocal:
            let value = sum(min(max(distance, plane.validRadii.lowerBound), plane.validRadii.upperBound))
            return model == .polynomial ? value : 1 / value
        }
    }
}
