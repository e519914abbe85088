internal import KernelTypes
internal import PixelMemory

// Whether a tile of a frame shows what the reference shows. Print on something that moved may hide in the noise of each
// frequency, and then seven frames without it leave little of it. The mean energy of many frequencies is far more
// precise: that of the middle ones of noise alone is 1 with a standard deviation of 0.08.

extension TileMerge {
    /// The mean energy of all differences, in units of noise energy, above which a tile gets less weight.
    private static let excess: Float = 1.2
    /// The mean energy of the middle frequencies above which a tile gets little weight. Aliasing of one colour's sparse
    /// samples raises the highest frequencies instead.
    private static let middleExcess: Float = 1.2
    /// The smallest factor for differences of the middle frequencies, and the smallest for all differences together.
    private static let (leastForMiddle, leastTrust) = (Float(0.15), Float(0.02))
    /// The largest of the middle frequencies, across and down; the nine lowest, up to 1, are not among them.
    private static let highest = 4
    private static let middleFrequencies = Float((2 * highest + 1) * (2 * highest + 1) - 9)
    /// 1 in the columns of the middle and the lowest frequencies, 0 in the others.
    private static let columns: SIMD16<Float> = {
        var columns = SIMD16<Float>.zero
        for column in -highest...highest { columns[column & 15] = 1 }
        return columns
    }()

    /// Returns the factor by which the tolerance of a tile's frequencies is multiplied. `excess` has the energy of its
    /// frequencies in units of noise energy; `sum` is their sum.
    static func trust(_ excess: MutableMemoryView<SIMD16<Float>>, _ sum: Float) -> Float {
        let agreement = min(Self.excess * Float(BurstTile.planeCount) / sum, 1)
        let square = min(middleExcess / middleEnergy(excess), 1).squared
        return max(agreement * max(square * square, leastForMiddle), leastTrust)
    }

    /// Returns the mean of a tile's middle frequencies.
    static func middleEnergy(_ excess: MutableMemoryView<SIMD16<Float>>) -> Float {
        var sum = SIMD16<Float>.zero
        var lowest: Float = 0
        for row in -highest...highest {
            let energies = excess[row & 15]
            sum += energies * columns
            if (-1...1).contains(row) { lowest += energies[15] + energies[0] + energies[1] }
        }
        return (sum.sum() - lowest) / middleFrequencies
    }
}

extension Float {
    fileprivate var squared: Float { self * self }
}
