internal import KernelTypes

// Kernels of the Fourier transform of tiles of 32×32 mosaic pixels: 16×16 for each of the four CFA positions. A tile's
// four planes are stored as two complex planes of 16 rows (real and imaginary part: first and second column of the
// Bayer cell), one after another: 64 rows of 16 lanes.

private typealias Tile = BurstTile

/// Computes the 16×16 spatial frequencies of a tile's planes, in place, with rows and columns exchanged; `scratch` has
/// `BurstTile.rows` rows. `invertTile` then gives the planes times 256.
package func transformTile(_ tile: UnsafeMutablePointer<SIMD16<Float>>, _ scratch: UnsafeMutablePointer<SIMD16<Float>>)
{
    transformPlane(tile, tile + Tile.planeSide, scratch)
    transformPlane(tile + 2 &* Tile.planeSide, tile + 3 &* Tile.planeSide, scratch)
}

/// Transforms a tile's frequencies back to its planes times 256, in place: the forward transform with real and
/// imaginary parts exchanged. `scratch` has `BurstTile.rows` rows.
package func invertTile(_ tile: UnsafeMutablePointer<SIMD16<Float>>, _ scratch: UnsafeMutablePointer<SIMD16<Float>>) {
    transformPlane(tile + Tile.planeSide, tile, scratch)
    transformPlane(tile + 3 &* Tile.planeSide, tile + 2 &* Tile.planeSide, scratch)
}

/// Computes the 16×16 Fourier transform of a complex plane in place, with rows and columns of the result exchanged.
@inline(__always)
private func transformPlane(
    _ re: UnsafeMutablePointer<SIMD16<Float>>, _ im: UnsafeMutablePointer<SIMD16<Float>>,
    _ scratch: UnsafeMutablePointer<SIMD16<Float>>
) {
    let (otherRe, otherIm) = (scratch + 2 &* Tile.planeSide, scratch + 3 &* Tile.planeSide)
    transformColumns(re, im, scratch, re, im)
    transpose(re, otherRe)
    transpose(im, otherIm)
    transformColumns(otherRe, otherIm, scratch, re, im)
}

/// A pointer to half rows: eight of a row's 16 lanes. The four operands of a butterfly, real and imaginary, then fit
/// the registers.
private typealias Half = UnsafeMutablePointer<SIMD8<Float>>

/// Computes the 16-point Fourier transforms of 16 columns in two passes of four radix-4 butterflies, eight columns at a
/// time.
@inline(__always)
private func transformColumns(
    _ re: UnsafeMutablePointer<SIMD16<Float>>, _ im: UnsafeMutablePointer<SIMD16<Float>>,
    _ middle: UnsafeMutablePointer<SIMD16<Float>>, _ outRe: UnsafeMutablePointer<SIMD16<Float>>,
    _ outIm: UnsafeMutablePointer<SIMD16<Float>>
) {
    for half in 0..<2 {
        transformColumns(
            halves(re) + half, halves(im) + half, halves(middle), halves(middle) + 16, halves(outRe) + half,
            halves(outIm) + half)
    }
}

/// Returns a pointer to the half rows of rows of 16 lanes.
@inline(__always)
private func halves(_ rows: UnsafeMutablePointer<SIMD16<Float>>) -> Half {
    UnsafeMutableRawPointer(rows).assumingMemoryBound(to: SIMD8<Float>.self)
}

/// Computes the 16-point Fourier transforms of eight columns. Input and output advance by two half rows per row, the
/// intermediate rows by one.
@inline(__always)
private func transformColumns(
    _ re: Half, _ im: Half, _ middleRe: Half, _ middleIm: Half, _ outRe: Half, _ outIm: Half
) {
    // The twiddle factors cos(kπ/8) for k = 1 to 3.
    let (c1, c2, c3): (Float, Float, Float) = (0.923_879_53, 0.707_106_78, 0.382_683_43)
    butterflies(re, im, middleRe, middleIm, 0, 1, 0, 1, 0, 1, 0)
    butterflies(re, im, middleRe, middleIm, 1, c1, c3, c2, c2, c3, c1)
    butterflies(re, im, middleRe, middleIm, 2, c2, c2, 0, 1, -c2, c2)
    butterflies(re, im, middleRe, middleIm, 3, c3, c1, -c2, c2, -c1, -c3)
    for q in 0..<4 {
        let (inRe, inIm) = (middleRe + 4 &* q, middleIm + 4 &* q)
        let (aRe, aIm) = (inRe[0] + inRe[2], inIm[0] + inIm[2])
        let (bRe, bIm) = (inRe[0] - inRe[2], inIm[0] - inIm[2])
        let (cRe, cIm) = (inRe[1] + inRe[3], inIm[1] + inIm[3])
        let (dRe, dIm) = (inRe[1] - inRe[3], inIm[1] - inIm[3])
        let (toRe, toIm) = (outRe + 2 &* q, outIm + 2 &* q)
        (toRe[0], toIm[0]) = (aRe + cRe, aIm + cIm)
        (toRe[8], toIm[8]) = (bRe + dIm, bIm - dRe)
        (toRe[16], toIm[16]) = (aRe - cRe, aIm - cIm)
        (toRe[24], toIm[24]) = (bRe - dIm, bIm + dRe)
    }
}

/// Computes the radix-4 butterfly of rows j, j + 4, j + 8 and j + 12 and applies the twiddle factors.
@inline(__always)
private func butterflies(
    _ re: Half, _ im: Half, _ outRe: Half, _ outIm: Half, _ j: Int, _ cos1: Float, _ sin1: Float, _ cos2: Float,
    _ sin2: Float, _ cos3: Float, _ sin3: Float
) {
    let (fromRe, fromIm) = (re + 2 &* j, im + 2 &* j)
    let (aRe, aIm) = (fromRe[0] + fromRe[16], fromIm[0] + fromIm[16])
    let (bRe, bIm) = (fromRe[0] - fromRe[16], fromIm[0] - fromIm[16])
    let (cRe, cIm) = (fromRe[8] + fromRe[24], fromIm[8] + fromIm[24])
    let (dRe, dIm) = (fromRe[8] - fromRe[24], fromIm[8] - fromIm[24])
    (outRe[j], outIm[j]) = (aRe + cRe, aIm + cIm)
    (outRe[j &+ 4], outIm[j &+ 4]) = turned(bRe + dIm, bIm - dRe, cos1, sin1)
    (outRe[j &+ 8], outIm[j &+ 8]) = turned(aRe - cRe, aIm - cIm, cos2, sin2)
    (outRe[j &+ 12], outIm[j &+ 12]) = turned(bRe - dIm, bIm + dRe, cos3, sin3)
}

/// Multiplies complex numbers by a twiddle factor. The factors are constants, so the compiler chooses the branch; it
/// would not leave out a product with 0, because the sign of a zero could differ.
@inline(__always)
private func turned(
    _ re: SIMD8<Float>, _ im: SIMD8<Float>, _ cos: Float, _ sin: Float
) -> (re: SIMD8<Float>, im: SIMD8<Float>) {
    if sin == 0, cos == 1 { return (re, im) }
    if sin == 1, cos == 0 { return (im, -re) }
    return (re * cos + im * sin, im * cos - re * sin)
}

/// Transposes 16×16 values, in blocks of 4×4 that fit registers.
@inline(__always)
private func transpose(_ from: UnsafeMutablePointer<SIMD16<Float>>, _ to: UnsafeMutablePointer<SIMD16<Float>>) {
    let source = UnsafeRawPointer(from)
    let target = UnsafeMutableRawPointer(to)
    for row in 0..<4 {
        for column in 0..<4 {
            let block = source + (256 &* row &+ 16 &* column)
            let a = block.loadUnaligned(as: SIMD4<Float>.self)
            let b = block.loadUnaligned(fromByteOffset: 64, as: SIMD4<Float>.self)
            let c = block.loadUnaligned(fromByteOffset: 128, as: SIMD4<Float>.self)
            let d = block.loadUnaligned(fromByteOffset: 192, as: SIMD4<Float>.self)
            let turned = target + (256 &* column &+ 16 &* row)
            turned.storeBytes(of: SIMD4(a[0], b[0], c[0], d[0]), as: SIMD4<Float>.self)
            turned.storeBytes(of: SIMD4(a[1], b[1], c[1], d[1]), toByteOffset: 64, as: SIMD4<Float>.self)
            turned.storeBytes(of: SIMD4(a[2], b[2], c[2], d[2]), toByteOffset: 128, as: SIMD4<Float>.self)
            turned.storeBytes(of: SIMD4(a[3], b[3], c[3], d[3]), toByteOffset: 192, as: SIMD4<Float>.self)
        }
    }
}
