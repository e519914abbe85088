internal import KernelTypes

// Kernels that denoise a merged mosaic in tiles of 32×32 pixels, laid out as in TileTransform.swift, which overlap by
// half. A tile is multiplied by a window before its transform and again after it, so that its edges make no spurious
// frequencies.
//
// The four planes of a tile show nearly the same structure: their frequencies are divided into a common part, in the
// proportions of the tile's mean colour, and the rest, colour; each is Wiener-filtered by itself. The planes' pixels
// lie half a cell apart, so each plane's frequencies are first shifted to the first plane's position.

private typealias Tile = BurstTile

/// Loads a tile of codes, less each plane's mean, times the window across and down. Returns the means of the planes'
/// codes.
package func loadWindowedTile(
    _ codes: UnsafePointer<UInt16>, _ stride: Int, _ window: UnsafePointer<Float>,
    _ tile: UnsafeMutablePointer<SIMD16<Float>>
) -> SIMD4<Float> {
    let means = sumsOfTile(codes, stride) / Float(Tile.planeCount)
    let across = UnsafeRawPointer(window).loadUnaligned(as: SIMD16<Float>.self)
    for line in 0..<Tile.side {
        let position = 2 &* (line & 1)
        let factor = across * window[line >> 1]
        let target = tile + (position &* Tile.planeSide &+ line >> 1)
        let (even, odd) = cells(UnsafeRawPointer(codes + line &* stride))
        target[0] = (even - means[position]) * factor
        target[Tile.planeSide] = (odd - means[position &+ 1]) * factor
    }
    return means
}

/// Denoises the frequencies of a windowed tile.
///
/// `fractions` has the remaining fraction of the noise variance for each frequency, `deviations` the planes' standard
/// deviations of a frequency's noise where that fraction is 1, and `color` the colour of the common part: the planes'
/// proportions divided by their deviations, of length 1. `strength` is 1 for the usual amount. `shifts` has the cosines
/// and then the sines, 16 each, of the phase by which half a cell turns a frequency. `scratch` has
/// `BurstTile.denoisingRows` rows.
package func denoiseWindowedTile(
    _ tile: UnsafeMutablePointer<SIMD16<Float>>, _ fractions: UnsafePointer<SIMD16<Float>>,
    _ deviations: SIMD4<Float>, _ color: SIMD4<Float>, _ strength: Float, _ shifts: UnsafePointer<Float>,
    _ scratch: UnsafeMutablePointer<SIMD16<Float>>
) {
    let (common, rest) = (scratch, scratch + Tile.planeSide)
    let (takenOfCommon, takenOfRest) = (rest + Tile.planeSide, rest + 2 &* Tile.planeSide)
    let spectra = takenOfRest + Tile.planeSide
    let half = 0.5 / deviations
    for row in 0..<Tile.planeSide {
        let planes = separate(row, tile, half, shifts)
        let mean = planes.dot(color)
        let energy = mean.squared
        common[row] = energy
        let others = planes.energy - energy
        rest[row] = others.replacing(with: 0, where: others .< 0)
        planes.store(spectra + 8 &* row)
    }
    // The rest has three times the noise of the common part, because it has three dimensions. Less than all of it
    // counts, so that faint structure remains.
    let amounts = (
        common: amount(common, fractions, noise: 1, counted: 0.8, strength, takenOfCommon),
        rest: amount(rest, fractions, noise: 3, counted: 2.5, strength, takenOfRest)
    )
    for row in 0..<Tile.planeSide {
        let (forCommon, forRest) = (1 - takenOfCommon[row] * amounts.common, 1 - takenOfRest[row] * amounts.rest)
        let planes = Spectra(spectra + 8 &* row)
        let mean = planes.dot(color).times(forCommon - forRest)
        join(planes.mixed(forRest, mean, color), row, tile, deviations, shifts)
    }
}

/// Computes the fraction of each frequency that the Wiener filter takes, and returns how much of that is to be taken: 1
/// in flat tiles, less where the filter would take more structure than noise.
///
/// The tile's error after filtering can be estimated without the clean tile, from the noise and from the changes that
/// the filter makes (Stein's unbiased risk estimate). It is a quadratic function of the amount; the result is the
/// amount with the least error, but at most 1. `noise` is the noise energy where no noise was removed before, which is
/// the number of dimensions, and `counted` the part of it by which the filter goes.
@inline(__always)
private func amount(
    _ energies: UnsafePointer<SIMD16<Float>>, _ fractions: UnsafePointer<SIMD16<Float>>, noise: Float, counted: Float,
    _ strength: Float, _ taken: UnsafeMutablePointer<SIMD16<Float>>
) -> Float {
    var (gain, change) = (SIMD16<Float>.zero, SIMD16<Float>.zero)
    for row in 0..<Tile.planeSide {
        let level: Float = counted * strength
        let weight = weight(row, energies, removedNoise(fractions[row]) * level)
        let lost: SIMD16<Float> = 1 - weight.value
        let less: SIMD16<Float> = noise - weight.growth
        gain += fractions[row] * lost * less
        change += lost * lost * energies[row]
        taken[row] = lost
    }
    return min(strength * total(gain) / (total(change) + 1e-9), 1)
}

/// Returns the fractions of a frame's noise variance that are removed where these are left. Where many frames were
/// merged, it is what is left, and so that structure remains, the filter leaves some of it. A few frames leave so much
/// noise that it is seen before lost structure is: more is removed.
@inline(__always)
private func removedNoise(_ fractions: SIMD16<Float>) -> SIMD16<Float> {
    pointwiseMin(fractions + 12 * fractions * fractions * fractions, SIMD16(repeating: mostNoise))
}

/// The largest fraction of the noise variance that is removed from a tile. Where the frames disagree, nothing was
/// merged, and the filter would take fine print there for noise more often than where a few frames agree.
private var mostNoise: Float { 0.4 }

/// Adds to a tile, whose values are 256 times too large, its planes' means times the window. The result lacks the
/// second multiplication by the window.
package func restoreWindowedTile(
    _ tile: UnsafeMutablePointer<SIMD16<Float>>, _ means: SIMD4<Float>, _ window: UnsafePointer<Float>
) {
    let across = UnsafeRawPointer(window).loadUnaligned(as: SIMD16<Float>.self)
    for plane in 0..<4 {
        let mean = across * means[plane]
        for row in 0..<Tile.planeSide {
            let index = Tile.planeSide &* plane &+ row
            tile[index] = tile[index] * (1 / Float(Tile.planeCount)) + mean * window[row]
        }
    }
}

/// Stores a row of denoised codes, rounded to 16 bits. Codes from `white` up are clipped and remain as they were.
package func storeDenoisedRow(
    _ codes: UnsafePointer<UInt16>, _ denoised: UnsafePointer<Float>, _ white: UInt16,
    _ result: UnsafeMutablePointer<UInt16>, _ count: Int
) {
    for index in 0..<count {
        let value = codes[index] >= white ? Float(Int32(codes[index])) : denoised[index]
        // Adding 1.5 · 2²³ leaves no mantissa bits for a fraction, so the low bits of the sum hold the rounded value.
        result[index] = UInt16(truncatingIfNeeded: (min(max(value, 0), 65535) + 12_582_912).bitPattern)
    }
}

/// The Wiener weights of a row of frequencies.
private struct Weight {
    let value: SIMD16<Float>
    /// The derivative of the weight by the frequency's own energy, times that energy, over what the weight lacks to 1.
    let growth: SIMD16<Float>
}

/// Returns the Wiener weight of each frequency of a row. It is computed twice: first from the energy, averaged with
/// that of the four frequencies around, as strongly as leaves little noise; then from what the first weight leaves.
@inline(__always)
private func weight(_ row: Int, _ energies: UnsafePointer<SIMD16<Float>>, _ noise: SIMD16<Float>) -> Weight {
    let here = energies[row]
    let around = energies[(row &+ 1) & 15] + energies[(row &+ 15) & 15] + next(here) + previous(here)
    let energy = here * 0.5 + around * 0.125 + 1e-9
    let first = energy / (energy + noise * 2)
    let signal = energy * first * first
    let value = signal / (signal + noise)
    let part: SIMD16<Float> = 0.5 * here / energy
    let slope: SIMD16<Float> = 3 - 2 * first
    return Weight(value: value, growth: part * value * slope)
}

/// A row of 16 complex frequencies. It has methods in place of operators, which would make Swift 6.2 consider them in
/// each expression of the module: it takes minutes for that, and refuses some expressions.
private struct Frequencies {
    var re: SIMD16<Float>
    var im: SIMD16<Float>

    @inline(__always) var squared: SIMD16<Float> { re * re + im * im }

    @inline(__always)
    func plus(_ other: Frequencies) -> Frequencies { Frequencies(re: re + other.re, im: im + other.im) }

    @inline(__always)
    func times(_ factor: Float) -> Frequencies { Frequencies(re: re * factor, im: im * factor) }

    @inline(__always)
    func times(_ factors: SIMD16<Float>) -> Frequencies { Frequencies(re: re * factors, im: im * factors) }

    /// Returns the product with cos − i·sin.
    @inline(__always)
    func turned(_ cos: SIMD16<Float>, _ sin: SIMD16<Float>) -> Frequencies {
        Frequencies(re: re * cos + im * sin, im: im * cos - re * sin)
    }

    /// Returns the product with cos − i·sin.
    @inline(__always)
    func turned(_ cos: Float, _ sin: Float) -> Frequencies {
        Frequencies(re: re * cos + im * sin, im: im * cos - re * sin)
    }
}

/// A row of frequencies of each of the four planes.
private struct Spectra {
    var a: Frequencies
    var b: Frequencies
    var c: Frequencies
    var d: Frequencies

    @inline(__always)
    init(a: Frequencies, b: Frequencies, c: Frequencies, d: Frequencies) {
        (self.a, self.b, self.c, self.d) = (a, b, c, d)
    }

    @inline(__always)
    init(_ rows: UnsafePointer<SIMD16<Float>>) {
        a = Frequencies(re: rows[0], im: rows[1])
        b = Frequencies(re: rows[2], im: rows[3])
        c = Frequencies(re: rows[4], im: rows[5])
        d = Frequencies(re: rows[6], im: rows[7])
    }

    @inline(__always)
    func store(_ rows: UnsafeMutablePointer<SIMD16<Float>>) {
        (rows[0], rows[1], rows[2], rows[3]) = (a.re, a.im, b.re, b.im)
        (rows[4], rows[5], rows[6], rows[7]) = (c.re, c.im, d.re, d.im)
    }

    @inline(__always) var energy: SIMD16<Float> { a.squared + b.squared + c.squared + d.squared }

    @inline(__always)
    func dot(_ color: SIMD4<Float>) -> Frequencies {
        a.times(color[0]).plus(b.times(color[1])).plus(c.times(color[2])).plus(d.times(color[3]))
    }

    /// Returns the planes times `weight`, plus `mean` in a colour's proportions.
    @inline(__always)
    func mixed(_ weight: SIMD16<Float>, _ mean: Frequencies, _ color: SIMD4<Float>) -> Spectra {
        Spectra(
            a: a.times(weight).plus(mean.times(color[0])), b: b.times(weight).plus(mean.times(color[1])),
            c: c.times(weight).plus(mean.times(color[2])), d: d.times(weight).plus(mean.times(color[3])))
    }
}

/// Returns the frequencies of a row of the four planes, which the tile holds as two complex planes, at the first
/// plane's position, times twice `half`.
@inline(__always)
private func separate(
    _ row: Int, _ tile: UnsafePointer<SIMD16<Float>>, _ half: SIMD4<Float>, _ shifts: UnsafePointer<Float>
) -> Spectra {
    let upper = bothPlanes(row, tile)
    let lower = bothPlanes(row, tile + 2 &* Tile.planeSide)
    let (cos, sin) = phases(shifts)
    return Spectra(
        a: upper.first.times(half[0]), b: upper.second.times(half[1]).turned(shifts[row], shifts[row &+ 16]),
        c: lower.first.times(half[2]).turned(cos, sin),
        d: lower.second.times(half[3]).turned(shifts[row], shifts[row &+ 16]).turned(cos, sin))
}

/// Returns the cosines and sines of the phases of a row's lanes.
@inline(__always)
private func phases(_ shifts: UnsafePointer<Float>) -> (cos: SIMD16<Float>, sin: SIMD16<Float>) {
    let values = UnsafeRawPointer(shifts)
    return (
        values.loadUnaligned(as: SIMD16<Float>.self),
        values.loadUnaligned(fromByteOffset: 4 &* Tile.planeSide, as: SIMD16<Float>.self)
    )
}

/// Returns twice the frequencies of a row of the two real planes that are the real and the imaginary part of a complex
/// one: its even and its odd part.
@inline(__always)
private func bothPlanes(
    _ row: Int, _ plane: UnsafePointer<SIMD16<Float>>
) -> (first: Frequencies, second: Frequencies) {
    let other = (16 &- row) & 15
    let (re, im) = (plane[row], plane[row &+ Tile.planeSide])
    let (otherRe, otherIm) = (opposite(plane[other]), opposite(plane[other &+ Tile.planeSide]))
    return (Frequencies(re: re + otherRe, im: im - otherIm), Frequencies(re: im + otherIm, im: otherRe - re))
}

/// Stores a row of the four planes' frequencies as two complex planes, at the planes' own positions, times
/// `deviations`.
@inline(__always)
private func join(
    _ planes: Spectra, _ row: Int, _ tile: UnsafeMutablePointer<SIMD16<Float>>, _ deviations: SIMD4<Float>,
    _ shifts: UnsafePointer<Float>
) {
    let (cos, sin) = phases(shifts)
    let a = planes.a.times(deviations[0])
    let b = planes.b.times(deviations[1]).turned(shifts[row], -shifts[row &+ 16])
    let c = planes.c.times(deviations[2]).turned(cos, -sin)
    let d = planes.d.times(deviations[3]).turned(shifts[row], -shifts[row &+ 16]).turned(cos, -sin)
    tile[row] = a.re - b.im
    tile[row &+ Tile.planeSide] = a.im + b.re
    tile[row &+ 2 &* Tile.planeSide] = c.re - d.im
    tile[row &+ 3 &* Tile.planeSide] = c.im + d.re
}

/// Returns a row's values at the frequencies of opposite sign.
@inline(__always)
private func opposite(_ v: SIMD16<Float>) -> SIMD16<Float> {
    SIMD16(
        v[0], v[15], v[14], v[13], v[12], v[11], v[10], v[9], v[8], v[7], v[6], v[5], v[4], v[3], v[2], v[1])
}

/// Returns a row's values at the next higher frequencies.
@inline(__always)
private func next(_ v: SIMD16<Float>) -> SIMD16<Float> {
    SIMD16(
        v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15], v[0])
}

/// Returns a row's values at the next lower frequencies.
@inline(__always)
private func previous(_ v: SIMD16<Float>) -> SIMD16<Float> {
    SIMD16(
        v[15], v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14])
}
