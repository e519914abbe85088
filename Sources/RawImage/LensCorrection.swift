internal import Glibc

/// What a lens did to a picture, and how to undo it (DNG's opcode lists).
public struct LensCorrection: Sendable, Hashable {
    /// Gains that undo the darkening toward the corners, for the colour planes each names.
    public var shading: [ShadingMap]
    /// The distortion to undo; nil for none.
    public var warp: LensWarp?

    /// A correction; without arguments none.
    public init(shading: [ShadingMap] = [], warp: LensWarp? = nil) {
        self.shading = shading
        self.warp = warp
    }

    /// Whether there is nothing to undo.
    public var isEmpty: Bool { shading.isEmpty && warp == nil }

    /// The rule that the values break, in words; nil when a renderer can work with them.
    public var problem: String? { warp?.problem ?? shading.lazy.compactMap(\.problem).first }
}

/// Gains over a picture, for every pixel or for those at some places of the colour filter's cell (DNG's GainMap).
public struct ShadingMap: Sendable, Hashable {
    /// The part of the picture that the gains are for, and which of its pixels: every `rowPitch`th row and
    /// `columnPitch`th column.
    public var area: PixelGrid
    /// The first colour plane that the gains are for, and how many planes.
    public var plane: Int
    /// How many planes the gains are for, from `plane` on.
    public var planeCount: Int
    /// Rows and columns of gains.
    public var rows: Int
    /// Columns of gains.
    public var columns: Int
    /// Distance of gains down and across, and where the first lies, as shares of the picture.
    public var spacing: GainTableMap.Spot
    /// Where the first gain lies, as a share of the picture.
    public var origin: GainTableMap.Spot
    /// How many values each place of the grid has: one for all planes, or one for each.
    public var gainPlanes: Int
    /// The gains, row by row, at each place one for each of `gainPlanes`.
    public var gains: [Float]

    /// Gains; throws when they do not fill the grid.
    public init(
        area: PixelGrid, plane: Int = 0, planeCount: Int = 1, rows: Int, columns: Int, spacing: GainTableMap.Spot,
        origin: GainTableMap.Spot, gainPlanes: Int = 1, gains: [Float]
    ) throws(RawImageError) {
        self.area = area
        self.plane = plane
        self.planeCount = planeCount
        self.rows = rows
        self.columns = columns
        self.spacing = spacing
        self.origin = origin
        self.gainPlanes = gainPlanes
        self.gains = gains
        if let problem { throw RawImageError(.badRecipe, problem) }
    }

    /// The rule that the values break, in words; nil when a renderer can work with them.
    public var problem: String? {
        let sides = 1...4096
        guard sides.contains(rows), sides.contains(columns), (1...4).contains(gainPlanes), (0..<4).contains(plane),
            (1...4).contains(planeCount), gains.count == rows * columns * gainPlanes
        else {
            return "a shading map of \(rows)×\(columns) places with \(gainPlanes) gains each has \(gains.count)"
        }
        let places = [spacing.down, spacing.across, origin.down, origin.across]
        guard places.allSatisfy(\.isFinite), gains.allSatisfy({ $0.isFinite && $0 >= 0 }) else {
            return "a shading map holds what is not a usable number"
        }
        return area.problem
    }
}

/// Pixels of a rectangle that lie on a grid.
public struct PixelGrid: Sendable, Hashable {
    /// The rectangle's first row and column, and those behind its last.
    public var top: Int
    /// The first column.
    public var left: Int
    /// The row behind the last.
    public var bottom: Int
    /// The column behind the last.
    public var right: Int
    /// Every how many rows one counts.
    public var rowPitch: Int
    /// Every how many columns one counts.
    public var columnPitch: Int

    /// Pixels of a rectangle.
    public init(top: Int, left: Int, bottom: Int, right: Int, rowPitch: Int = 1, columnPitch: Int = 1) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
        self.rowPitch = rowPitch
        self.columnPitch = columnPitch
    }

    /// The rule that the values break, in words; nil when they make a grid.
    public var problem: String? {
        let isRectangle = top >= 0 && left >= 0 && top <= bottom && left <= right
        return isRectangle && rowPitch > 0 && columnPitch > 0 ? nil : "a rectangle of pixels makes no sense: \(self)"
    }
}

/// How a lens bends straight lines, and each colour's size (DNG's WarpRectilinear, WarpFisheye and WarpRectilinear2).
///
/// A pixel of the corrected picture, at distance r from the centre (1 in the farthest corner), is found in the recorded one
/// at the distance that the model says, moved tangentially by t0 and t1.
public struct LensWarp: Sendable, Hashable {
    /// What radial coefficients mean.
    public enum Model: String, Sendable, Hashable, CaseIterable {
        /// r·(k0 + k1·r² + k2·r⁴ + k3·r⁶).
        case rectilinear
        /// k0·θ + k1·θ³ + k2·θ⁵ + k3·θ⁷, where r is the tangent of θ.
        case fisheye
        /// r·(k0 + k1·r + … + k14·r¹⁴).
        case polynomial
        /// r divided by that sum.
        case reciprocal

        /// How many coefficients a plane has.
        public var count: Int { self == .rectilinear || self == .fisheye ? 4 : 15 }
    }

    /// The coefficients of one colour plane.
    public struct Plane: Sendable, Hashable {
        /// k0, k1 and so on.
        public var radial: [Double]
        /// t0 and t1.
        public var tangential: [Double]
        /// The distances that the polynomials hold for: beyond, their value at the end counts.
        public var validRadii: ClosedRange<Double>

        /// Coefficients; without arguments no change.
        public init(
            radial: [Double] = [1, 0, 0, 0], tangential: [Double] = [0, 0], validRadii: ClosedRange<Double> = 0...1
        ) {
            self.radial = radial
            self.tangential = tangential
            self.validRadii = validRadii
        }
    }

    /// What the radial coefficients mean.
    public var model: Model
    /// One for all planes, or one for each.
    public var planes: [Plane]
    /// The optical centre as a share of the picture.
    public var center: GainTableMap.Spot

    /// A warp; throws when its numbers are not usable.
    public init(
        _ model: Model = .rectilinear, planes: [Plane],
        center: GainTableMap.Spot = GainTableMap.Spot(down: 0.5, across: 0.5)
    ) throws(RawImageError) {
        self.model = model
        self.planes = planes
        self.center = center
        if let problem { throw RawImageError(.badRecipe, problem) }
    }

    /// The rule that the values break, in words; nil when a renderer can work with them.
    public var problem: String? {
        guard planes.count == 1 || planes.count == 3,
            planes.allSatisfy({ $0.radial.count == model.count && $0.tangential.count == 2 })
        else {
            return "a lens warp has one plane or three, with \(model.count) radial and two tangential coefficients each"
        }
        let numbers = planes.flatMap { $0.radial + $0.tangential } + [center.down, center.across]
        guard numbers.allSatisfy(\.isFinite) else { return "a lens warp holds what is not a finite number" }
        let radii = planes.map(\.validRadii)
        guard radii.allSatisfy({ $0.lowerBound >= 0 && $0.upperBound <= 1 && $0.lowerBound < $0.upperBound }) else {
            return "a lens warp holds for distances that are not between 0 and 1"
        }
        return nil
    }

    /// The distance in the recorded picture for one in the corrected picture, as a multiple of it; it may be no number.
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
