internal import Demosaic
internal import Kernels
internal import RawImage

/// A frame that is merged, tile by tile, and what is known of it.
@unsafe struct TileMerge {
    let reference: TileSource
    let source: TileSource
    let referenceNoise: CodeNoise
    let noise: CodeNoise
    let field: MotionField
    let options: FusionOptions
    /// What makes the signals of the four places white-balanced light.
    let balance: SIMD4<Float>

    /// How many times the energy of noise a frequency's difference may have and keep half its weight.
    private static let tolerance: Float = 4
    /// A tile that differs by more than this, in units of noise, is trusted less as a whole.
    private static let excess: Float = 1.2
    /// And never less than so.
    private static let leastTrust: Float = 0.02
    /// From here up a tile's own samples may have folded detail, and all colours together are tried.
    private static let folding: Float = 1.25
    /// Sums of 64 frames must fit.
    private static let mostWeight: Float = 1.99

    /// Adds a tile to its sums; the first of a burst makes them, and looks how light it is. Gives its mean weight.
    func add(
        _ column: Int, _ row: Int, to sums: UnsafeMutablePointer<Int16>, _ level: inout TileLevel, _ isFirst: Bool,
        _ room: TileRoom
    ) -> Float {
        let place = (x: 2 * TileGrid.start(column), y: 2 * TileGrid.start(row))
        let motion = unsafe field.tile(column: column, row: row)
        let (right, down) = (TileShift.at(motion.right), TileShift.at(motion.down))
        let side = unsafe TileSource.side
        let mine = unsafe reference.block(x: place.x, y: place.y, columns: side, rows: side, room.referenceBlock)
        let its = unsafe source.block(
            x: place.x + 2 * (right.whole - 1), y: place.y + 2 * (down.whole - 1), columns: 38, rows: 38, room.block)
        let offsets = unsafe reference.black - source.black * source.gain
        unsafe differTile(
            its.codes, its.stride, right.shift.weights, down.shift.weights * source.gain, offsets, mine.codes,
            mine.stride, room.tile, room.scratch)
        let isTransformed = unsafe options.mode != .speed
        if isFirst {
            unsafe level = TileLevel(of: mine, in: reference, noise: referenceNoise, isTransformed: isTransformed)
            unsafe sums.update(repeating: 0, count: FrequencySums.numbersOfTile)
        }
        let spread = unsafe Spread(level.variance(referenceNoise), level.variance(noise))
        let most = unsafe min(spread.ours / spread.theirs, Self.mostWeight)
        let result: Weighed
        if unsafe source.mayBeClipped(its, columns: 38, rows: 38) {
            unsafe result = Self.nothing(room)
        } else if isTransformed {
            unsafe result = weigh(place, motion, mine, spread, right.shift, down.shift, room)
        } else {
            unsafe result = weighWhole(spread, right.shift, down.shift, room)
        }
        let share = unsafe weightsOfExcess(result.excess, result.limit, most)
        unsafe addDifference(TileRoom.floats(result.tile), TileRoom.floats(result.excess), 1 / level.unit, sums)
        return share
    }

    /// A tile's differences, how far they exceed noise, and the excess that halves a weight.
    @unsafe private struct Weighed {
        let tile: UnsafeMutablePointer<SIMD16<Float>>
        let excess: UnsafeMutablePointer<SIMD16<Float>>
        let limit: Float
    }

    /// The noise of a tile's frequencies in the reference and in the frame, and that of the frame's signals by place.
    private struct Spread {
        let ours: Float
        let theirs: Float
        let theirPlaces: SIMD4<Float>

        init(_ mine: SIMD4<Float>, _ its: SIMD4<Float>) {
            ours = 256 * mine.sum()
            theirs = 256 * its.sum()
            theirPlaces = its
        }
    }

    private static func nothing(_ room: TileRoom) -> Weighed {
        unsafe room.tile.update(repeating: .zero, count: 64)
        unsafe room.excess.update(repeating: SIMD16(repeating: 1e9), count: 16)
        return unsafe Weighed(tile: room.tile, excess: room.excess, limit: 1)
    }

    /// Weighs frequency by frequency. Where a colour's own samples may fold detail all colours together are tried too,
    /// and the better fit is taken but for the lowest frequencies, which carry colour.
    private func weigh(
        _ place: (x: Int, y: Int), _ motion: MotionField.Motion, _ mine: TileSource.Block, _ spread: Spread,
        _ right: TileShift, _ down: TileShift, _ room: TileRoom
    ) -> Weighed {
        unsafe transformTile(room.tile, room.scratch)
        unsafe room.rowPower[0] = right.power
        let own = unsafe excessOfDifference(
            room.tile, spread.ours, spread.theirs, TileRoom.floats(room.rowPower),
            down.power, room.excess, room.scratch)
        let high = own.all - own.low
        let grey = unsafe high > 247 * Self.folding ? weighGrey(place, motion, mine, spread, room) : .infinity
        guard grey < high else { return unsafe weighed(room.tile, room.excess, own.all) }
        unsafe copyLowFrequencies(room.tile, room.excess, room.otherTile, room.otherExcess)
        return unsafe weighed(room.otherTile, room.otherExcess, own.low + grey)
    }

    private func weighed(
        _ tile: UnsafeMutablePointer<SIMD16<Float>>, _ excess: UnsafeMutablePointer<SIMD16<Float>>, _ sum: Float
    ) -> Weighed {
        let trust = unsafe max(1 / max(sum / 256 / Self.excess, 1), Self.leastTrust)
        let limit = unsafe Self.tolerance * Float(options.strength) * trust
        return unsafe Weighed(tile: tile, excess: excess, limit: max(limit, 1e-3))
    }

    /// The same difference with all colours taken together, in `room.otherTile`. Gives the excess of all but the lowest
    /// frequencies.
    private func weighGrey(
        _ place: (x: Int, y: Int), _ motion: MotionField.Motion, _ mine: TileSource.Block, _ spread: Spread,
        _ room: TileRoom
    ) -> Float {
        let (right, down) = (TileShift.at(2 * motion.right), TileShift.at(2 * motion.down))
        let (x, y) = (place.x + right.whole - 1, place.y + down.whole - 1)
        let its = unsafe source.block(x: x, y: y, columns: 36, rows: 35, room.block)
        var (gains, offsets) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        for index in 0..<4 {
            let there = ((y + index >> 1) & 1) << 1 + (x + index) & 1
            unsafe gains[index] = source.gain * balance[there]
            unsafe offsets[index] = -source.black[there] * gains[index]
        }
        unsafe differGreyTile(
            its.codes, its.stride, right.shift.weights, down.shift.weights, gains, offsets, mine.codes, mine.stride,
            1 / balance, reference.black, room.otherTile, room.scratch)
        unsafe transformTile(room.otherTile, room.scratch)
        let squares = unsafe balance * balance
        let light = (spread.theirPlaces * squares).sum() / 4 * right.shift.energy * down.shift.energy
        unsafe room.rowPower[0] = SIMD16(repeating: 1)
        let sums = unsafe excessOfDifference(
            room.otherTile, spread.ours, 256 * (light / squares).sum(),
            TileRoom.floats(room.rowPower), SIMD16(repeating: 1),
            room.otherExcess, room.scratch)
        return sums.all - sums.low
    }

    /// Weighs a tile as a whole, place by place.
    private func weighWhole(_ spread: Spread, _ right: TileShift, _ down: TileShift, _ room: TileRoom) -> Weighed {
        let noise = spread.ours + spread.theirs * right.energy * down.energy
        let excess = unsafe max(energyOfTile(room.tile) / noise - Self.excess, 0)
        unsafe room.excess.update(repeating: SIMD16(repeating: excess), count: 16)
        return unsafe Weighed(tile: room.tile, excess: room.excess, limit: max(0.3 * Float(options.strength), 1e-3))
    }
}
