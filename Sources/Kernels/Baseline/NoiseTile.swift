internal import KernelTypes

// Kernels that measure the noise of tiles of 32×32 mosaic pixels, each CFA position on its own.

private typealias Tile = BurstTile

/// Measures a tile for its noise: the sums of its codes, and the sums of the squares of a residual from which the scene
/// is nearly gone. The residual is the second difference across of the second difference down, between pixels of one
/// colour; its variance is 36 times that of the noise. Each sum of squares has 14×16 terms. Two columns on both sides
/// of the tile are read as well.
package func residualsOfTile(
    _ codes: UnsafePointer<UInt16>, _ stride: Int
) -> (sums: SIMD4<Float>, squares: SIMD4<Float>) {
    var (sums, squares) = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 0))
    for parity in 0..<2 {
        let zero = SIMD16<Float>(repeating: 0)
        var (evenSum, oddSum, evenSquares, oddSquares) = (zero, zero, zero, zero)
        // The second differences across of the last two rows of this parity.
        var (evenBefore, oddBefore, evenLast, oddLast) = (zero, zero, zero, zero)
        for row in 0..<Tile.planeSide {
            let from = codes + (2 &* row &+ parity) &* stride
            let (left, here) = (cells(UnsafeRawPointer(from - 2)), cells(UnsafeRawPointer(from)))
            let right = cells(UnsafeRawPointer(from + 2))
            let even = left.even + right.even - 2 * here.even
            let odd = left.odd + right.odd - 2 * here.odd
            evenSum += here.even
            oddSum += here.odd
            if row >= 2 {
                let (evenRest, oddRest) = (evenBefore + even - 2 * evenLast, oddBefore + odd - 2 * oddLast)
                evenSquares += evenRest * evenRest
                oddSquares += oddRest * oddRest
            }
            (evenBefore, oddBefore, evenLast, oddLast) = (evenLast, oddLast, even, odd)
        }
        sums[2 &* parity] = total(evenSum)
        sums[2 &* parity &+ 1] = total(oddSum)
        squares[2 &* parity] = total(evenSquares)
        squares[2 &* parity &+ 1] = total(oddSquares)
    }
    return (sums, squares)
}

/// Returns the sums of a tile's values and of their squares, for each of its four planes.
package func momentsOfTile(_ tile: UnsafePointer<SIMD16<Float>>) -> (sums: SIMD4<Float>, squares: SIMD4<Float>) {
    var (sums, squares) = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 0))
    for plane in 0..<4 {
        var (sum, square) = (SIMD16<Float>(repeating: 0), SIMD16<Float>(repeating: 0))
        for row in 0..<Tile.planeSide {
            let values = tile[plane &* Tile.planeSide &+ row]
            sum += values
            square += values * values
        }
        sums[plane] = total(sum)
        squares[plane] = total(square)
    }
    return (sums, squares)
}
