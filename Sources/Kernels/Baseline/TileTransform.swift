internal import CProcessor
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

#if WIDEST_VECTORS
    /// The lanes of a row on which butterflies work at once: all, since 32 registers hold the operands.
    private typealias Lanes = SIMD16<Float>
#else
    /// The lanes of a row on which butterflies work at once: half of them, so that the four operands of a butterfly,
    /// real and imaginary, fit the registers.
    private typealias Lanes = SIMD8<Float>
#endif

/// A pointer to parts of rows: `Lanes` each.
private typealias Part = UnsafeMutablePointer<Lanes>

/// The number of parts of a row.
private var parts: Int { Tile.planeSide / Lanes.scalarCount }

/// Computes the 16-point Fourier transforms of 16 columns in two passes of four radix-4 butterflies, a
/// part of the columns at a time.
@inline(__always)
private func transformColumns(
    _ re: UnsafeMutablePointer<SIMD16<Float>>, _ im: UnsafeMutablePointer<SIMD16<Float>>,
    _ middle: UnsafeMutablePointer<SIMD16<Float>>, _ outRe: UnsafeMutablePointer<SIMD16<Float>>,
    _ outIm: UnsafeMutablePointer<SIMD16<Float>>
) {
    for part in 0..<parts {
        transformColumns(
            partsOf(re) + part, partsOf(im) + part, partsOf(middle), partsOf(middle) + 16, partsOf(outRe) + part,
            partsOf(outIm) + part)
    }
}

/// Returns a pointer to the parts of rows of 16 lanes.
@inline(__always)
private func partsOf(_ rows: UnsafeMutablePointer<SIMD16<Float>>) -> Part {
    UnsafeMutableRawPointer(rows).assumingMemoryBound(to: Lanes.self)
}

/// Computes the 16-point Fourier transforms of some columns. The intermediate rows are contiguous.
@inline(__always)
private func transformColumns(
    _ re: Part, _ im: Part, _ middleRe: Part, _ middleIm: Part, _ outRe: Part, _ outIm: Part
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
        let (toRe, toIm) = (outRe + parts &* q, outIm + parts &* q)
        (toRe[0], toIm[0]) = (aRe + cRe, aIm + cIm)
        (toRe[4 &* parts], toIm[4 &* parts]) = (bRe + dIm, bIm - dRe)
        (toRe[8 &* parts], toIm[8 &* parts]) = (aRe - cRe, aIm - cIm)
        (toRe[12 &* parts], toIm[12 &* parts]) = (bRe - dIm, bIm + dRe)
    }
}

/// Computes the radix-4 butterfly of rows j, j + 4, j + 8 and j + 12 and applies the twiddle factors.
@inline(__always)
private func butterflies(
    _ re: Part, _ im: Part, _ outRe: Part, _ outIm: Part, _ j: Int, _ cos1: Float, _ sin1: Float, _ cos2: Float,
    _ sin2: Float, _ cos3: Float, _ sin3: Float
) {
    let (fromRe, fromIm) = (re + parts &* j, im + parts &* j)
    let (first, second, third) = (4 &* parts, 8 &* parts, 12 &* parts)
    let (aRe, aIm) = (fromRe[0] + fromRe[second], fromIm[0] + fromIm[second])
    let (bRe, bIm) = (fromRe[0] - fromRe[second], fromIm[0] - fromIm[second])
    let (cRe, cIm) = (fromRe[first] + fromRe[third], fromIm[first] + fromIm[third])
    let (dRe, dIm) = (fromRe[first] - fromRe[third], fromIm[first] - fromIm[third])
    (outRe[j], outIm[j]) = (aRe + cRe, aIm + cIm)
    (outRe[j &+ 4], outIm[j &+ 4]) = turned(bRe + dIm, bIm - dRe, cos1, sin1)
    (outRe[j &+ 8], outIm[j &+ 8]) = turned(aRe - cRe, aIm - cIm, cos2, sin2)
    (outRe[j &+ 12], outIm[j &+ 12]) = turned(bRe - dIm, bIm + dRe, cos3, sin3)
}

/// Multiplies complex numbers by a twiddle factor. The factors are constants, so the compiler chooses the branch; it
/// would not leave out a product with 0, because the sign of a zero could differ.
@inline(__always)
private func turned(
    _ re: Lanes, _ im: Lanes, _ cos: Float, _ sin: Float
) -> (re: Lanes, im: Lanes) {
    if sin == 0, cos == 1 { return (re, im) }
    if sin == 1, cos == 0 { return (im, -re) }
    return (re * cos + im * sin, im * cos - re * sin)
}

/// Transposes 16×16 values.
@inline(__always)
private func transpose(_ from: UnsafeMutablePointer<SIMD16<Float>>, _ to: UnsafeMutablePointer<SIMD16<Float>>) {
    gscap_transpose(
        UnsafeRawPointer(from).assumingMemoryBound(to: Float.self),
        UnsafeMutableRawPointer(to).assumingMemoryBound(to: Float.self))
}
