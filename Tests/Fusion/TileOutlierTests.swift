import BurstScenes
import KernelTypes
import Kernels
import KernelsBaseline
import KernelsV3
import KernelsV4
import Testing

/// Tests that the builds of the kernel that removes outliers from tiles remove the same, correct samples.
@Suite(.enabled(if: hasWideVectors)) struct TileOutlierTests {
    private let limits = SIMD4<Float>(16, 32, 48, 64)

    /// A tile of noise within the limits, with outliers in a corner and in the middle, and one smaller value beside
    /// the latter.
    private var tile: [SIMD16<Float>] {
        var random = Random(3)
        var tile = (0..<64).map { _ in SIMD16<Float>((0..<16).map { _ in random.uniform(-0.9, 0.9) }) }
        tile[0][0] = 30
        tile[16 + 7][8] = -9
        tile[48 + 8][9] = 6
        tile[48 + 12][9] = 6
        return tile
    }

    /// Calls each build of the kernel; returns the tiles and whether outliers were removed.
    private func results(most: Float, rest: Float) -> [(tile: [SIMD16<Float>], isChanged: Bool)] {
        let kernels = unsafe [
            KernelsBaseline.removeOutliers, KernelsV3.removeOutliers,
            hasWidestVectors ? KernelsV4.removeOutliers : KernelsV3.removeOutliers,
        ]
        return unsafe kernels.map { removeOutliers in
            var (tile, scratch) = (tile, [SIMD16<Float>](repeating: .zero, count: BurstTile.outlierRows))
            let isChanged = unsafe removeOutliers(&tile, limits, 0.25, most, rest, &scratch)
            return (tile, isChanged)
        }
    }

    @Test func outliersAndWhatIsBesideThemAreRemoved() {
        var expected = tile
        (expected[0][0], expected[16 + 7][8], expected[48 + 8][9]) = (0, 0, 0)
        for result in results(most: 2, rest: 1e3) {
            #expect(result.isChanged)
            #expect(result.tile == expected)
        }
    }

    @Test func tilesOfTextureRemain() {
        for result in results(most: 1, rest: 1e3) + results(most: 2, rest: 1) {
            #expect(!result.isChanged)
            #expect(result.tile == tile)
        }
    }
}
