internal import Demosaic
internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

/// A frame to be merged tile by tile, with its motion field and noise.
struct TileMerge {
    let reference: TileSource
    let source: TileSource
    let referenceNoise: CodeNoise
    let noise: CodeNoise
    let field: MotionField
    let options: FusionOptions
    /// The factor for each CFA position that turns signals into white-balanced values.
    let balance: SIMD4<Float>
    /// The noise energy of the frame's differences in units of the profile's (`measuredNoise`).
    var noiseScale: Float = 1

    /// The energy of a frequency's difference, in units of noise energy, at which its weight is halved if the fusion's
    /// strength is 1.
    private static let tolerance: Float = 4
    /// The mean energy of a tile's differences, in units of noise energy, above which the tile may contain aliasing:
    /// then the difference of all colours together, as one grey plane, is tried too.
    private static let folding: Float = 1.25
    /// The distance from the reference, in standard deviations of noise, beyond which a sample is an outlier, and the
    /// fraction of the squared distance for samples beside an outlier.
    private static let (outlier, besideOutlier) = (Float(4), Float(0.39))
    /// The most outliers of a tile that are small lights, and the most energy of its other samples in units of noise
    /// energy: more are texture or motion.
    private static let (mostOutliers, mostEnergy) = (Float(48), Float(1.2))
    /// The largest weight of a frequency; with larger ones the 16-bit sums of 64 frames would overflow.
    private static let mostWeight: Float = 1.99

    /// Adds a frame's tile to its sums; the first frame of a burst initialises `sums` and `level`. Returns the tile's
    /// mean weight.
    func add(
        _ column: Int, _ row: Int, to sums: MutableMemoryView<Int16>, _ level: inout TileLevel, _ isFirst: Bool,
        _ scratch: borrowing TileScratch
    ) -> Float {
        let position = (x: 2 * TileGrid.start(column), y: 2 * TileGrid.start(row))
        let motion = field.tile(column: column, row: row)
        let difference = source.subtract(reference, x: position.x, y: position.y, motion, scratch)
        let referenceBlock = difference.reference
        if isFirst {
            level = TileLevel(of: referenceBlock, in: reference, noise: referenceNoise)
        }
        let energies = NoiseEnergies(
            level.variance(referenceNoise) * noiseScale, level.variance(noise) * noiseScale)
        let most = min(energies.reference / energies.frame, Self.mostWeight)
        let result: Weighed
        if source.mayBeClipped(difference.frame, columns: BurstTile.colorBlock, rows: BurstTile.colorBlock) {
            result = Self.ignored(scratch)
        } else {
            removeLights(scratch, level, difference.right.energy * difference.down.energy)
            result = weigh(position, motion, difference, energies, scratch)
        }
        let meanWeight = unsafe weightsOfExcess(result.excess.pointer(BurstTile.planeSide), result.limit, most)
        let (tile, weights) = (result.tile.rebound(to: Float.self), result.excess.rebound(to: Float.self))
        if isFirst {
            unsafe storeDifference(
                tile.pointer(4 * BurstTile.planeCount), weights.pointer(BurstTile.planeCount), 1 / level.unit,
                sums.pointer(BurstTile.sumCount))
        } else {
            unsafe addDifference(
                tile.pointer(4 * BurstTile.planeCount), weights.pointer(BurstTile.planeCount), 1 / level.unit,
                sums.pointer(BurstTile.sumCount))
        }
        return meanWeight
    }

    /// Leaves small lights as they are in the reference, where the frame differs by more than noise: interpolation of
    /// sparse samples misses lights, and spreads their differences over so many frequencies that none stands out.
    /// `energy` is the fraction of the frame's noise that interpolation leaves.
    private func removeLights(_ scratch: borrowing TileScratch, _ level: TileLevel, _ energy: Float) {
        let variance = level.variance(referenceNoise) + level.variance(noise) * energy
        let limit = Self.outlier * Self.outlier
        _ = unsafe removeOutliers(
            scratch.tile.pointer(BurstTile.rows), limit * variance, Self.besideOutlier, Self.mostOutliers,
            Self.mostEnergy / limit * Float(4 * BurstTile.planeCount),
            scratch.kernelScratch.pointer(BurstTile.outlierRows))
    }

    /// The differences of a tile, their excess over noise, and the excess at which a weight is halved.
    private struct Weighed {
        let tile: MutableMemoryView<SIMD16<Float>>
        let excess: MutableMemoryView<SIMD16<Float>>
        let limit: Float
    }

    /// The expected noise energy of a tile's frequencies in the reference and in the frame, and the noise variance of
    /// the frame's signals for each CFA position.
    struct NoiseEnergies {
        let reference: Float
        let frame: Float
        let frameVariances: SIMD4<Float>

        init(_ reference: SIMD4<Float>, _ frame: SIMD4<Float>) {
            self.reference = 256 * reference.sum()
            self.frame = 256 * frame.sum()
            frameVariances = frame
        }
    }

    private static func ignored(_ scratch: borrowing TileScratch) -> Weighed {
        scratch.tile.update(repeating: .zero, count: BurstTile.rows)
        scratch.excess.update(repeating: SIMD16(repeating: 1e9), count: BurstTile.planeSide)
        return Weighed(tile: scratch.tile, excess: scratch.excess, limit: 1)
    }

    /// Weights the difference of a tile frequency by frequency. If one colour's samples may alias, the difference of
    /// all colours together is tried too; the better fit is used for all but the lowest frequencies, which carry the
    /// colour.
    private func weigh(
        _ position: (x: Int, y: Int), _ motion: MotionField.Motion, _ difference: TileSource.Difference,
        _ energies: NoiseEnergies, _ scratch: borrowing TileScratch
    ) -> Weighed {
        let own = excess(of: difference, energies, scratch)
        let high = own.all - own.low
        let grey =
            high > 247 * Self.folding
            ? weighGrey(position, motion, difference.reference, energies, scratch) : .infinity
        guard grey < high else { return weighed(scratch.tile, scratch.excess, own.all) }
        unsafe copyLowFrequencies(
            scratch.tile.pointer(BurstTile.rows), scratch.excess.pointer(BurstTile.planeSide),
            scratch.otherTile.pointer(BurstTile.rows), scratch.otherExcess.pointer(BurstTile.planeSide))
        return weighed(scratch.otherTile, scratch.otherExcess, own.low + grey)
    }

    /// Transforms the difference in `scratch.tile` and computes the excess of its frequencies into `scratch.excess`.
    /// Returns the sum of the excess of all frequencies and that of the nine lowest.
    func excess(
        of difference: TileSource.Difference, _ energies: NoiseEnergies, _ scratch: borrowing TileScratch
    ) -> (all: Float, low: Float) {
        unsafe transformTile(scratch.tile.pointer(BurstTile.rows), scratch.kernelScratch.pointer(BurstTile.rows))
        scratch.rowPower[0] = difference.right.power
        return unsafe noiseExcess(
            scratch.tile.pointer(BurstTile.rows), energies.reference, energies.frame,
            scratch.rowPower.rebound(to: Float.self).pointer(BurstTile.planeSide), difference.down.power,
            scratch.excess.pointer(BurstTile.planeSide), scratch.kernelScratch.pointer(BurstTile.energyRows))
    }

    private func weighed(
        _ tile: MutableMemoryView<SIMD16<Float>>, _ excess: MutableMemoryView<SIMD16<Float>>, _ sum: Float
    ) -> Weighed {
        let limit = Self.tolerance * Float(options.strength) * Self.trust(excess, sum)
        return Weighed(tile: tile, excess: excess, limit: max(limit, 1e-3))
    }

    /// Computes the difference with all colours together into `scratch.otherTile`. Returns the excess of all but the
    /// lowest frequencies.
    private func weighGrey(
        _ position: (x: Int, y: Int), _ motion: MotionField.Motion, _ referenceBlock: TileSource.Block,
        _ energies: NoiseEnergies,
        _ scratch: borrowing TileScratch
    ) -> Float {
        let (right, down) = (TileShift.at(2 * motion.right), TileShift.at(2 * motion.down))
        let (x, y) = (position.x + right.whole - 1, position.y + down.whole - 1)
        let frameBlock = source.block(
            x: x, y: y, columns: BurstTile.greyBlockColumns, rows: BurstTile.greyBlockRows, scratch.block)
        var (gains, offsets) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        for index in 0..<4 {
            let there = ((y + index >> 1) & 1) << 1 + (x + index) & 1
            gains[index] = source.gain * balance[there]
            offsets[index] = -source.black[there] * gains[index]
        }
        unsafe subtractReferenceGreyTile(
            frameBlock.codes.pointer(
                columns: BurstTile.greyBlockColumns, rows: BurstTile.greyBlockRows, stride: frameBlock.stride),
            frameBlock.stride, right.shift.weights, down.shift.weights, gains, offsets,
            referenceBlock.codes.pointer(
                columns: BurstTile.side, rows: BurstTile.side, stride: referenceBlock.stride),
            referenceBlock.stride, 1 / balance, reference.black, scratch.otherTile.pointer(BurstTile.rows),
            scratch.kernelScratch.pointer(BurstTile.subtractRows))
        unsafe transformTile(scratch.otherTile.pointer(BurstTile.rows), scratch.kernelScratch.pointer(BurstTile.rows))
        let squares = balance * balance
        let variance = (energies.frameVariances * squares).sum() / 4 * right.shift.energy * down.shift.energy
        scratch.rowPower[0] = SIMD16(repeating: 1)
        let sums = unsafe noiseExcess(
            scratch.otherTile.pointer(BurstTile.rows), energies.reference, 256 * (variance / squares).sum(),
            scratch.rowPower.rebound(to: Float.self).pointer(BurstTile.planeSide), SIMD16(repeating: 1),
            scratch.otherExcess.pointer(BurstTile.planeSide), scratch.kernelScratch.pointer(BurstTile.energyRows))
        return sums.all - sums.low
    }
}
