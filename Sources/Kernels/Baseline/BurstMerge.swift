internal import CProcessor

// Loops of burst merging, on tiles of 32×32 mosaic pixels as TileTransform has them. What is merged of a frame is its
// difference from the reference: where nothing differs nothing can go wrong, and differences fit 16 bits.

/// What a frame shows at a tile's place less the reference, each colour interpolated among its own samples.
///
/// `codes` points at the cell before the tile's first in both directions, 38 lines are read. `across` and `down` weigh
/// four neighbours each and make signals of codes, to which one of four `offsets` is added. `room` has 190 rows.
package func differTile(
    _ codes: UnsafePointer<UInt16>, _ stride: Int, _ across: SIMD4<Float>, _ down: SIMD4<Float>,
    _ offsets: SIMD4<Float>, _ reference: UnsafePointer<UInt16>, _ referenceStride: Int,
    _ tile: UnsafeMutablePointer<SIMD16<Float>>, _ room: UnsafeMutablePointer<SIMD16<Float>>
) {
    let split = UnsafeMutableRawPointer(room + 76)
    for line in 0..<38 {
        gscap_expect(codes + (line &* stride &+ ahead))
        splitLine(UnsafeRawPointer(codes + line &* stride), 76, split + 192 &* line)
    }
    for line in 0..<38 {
        let even = UnsafeRawPointer(split + 192 &* line)
        let odd = even + 96
        room[2 &* line] = mix(at(even, 0), at(even, 1), at(even, 2), at(even, 3), across)
        room[2 &* line &+ 1] = mix(at(odd, 0), at(odd, 1), at(odd, 2), at(odd, 3), across)
    }
    for parity in 0..<2 {
        let (evenOffset, oddOffset) = (offsets[2 &* parity], offsets[2 &* parity &+ 1])
        let target = tile + 32 &* parity
        for row in 0..<16 {
            let from = room + (4 &* row &+ 2 &* parity)
            gscap_expect(reference + ((2 &* row &+ parity) &* referenceStride &+ ahead))
            let (evenHere, oddHere) = cells(UnsafeRawPointer(reference + (2 &* row &+ parity) &* referenceStride))
            target[row] = mix(from[0], from[4], from[8], from[12], down) + evenOffset - evenHere
            target[row &+ 16] = mix(from[1], from[5], from[9], from[13], down) + oddOffset - oddHere
        }
    }
}

/// Codes to the right of a tile's, which another tile will need soon. Rows are too many to be foreseen by the processor.
private var ahead: Int { 96 }

/// The sums of a tile's codes by place.
package func sumsOfTile(_ codes: UnsafePointer<UInt16>, _ stride: Int) -> SIMD4<Float> {
    var sums = SIMD4<Float>(repeating: 0)
    for parity in 0..<2 {
        var (even, odd) = (SIMD16<Float>(repeating: 0), SIMD16<Float>(repeating: 0))
        for row in 0..<16 {
            let here = cells(UnsafeRawPointer(codes + (2 &* row &+ parity) &* stride))
            even += here.even
            odd += here.odd
        }
        sums[2 &* parity] = even.sum()
        sums[2 &* parity &+ 1] = odd.sum()
    }
    return sums
}

/// The same with all samples taken for one colour's: right for what is grey once `gains` and `offsets`, by place from
/// where `codes` points, have made it white-balanced light, and then true to detail that a colour's own samples fold.
///
/// `codes` points at the pixel before the tile's first in both directions, 35 lines are read. Light times `ungains` is
/// the reference's signal, that of its codes less `blacks`. `room` has 190 rows.
package func differGreyTile(
    _ codes: UnsafePointer<UInt16>, _ stride: Int, _ across: SIMD4<Float>, _ down: SIMD4<Float>,
    _ gains: SIMD4<Float>, _ offsets: SIMD4<Float>, _ reference: UnsafePointer<UInt16>, _ referenceStride: Int,
    _ ungains: SIMD4<Float>, _ blacks: SIMD4<Float>, _ tile: UnsafeMutablePointer<SIMD16<Float>>,
    _ room: UnsafeMutablePointer<SIMD16<Float>>
) {
    let split = UnsafeMutableRawPointer(room + 76)
    for line in 0..<35 { splitLine(UnsafeRawPointer(codes + line &* stride), 72, split + 192 &* line) }
    for line in 0..<35 {
        let even = UnsafeRawPointer(split + 192 &* line)
        let odd = even + 96
        let place = 2 &* (line & 1)
        let (evenGains, oddGains) = (across * gains[place], across * gains[place &+ 1])
        // Weights of a sample before, at, after, second after: of the two colours in turn.
        let forEven = SIMD4(evenGains[0], oddGains[1], evenGains[2], oddGains[3])
        let forOdd = SIMD4(oddGains[0], evenGains[1], oddGains[2], evenGains[3])
        let (evenOffset, oddOffset) = (
            (across[0] + across[2]) * offsets[place] + (across[1] + across[3]) * offsets[place &+ 1],
            (across[1] + across[3]) * offsets[place] + (across[0] + across[2]) * offsets[place &+ 1]
        )
        room[2 &* line] = mix(at(even, 0), at(odd, 0), at(even, 1), at(odd, 1), forEven) + evenOffset
        room[2 &* line &+ 1] = mix(at(odd, 0), at(even, 1), at(odd, 1), at(even, 2), forOdd) + oddOffset
    }
    for line in 0..<32 {
        let place = 2 &* (line & 1)
        let from = room + 2 &* line
        let target = tile + (32 &* (line & 1) &+ line >> 1)
        let (evenHere, oddHere) = cells(UnsafeRawPointer(reference + line &* referenceStride))
        target[0] = mix(from[0], from[2], from[4], from[6], down) * ungains[place] + blacks[place] - evenHere
        target[16] =
            mix(from[1], from[3], from[5], from[7], down) * ungains[place &+ 1] + blacks[place &+ 1] - oddHere
    }
}

/// Twenty cells of a row, of which not more than `bytes` are read: those in even and, 24 values on,
/// those in odd columns. (All lines are split before any is used: a vector that was just stored in two halves is slow
/// to load.)
@inline(__always)
private func splitLine(
    _ codes: UnsafeRawPointer, _ bytes: Int, _ even: UnsafeMutableRawPointer
) {
    let odd = even + 96
    let (first, last) = (cells(codes), codes.loadUnaligned(fromByteOffset: bytes &- 32, as: SIMD8<UInt32>.self))
    even.storeBytes(of: first.even, as: SIMD16<Float>.self)
    odd.storeBytes(of: first.odd, as: SIMD16<Float>.self)
    even.storeBytes(of: number(last & 0xFFFF), toByteOffset: bytes &- 32, as: SIMD8<Float>.self)
    odd.storeBytes(of: number(last &>> 16), toByteOffset: bytes &- 32, as: SIMD8<Float>.self)
}

/// Sixteen values from a place on.
@inline(__always)
private func at(_ values: UnsafeRawPointer, _ place: Int) -> SIMD16<Float> {
    values.loadUnaligned(fromByteOffset: 4 &* place, as: SIMD16<Float>.self)
}

@inline(__always)
private func mix(
    _ a: SIMD16<Float>, _ b: SIMD16<Float>, _ c: SIMD16<Float>, _ d: SIMD16<Float>, _ weights: SIMD4<Float>
) -> SIMD16<Float> {
    let (first, second) = (a * weights[0] + b * weights[1], c * weights[2] + d * weights[3])
    return first + second
}

/// Sixteen cells of a row of codes: those in even and those in odd columns.
@inline(__always)
private func cells(_ codes: UnsafeRawPointer) -> (even: SIMD16<Float>, odd: SIMD16<Float>) {
    let pairs = codes.loadUnaligned(as: SIMD16<UInt32>.self)
    return (number(pairs & 0xFFFF), number(pairs &>> 16))
}

/// Whole numbers below 2²³ as floats: put into the mantissa of 2²³, which is then taken off.
@inline(__always)
private func number(_ bits: SIMD16<UInt32>) -> SIMD16<Float> {
    unsafeBitCast(bits | 0x4B00_0000, to: SIMD16<Float>.self) - 8_388_608
}

@inline(__always)
private func number(_ bits: SIMD8<UInt32>) -> SIMD8<Float> {
    unsafeBitCast(bits | 0x4B00_0000, to: SIMD8<Float>.self) - 8_388_608
}

/// The highest code of a block.
package func highestCode(_ codes: UnsafePointer<UInt16>, _ stride: Int, _ columns: Int, _ rows: Int) -> UInt16 {
    var highest: UInt16 = 0
    for line in 0..<rows {
        let from = codes + line &* stride
        for column in 0..<columns { highest = max(highest, from[column]) }
    }
    return highest
}

/// The sum of the squares of a tile.
package func energyOfTile(_ tile: UnsafePointer<SIMD16<Float>>) -> Float {
    var sum = SIMD16<Float>(repeating: 0)
    for row in 0..<64 { sum += tile[row] * tile[row] }
    return sum.sum()
}

/// How far each frequency of a tile of differences exceeds noise: its energy, over that of the frequency opposite too,
/// in units of `ours` plus `theirs` times what interpolation left of it, by row and by lane. `scratch` has 18 rows.
///
/// Gives the sums of all frequencies and of the nine lowest.
package func excessOfDifference(
    _ tile: UnsafePointer<SIMD16<Float>>, _ ours: Float, _ theirs: Float, _ rowPower: UnsafePointer<Float>,
    _ lanePower: SIMD16<Float>, _ excess: UnsafeMutablePointer<SIMD16<Float>>,
    _ scratch: UnsafeMutablePointer<SIMD16<Float>>
) -> (all: Float, low: Float) {
    let energy = UnsafeMutableRawPointer(scratch)
    for row in 0..<16 {
        let (a, b, c, d) = (tile[row], tile[row &+ 16], tile[row &+ 32], tile[row &+ 48])
        let sum = a * a + b * b + c * c + d * d
        storeCircular(sum, row, energy)
    }
    var total = SIMD16<Float>(repeating: 0)
    let lanes = lanePower * theirs
    for row in 0..<16 {
        let value = withOpposite(row, energy) / (lanes * rowPower[row] + ours)
        excess[row] = value
        total += value
    }
    var low: Float = 0
    for row in 0..<3 {
        let low3 = excess[(row &+ 15) & 15]
        low += low3[0] + low3[1] + low3[15]
    }
    return (total.sum(), low)
}

/// Stores a row of 17: the last repeats the first, so that a row can be read backward from frequency 0.
@inline(__always)
private func storeCircular(_ values: SIMD16<Float>, _ row: Int, _ rows: UnsafeMutableRawPointer) {
    rows.storeBytes(of: values, toByteOffset: 68 &* row, as: SIMD16<Float>.self)
    rows.storeBytes(of: values[0], toByteOffset: 68 &* row &+ 64, as: Float.self)
}

/// The means of a row's frequencies and those opposite.
@inline(__always)
private func withOpposite(_ row: Int, _ rows: UnsafeMutableRawPointer) -> SIMD16<Float> {
    let ahead = (rows + 68 &* row).loadUnaligned(as: SIMD16<Float>.self)
    let back = (rows + (68 &* ((16 &- row) & 15) &+ 4)).loadUnaligned(as: SIMD16<Float>.self)
    return (ahead + reversed(back)) * 0.5
}

@inline(__always)
private func reversed(_ v: SIMD16<Float>) -> SIMD16<Float> {
    SIMD16(
        v[15], v[14], v[13], v[12], v[11], v[10], v[9], v[8], v[7], v[6], v[5], v[4], v[3], v[2], v[1], v[0])
}

/// Puts the nine lowest frequencies of a tile, and how far they exceed noise, into another's place.
package func copyLowFrequencies(
    _ tile: UnsafePointer<SIMD16<Float>>, _ excess: UnsafePointer<SIMD16<Float>>,
    _ otherTile: UnsafeMutablePointer<SIMD16<Float>>, _ otherExcess: UnsafeMutablePointer<SIMD16<Float>>
) {
    for index in 0..<3 {
        let row = (index &+ 15) & 15
        for part in 0..<5 {
            let from = part < 4 ? tile[16 &* part &+ row] : excess[row]
            let to = part < 4 ? otherTile + (16 &* part &+ row) : otherExcess + row
            to[0][0] = from[0]
            to[0][1] = from[1]
            to[0][15] = from[15]
        }
    }
}

/// Turns how far frequencies exceed noise into their weights: `most` where by nothing, half of that at `limit`. Gives the
/// mean weight over `most`.
package func weightsOfExcess(
    _ excess: UnsafeMutablePointer<SIMD16<Float>>, _ limit: Float, _ most: Float
) -> Float {
    let square = limit * limit
    let numerator = most * square
    var total = SIMD16<Float>(repeating: 0)
    for row in 0..<16 {
        let weight = numerator / (excess[row] * excess[row] + square)
        excess[row] = weight
        total += weight
    }
    return total.sum() / (256 * most)
}

/// Adds a tile of differences under 256 weights to its sums of 1280 numbers: the four parts in units of `1 / scale`,
/// then the weights in 256ths.
package func addDifference(
    _ tile: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, _ scale: Float, _ sums: UnsafeMutablePointer<Int16>
) {
    for part in 0..<4 {
        let (from, to) = (tile + 256 &* part, sums + 256 &* part)
        for index in 0..<256 { to[index] &+= whole(from[index] * (weights[index] * scale)) }
    }
    let to = sums + 1024
    for index in 0..<256 { to[index] &+= whole(weights[index] * 256) }
}

/// The nearest whole number, not beyond 511: the sums of 64 frames fit 16 bits.
@inline(__always)
private func whole(_ value: Float) -> Int16 {
    // Beside so large a number no fraction fits: its low bits are the rounded value. As whole numbers the bits of
    // floats above zero are in their order, and those of floats below zero are below.
    let bits = Int32(bitPattern: (value + 12_582_912).bitPattern)
    return Int16(truncatingIfNeeded: min(max(bits, 0x4B40_0000 - 511), 0x4B40_0000 + 511))
}

/// The mean difference from the reference of all that was summed, times `unit`, and what is left of the noise, 256
/// shares, whose sum it gives.
package func averageDifference(
    _ sums: UnsafePointer<Int16>, _ unit: Float, _ tile: UnsafeMutablePointer<Float>,
    _ shares: UnsafeMutablePointer<Float>
) -> Float {
    let weights = sums + 1024
    for index in 0..<256 { shares[index] = 256 / (Float(Int32(weights[index])) + 256) }
    for part in 0..<4 {
        let (from, to) = (sums + 256 &* part, tile + 256 &* part)
        for index in 0..<256 { to[index] = Float(Int32(from[index])) * (shares[index] * unit) }
    }
    let rows = UnsafeRawPointer(shares).assumingMemoryBound(to: SIMD16<Float>.self)
    var rest = SIMD16<Float>(repeating: 0)
    for row in 0..<16 { rest += rows[row] }
    return rest.sum()
}

/// Reads a tile of codes as signals: less four `blacks`.
package func loadTile(
    _ codes: UnsafePointer<UInt16>, _ stride: Int, _ blacks: SIMD4<Float>, _ tile: UnsafeMutablePointer<SIMD16<Float>>
) {
    for line in 0..<32 {
        let place = 2 &* (line & 1)
        let target = tile + (32 &* (line & 1) &+ line >> 1)
        let (even, odd) = cells(UnsafeRawPointer(codes + line &* stride))
        target[0] = even - blacks[place]
        target[16] = odd - blacks[place &+ 1]
    }
}

/// Takes noise off the frequencies of a merged tile: makes of a `correction` of the `reference` one whose sum with it
/// is what stands out of the noise, `noise` times each frequency's share and `distances` from frequency 0. `scratch`
/// has 18 rows.
package func denoiseTile(
    _ correction: UnsafeMutablePointer<SIMD16<Float>>, _ reference: UnsafePointer<SIMD16<Float>>,
    _ shares: UnsafePointer<SIMD16<Float>>, _ distances: UnsafePointer<SIMD16<Float>>, _ noise: Float,
    _ scratch: UnsafeMutablePointer<SIMD16<Float>>
) {
    let energy = UnsafeMutableRawPointer(scratch)
    for row in 0..<16 {
        var sum = SIMD16<Float>(repeating: 0)
        for part in 0..<4 {
            let value = correction[16 &* part &+ row] + reference[16 &* part &+ row]
            sum += value * value
        }
        storeCircular(sum, row, energy)
    }
    for row in 0..<16 {
        let both = withOpposite(row, energy)
        let floor = shares[row] * distances[row] * noise
        // Without either there is nothing to divide.
        let rest = floor / (both + floor + 1e-30)
        for part in 0..<4 {
            let index = 16 &* part &+ row
            correction[index] -= (correction[index] + reference[index]) * rest
        }
    }
}

/// Adds some rows of a tile's planes, under a window, to a mosaic of signals.
package func overlayTile(
    _ tile: UnsafePointer<SIMD16<Float>>, _ firstRow: Int, _ rowCount: Int, _ window: UnsafePointer<Float>,
    _ target: UnsafeMutablePointer<Float>, _ stride: Int
) {
    let values = UnsafeRawPointer(tile).assumingMemoryBound(to: Float.self)
    for row in 0..<rowCount {
        let height = window[firstRow &+ row]
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

/// Reference codes plus corrections, times `scale`, rounded and kept within 16 bits. Codes from `white` up are clipped
/// and not corrected.
package func correctRow(
    _ codes: UnsafePointer<UInt16>, _ corrections: UnsafePointer<Float>, _ white: UInt16, _ scale: Float,
    _ result: UnsafeMutablePointer<UInt16>, _ count: Int
) {
    for index in 0..<count {
        let correction = codes[index] >= white ? 0 : corrections[index]
        let value = (Float(Int32(codes[index])) + correction) * scale
        // Beside so large a number no fraction fits: its low bits are the rounded value.
        result[index] = UInt16(truncatingIfNeeded: (min(max(value, 0), 65535) + 12_582_912).bitPattern)
    }
}
