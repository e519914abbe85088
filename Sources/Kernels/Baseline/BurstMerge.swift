// Loops of burst merging, on tiles of 32×32 mosaic pixels: 16×16 of each of the four places of the cell. A tile's four
// planes travel as two complex planes of 16 rows (real and imaginary part: first and second column of the cell), one
// after the other in memory: 64 rows of sixteen lanes. `transformTile` turns them into frequencies and back.

/// Reads a tile of codes as signals: less black, times a gain. `black` has four values.
package func loadTile(
    _ codes: UnsafePointer<UInt16>, _ stride: Int, _ black: UnsafePointer<Float>, _ gain: Float,
    _ tile: UnsafeMutablePointer<SIMD16<Float>>
) {
    let target = UnsafeMutableRawPointer(tile).assumingMemoryBound(to: Float.self)
    for line in 0..<32 {
        let from = codes + line &* stride
        let place = 2 &* (line & 1)
        let (black0, black1) = (black[place], black[place &+ 1])
        let even = target + (512 &* (line & 1) &+ 16 &* (line >> 1))
        let odd = even + 256
        for column in 0..<16 {
            even[column] = signal(from[2 &* column], black0, gain)
            odd[column] = signal(from[2 &* column &+ 1], black1, gain)
        }
    }
}

@inline(__always)
private func signal(_ code: UInt16, _ black: Float, _ gain: Float) -> Float {
    (Float(Int32(code)) - black) * gain
}

/// The highest code of a tile.
package func highestCode(_ codes: UnsafePointer<UInt16>, _ stride: Int) -> UInt16 {
    var highest: UInt16 = 0
    for line in 0..<32 {
        let from = codes + line &* stride
        for column in 0..<32 { highest = max(highest, from[column]) }
    }
    return highest
}

/// A tile's planes to 16×16 frequencies, in place; `scratch` has 64 rows. Frequencies come out with rows and columns
/// exchanged. Twice, with real and imaginary parts exchanged between, gives the planes back, 256 times as large.
package func transformTile(_ tile: UnsafeMutablePointer<SIMD16<Float>>, _ scratch: UnsafeMutablePointer<SIMD16<Float>>)
{
    transformPlane(tile, tile + 16, scratch)
    transformPlane(tile + 32, tile + 48, scratch)
}

/// `transformTile` from frequencies to planes, in place.
package func invertTile(_ tile: UnsafeMutablePointer<SIMD16<Float>>, _ scratch: UnsafeMutablePointer<SIMD16<Float>>) {
    transformPlane(tile + 16, tile, scratch)
    transformPlane(tile + 48, tile + 32, scratch)
}

@inline(__always)
private func transformPlane(
    _ re: UnsafeMutablePointer<SIMD16<Float>>, _ im: UnsafeMutablePointer<SIMD16<Float>>,
    _ scratch: UnsafeMutablePointer<SIMD16<Float>>
) {
    let (otherRe, otherIm) = (scratch + 32, scratch + 48)
    transformColumns(re, im, scratch, scratch + 16)
    transpose(re, otherRe)
    transpose(im, otherIm)
    transformColumns(otherRe, otherIm, scratch, scratch + 16)
    for row in 0..<16 {
        re[row] = otherRe[row]
        im[row] = otherIm[row]
    }
}

/// The 16-point transforms of sixteen columns side by side, in place: four butterflies of four, twice.
@inline(__always)
private func transformColumns(
    _ re: UnsafeMutablePointer<SIMD16<Float>>, _ im: UnsafeMutablePointer<SIMD16<Float>>,
    _ middleRe: UnsafeMutablePointer<SIMD16<Float>>, _ middleIm: UnsafeMutablePointer<SIMD16<Float>>
) {
    // Cosines of multiples of a 16th of a turn.
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
        (re[q], im[q]) = (aRe + cRe, aIm + cIm)
        (re[q &+ 4], im[q &+ 4]) = (bRe + dIm, bIm - dRe)
        (re[q &+ 8], im[q &+ 8]) = (aRe - cRe, aIm - cIm)
        (re[q &+ 12], im[q &+ 12]) = (bRe - dIm, bIm + dRe)
    }
}

/// The butterfly of rows j, j + 4, j + 8, j + 12; its results are turned by the angles of the given cosines and sines.
@inline(__always)
private func butterflies(
    _ re: UnsafeMutablePointer<SIMD16<Float>>, _ im: UnsafeMutablePointer<SIMD16<Float>>,
    _ outRe: UnsafeMutablePointer<SIMD16<Float>>, _ outIm: UnsafeMutablePointer<SIMD16<Float>>, _ j: Int,
    _ cos1: Float, _ sin1: Float, _ cos2: Float, _ sin2: Float, _ cos3: Float, _ sin3: Float
) {
    let (aRe, aIm) = (re[j] + re[j &+ 8], im[j] + im[j &+ 8])
    let (bRe, bIm) = (re[j] - re[j &+ 8], im[j] - im[j &+ 8])
    let (cRe, cIm) = (re[j &+ 4] + re[j &+ 12], im[j &+ 4] + im[j &+ 12])
    let (dRe, dIm) = (re[j &+ 4] - re[j &+ 12], im[j &+ 4] - im[j &+ 12])
    outRe[j] = aRe + cRe
    outIm[j] = aIm + cIm
    let (oneRe, oneIm) = (bRe + dIm, bIm - dRe)
    outRe[j &+ 4] = oneRe * cos1 + oneIm * sin1
    outIm[j &+ 4] = oneIm * cos1 - oneRe * sin1
    let (twoRe, twoIm) = (aRe - cRe, aIm - cIm)
    outRe[j &+ 8] = twoRe * cos2 + twoIm * sin2
    outIm[j &+ 8] = twoIm * cos2 - twoRe * sin2
    let (threeRe, threeIm) = (bRe - dIm, bIm + dRe)
    outRe[j &+ 12] = threeRe * cos3 + threeIm * sin3
    outIm[j &+ 12] = threeIm * cos3 - threeRe * sin3
}

/// Rows become columns, in blocks of 4×4 that fit registers.
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

/// Shifts a tile's content by turning its frequencies: four rows of cosines and sines, of the shift to the right and
/// of that down, one lane a frequency.
package func shiftTile(_ tile: UnsafeMutablePointer<SIMD16<Float>>, _ ramps: UnsafePointer<SIMD16<Float>>) {
    let (cosDown, sinDown) = (ramps[2], ramps[3])
    for row in 0..<16 {
        let (cosRight, sinRight) = (ramps[0][row], ramps[1][row])
        let cos = cosDown * cosRight - sinDown * sinRight
        let sin = cosDown * sinRight + sinDown * cosRight
        for plane in 0..<2 {
            let re = tile + (32 &* plane &+ row)
            let im = re + 16
            let (a, b) = (re[0], im[0])
            re[0] = a * cos - b * sin
            im[0] = a * sin + b * cos
        }
    }
}

/// Weighs each frequency of a tile by how well it agrees with the reference's, in units of the noise of their
/// difference: `most` · c² / (x² + c²), less where the tile as a whole differs by more than noise. The weights go into
/// `weights` (16 rows); `scratch` has 18 rows. Gives their mean over `most`.
package func weighTile(
    _ reference: UnsafePointer<SIMD16<Float>>, _ tile: UnsafePointer<SIMD16<Float>>, _ noise: Float,
    _ tolerance: Float, _ most: Float, _ weights: UnsafeMutablePointer<SIMD16<Float>>,
    _ scratch: UnsafeMutablePointer<SIMD16<Float>>
) -> Float {
    // Rows of 17: the last repeats the first, so that a row can be read backward from frequency 0.
    let energy = UnsafeMutableRawPointer(scratch)
    var total = SIMD16<Float>(repeating: 0)
    for row in 0..<16 {
        let a = reference[row] - tile[row]
        let b = reference[row &+ 16] - tile[row &+ 16]
        let c = reference[row &+ 32] - tile[row &+ 32]
        let d = reference[row &+ 48] - tile[row &+ 48]
        let sum = a * a + b * b + c * c + d * d
        energy.storeBytes(of: sum, toByteOffset: 68 &* row, as: SIMD16<Float>.self)
        energy.storeBytes(of: sum[0], toByteOffset: 68 &* row &+ 64, as: Float.self)
        total += sum
    }
    let excess = max(total.sum() / (256 * noise) / 1.2, 1)
    let limit = tolerance * max(1 / excess, 0.02)
    let (square, scale) = (limit * limit, 0.5 / noise)
    let values = energy.assumingMemoryBound(to: Float.self)
    let target = UnsafeMutableRawPointer(weights).assumingMemoryBound(to: Float.self)
    var sum = SIMD16<Float>(repeating: 0)
    for row in 0..<16 {
        let ahead = values + 17 &* row
        let back = values + 17 &* ((16 &- row) & 15)
        for lane in 0..<16 {
            let x = (ahead[lane] + back[16 &- lane]) * scale
            target[16 &* row &+ lane] = most * square / (x * x + square)
        }
        sum += weights[row]
    }
    return sum.sum() / (256 * most)
}

/// Adds a weighted tile to sums of 80 rows: the four parts and the weights. The first of a burst brings the reference
/// with it, at weight 1.
package func addTile(
    _ tile: UnsafePointer<SIMD16<Float>>, _ weights: UnsafePointer<SIMD16<Float>>,
    _ reference: UnsafePointer<SIMD16<Float>>, _ isFirst: Bool, _ sums: UnsafeMutablePointer<SIMD16<Float>>
) {
    for row in 0..<16 {
        let weight = weights[row]
        for part in 0..<4 {
            let index = 16 &* part &+ row
            sums[index] = (isFirst ? reference[index] : sums[index]) + tile[index] * weight
        }
        sums[64 &+ row] = (isFirst ? SIMD16(repeating: 1) : sums[64 &+ row]) + weight
    }
}

/// The mean of what was summed. Gives the sum of the inverse weights: what is left of the noise of 256 frequencies.
package func averageTile(_ sums: UnsafePointer<SIMD16<Float>>, _ tile: UnsafeMutablePointer<SIMD16<Float>>) -> Float {
    var rest = SIMD16<Float>(repeating: 0)
    for row in 0..<16 {
        let inverse = 1 / sums[64 &+ row]
        for part in 0..<4 { tile[16 &* part &+ row] = sums[16 &* part &+ row] * inverse }
        rest += inverse
    }
    return rest.sum()
}

/// Adds some rows of a tile's planes, under a window, to a mosaic of signals.
package func overlayTile(
    _ tile: UnsafePointer<SIMD16<Float>>, _ firstRow: Int, _ rowCount: Int, _ window: UnsafePointer<Float>,
    _ target: UnsafeMutablePointer<Float>, _ stride: Int
) {
    let values = UnsafeRawPointer(tile).assumingMemoryBound(to: Float.self)
    for row in 0..<rowCount {
        let height = window[firstRow &+ row] * (1 / 256)
        for line in 0..<2 {
            let even = values + (512 &* line &+ 16 &* (firstRow &+ row))
            let odd = even + 256
            let to = target + (2 &* row &+ line) &* stride
            for column in 0..<16 {
                let weight = height * window[column]
                to[2 &* column] += even[column] * weight
                to[2 &* column &+ 1] += odd[column] * weight
            }
        }
    }
}

/// Signals to codes, rounded. `black0` and `black1` are the codes of no signal in even and odd columns.
package func roundRow(
    _ signals: UnsafePointer<Float>, _ scale: Float, _ black0: Float, _ black1: Float,
    _ codes: UnsafeMutablePointer<UInt16>, _ count: Int
) {
    for pair in 0..<count / 2 {
        codes[2 &* pair] = code(signals[2 &* pair] * scale + black0)
        codes[2 &* pair &+ 1] = code(signals[2 &* pair &+ 1] * scale + black1)
    }
    if count & 1 == 1 { codes[count &- 1] = code(signals[count &- 1] * scale + black0) }
}

/// Rounds by adding a number so large that no fraction fits beside it: its low bits are then the whole number.
@inline(__always)
private func code(_ value: Float) -> UInt16 {
    UInt16(truncatingIfNeeded: (min(max(value, 0), 65535) + 12_582_912).bitPattern)
}
