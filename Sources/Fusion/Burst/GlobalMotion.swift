/// The motion of a whole frame as an affine function of the tile: it models shift, rotation, zoom and rolling shutter,
/// and is far more precise than the motion of one tile.
struct GlobalMotion: Sendable {
    /// The motion at the first tile in pixels of the field's plane; `byColumn` and `byRow` are its change from tile to
    /// tile.
    private var constant: SIMD2<Float>
    private var byColumn = SIMD2<Float>.zero
    private var byRow = SIMD2<Float>.zero

    /// The iterations of robust fitting, each of which weights tiles by their distance from the previous fit.
    private static let rounds = 10
    /// The least number of tiles that are sampled for the fit, where the frame has that many; about four times as many
    /// at most.
    private static let enough = 2000
    /// The fewest tiles of known motion for a fit, which has three unknowns per axis: redundancy rejects outliers.
    private static let fewest = 24
    /// The least information of a tile that takes part in the fit.
    private static let leastInformation: Float = 4
    /// The information of a tile on its motion, per squared pixel, that makes a tile's weight half of the largest.
    private static let halfWeight: Float = 25

    /// Creates a motion that is the same for all tiles.
    init(shift: SIMD2<Float>) { constant = shift }

    /// The same motion on the next finer level of a pyramid, which has four times the width and height: there, too,
    /// tiles lie eight pixels apart.
    var onFinerLevel: GlobalMotion {
        var finer = self
        finer.constant *= 4
        return finer
    }

    /// Returns this motion with the same shift added for all tiles.
    func moved(by shift: SIMD2<Float>) -> GlobalMotion {
        var moved = self
        moved.constant += shift
        return moved
    }

    /// Returns the motion at a tile in pixels to the right and down.
    subscript(column: Int, row: Int) -> SIMD2<Float> { constant + byColumn * Float(column) + byRow * Float(row) }

    /// Fits the motion that most tiles of a field agree on, starting from this one, which remains if too few tiles show
    /// their motion, or fewer than two in five of them agree. `information` is that of each tile on its motion, per
    /// squared pixel; tiles count equally if it is empty.
    mutating func fit(_ field: MotionField, _ information: [MotionInformation] = []) {
        let grid = field.grid
        let step = max(1, Int((Double(grid.count) / Double(Self.enough)).squareRoot()))
        var votes: [Vote] = []
        for row in stride(from: 0, to: grid.rows, by: step) {
            for column in stride(from: 0, to: grid.columns, by: step) {
                let motion = field.tile(column: column, row: row)
                let information = information.isEmpty ? .infinity : information[row * grid.columns + column].least
                guard motion.agrees, information > Self.leastInformation else { continue }
                votes.append(
                    Vote(
                        place: SIMD2(Float(column), Float(row)), motion: SIMD2(motion.right, motion.down),
                        information: information))
            }
        }
        guard votes.count >= Self.fewest else { return }
        let start = self
        var scale: Float = 2
        for _ in 0..<Self.rounds {
            let errors = votes.map { $0.distance(from: self) }
            let weights = zip(votes, errors).map { vote, error in
                let likely = 1 / (1 + error * error / (scale * scale))
                return likely * likely / (1 + Self.halfWeight / vote.information)
            }
            guard solve(votes, weights) else { return }
            scale = 2 * max(Self.median(errors), 0.05)
        }
        if votes.count(where: { $0.distance(from: self) < 1 }) * 5 < votes.count * 2 { self = start }
    }

    /// The motion that one tile found.
    private struct Vote {
        let place: SIMD2<Float>
        let motion: SIMD2<Float>
        let information: Float

        func distance(from global: GlobalMotion) -> Float {
            let error = motion - global.constant - global.byColumn * place.x - global.byRow * place.y
            return (error * error).sum().squareRoot()
        }
    }

    private static func median(_ values: [Float]) -> Float { values.sorted()[values.count / 2] }

    /// Fits by least squares around the tiles' weighted centroid; returns false if the tiles lie on a line.
    private mutating func solve(_ votes: [Vote], _ weights: [Float]) -> Bool {
        var (total, place, motion) = (Double(0), SIMD2<Double>.zero, SIMD2<Double>.zero)
        for (vote, weight) in zip(votes, weights) {
            total += Double(weight)
            place += SIMD2<Double>(vote.place * weight)
            motion += SIMD2<Double>(vote.motion * weight)
        }
        guard total > 0 else { return false }
        (place, motion) = (place / total, motion / total)
        var (xx, xy, yy) = (0.0, 0.0, 0.0)
        var (xMotion, yMotion) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
        for (vote, weight) in zip(votes, weights) {
            let weight = Double(weight)
            let away = SIMD2<Double>(vote.place) - place
            let rest = SIMD2<Double>(vote.motion) - motion
            xx += weight * away.x * away.x
            xy += weight * away.x * away.y
            yy += weight * away.y * away.y
            xMotion += weight * away.x * rest
            yMotion += weight * away.y * rest
        }
        let determinant = xx * yy - xy * xy
        guard determinant > 1e-6 * xx * yy, determinant > 0 else { return false }
        let (across, down) = (
            (xMotion * yy - yMotion * xy) / determinant, (yMotion * xx - xMotion * xy) / determinant
        )
        byColumn = SIMD2<Float>(across)
        byRow = SIMD2<Float>(down)
        constant = SIMD2<Float>(motion - across * place.x - down * place.y)
        return true
    }
}
