internal import KernelTypes
internal import Kernels

// A noise profile is replaced only if it is off by more than a factor of two. Whether a tile differs by more than noise
// has to be decided more precisely, so the noise is measured in the differences of each frame.

extension TileMerge {
    /// About how many tiles are measured, and the fewest without clipped codes that tell the noise.
    private static let (tiles, fewestTiles) = (500.0, 16)
    /// The fraction of the measured tiles that differ less than the scale says: tiles that move or alias differ more.
    private static let quantile = 0.05
    /// The range of the scale; a profile that is worse is replaced.
    private static let range: ClosedRange<Float> = 0.5...2

    /// Returns the ratio of the noise energy of this frame's differences to that of the profile, measured in tiles that
    /// show nothing but noise; 1 if too few are free of clipped codes.
    func measuredNoise(_ grid: TileGrid) -> Float {
        let scratch = TileScratch()
        var energies: [Float] = []
        let distance = max(1, Int((Double(grid.count) / Self.tiles).squareRoot()))
        for row in stride(from: 1, to: grid.rows - 1, by: distance) {
            for column in stride(from: 1, to: grid.columns - 1, by: distance) {
                if let energy = energy(column, row, scratch) { energies.append(energy) }
            }
        }
        guard energies.count >= Self.fewestTiles else { return 1 }
        energies.sort()
        return energies[Int(Double(energies.count) * Self.quantile)].clamped(to: Self.range)
    }

    /// Returns the mean energy of a tile's middle frequencies in units of noise energy; nil if a code may be clipped.
    private func energy(_ column: Int, _ row: Int, _ scratch: borrowing TileScratch) -> Float? {
        let position = (x: 2 * TileGrid.start(column), y: 2 * TileGrid.start(row))
        let difference = source.subtract(
            reference, x: position.x, y: position.y, field.tile(column: column, row: row), scratch)
        let level = TileLevel(of: difference.reference, in: reference, noise: referenceNoise)
        let side = BurstTile.colorBlock
        guard level.clipped == .zero, !source.mayBeClipped(difference.frame, columns: side, rows: side) else {
            return nil
        }
        let energies = NoiseEnergies(level.variance(referenceNoise), level.variance(noise))
        _ = excess(of: difference, energies, scratch)
        return Self.middleEnergy(scratch.excess)
    }
}
