internal import CProcessor

// Kernels that find isolated defects in a mosaic: pixels that deviate from all neighbours of their colour.

/// Finds the pixels of a row that lie above, or below, all eight neighbours of their colour by more than noise allows:
/// the squared distance to the nearest neighbour exceeds `shot` times that neighbour's signal plus `read`.
///
/// `above` and `below` are the rows two above and two below `here`; columns 2 to `count - 3` are examined. Stores the
/// found columns, at most `count`, and returns their number.
package func findIsolatedDefects(
    _ above: UnsafePointer<UInt16>, _ here: UnsafePointer<UInt16>, _ below: UnsafePointer<UInt16>, _ count: Int,
    _ black: Float, _ shot: Float, _ read: Float, _ columns: UnsafeMutablePointer<Int32>
) -> Int {
    let bound = LowerBound(black, shot, read)
    var (found, start) = (0, 2)
    while start &+ 16 <= count &- 2 {
        let lanes = excess(above + start, here + start, below + start, bound)
        if (lanes[0] | lanes[1]) | (lanes[2] | lanes[3]) != 0 {
            for offset in 0..<16 where lanes[offset &>> 2] &>> UInt64(16 &* (offset & 3)) & 0xFFFF != 0 {
                let column = start &+ offset
                columns[found] = Int32(truncatingIfNeeded: column)
                if isOutlier(above + column, here + column, below + column, black, shot, read) { found = found &+ 1 }
            }
        }
        start = start &+ 16
    }
    while start < count &- 2 {
        columns[found] = Int32(truncatingIfNeeded: start)
        if isOutlier(above + start, here + start, below + start, black, shot, read) { found = found &+ 1 }
        start = start &+ 1
    }
    return found
}

/// Returns whether a pixel deviates from all eight neighbours of its colour by more than noise allows.
@inline(never)
private func isOutlier(
    _ above: UnsafePointer<UInt16>, _ here: UnsafePointer<UInt16>, _ below: UnsafePointer<UInt16>, _ black: Float,
    _ shot: Float, _ read: Float
) -> Bool {
    let highest = max(
        max(max(above[-2], above[0]), max(above[2], here[-2])), max(max(here[2], below[-2]), max(below[0], below[2])))
    let lowest = min(
        min(min(above[-2], above[0]), min(above[2], here[-2])), min(min(here[2], below[-2]), min(below[0], below[2])))
    let (value, top, bottom) = (Float(Int32(here[0])), Float(Int32(highest)), Float(Int32(lowest)))
    let (over, under) = (max(value - top, 0), max(bottom - value, 0))
    return over * over > max(top - black, 0) * shot + read || under * under > max(bottom - black, 0) * shot + read
}

/// A lower bound of the distance from the neighbours beyond which a pixel is a defect. That distance is √(shot · signal
/// + read); the bound is the higher of two linear functions of the signal in whole codes, chords of that curve: one
/// over all codes, the other over those of 12 bits. Few pixels exceed the bound, and only these are tested exactly.
private struct LowerBound {
    let base: SIMD16<UInt16>
    /// The slope of the chord over 12 bits, in 1/256.
    let steepness: SIMD16<UInt16>
    let shift: SIMD16<UInt16>
    let blackLevel: SIMD16<UInt16>

    private static var twelveBits: Float { 4095 }

    @inline(__always)
    init(_ black: Float, _ shot: Float, _ read: Float) {
        // The next smaller float, because the square root may have been rounded up and the bound must not exceed it.
        let least = read.squareRoot().nextDown
        let slope = ((shot * 65_535 + read).squareRoot() - least) / 65_535
        var (bits, power) = (1 as UInt16, 0.5 as Float)
        while power > slope, bits < 16 { (bits, power) = (bits &+ 1, power * 0.5) }
        base = SIMD16(repeating: UInt16(max(0, min(least, 32_767))))
        let darkSlope = ((shot * Self.twelveBits + read).squareRoot() - least) / Self.twelveBits
        steepness = SIMD16(repeating: UInt16(max(0, min(darkSlope * 256, 255))))
        // Where the slope is below 2⁻¹⁵ the bound is constant: the black level is then set to `UInt16.max`, which no
        // code exceeds, so nothing is added whatever the shift.
        shift = SIMD16(repeating: bits & 15)
        blackLevel = SIMD16(repeating: bits == 16 ? .max : UInt16(max(0, min(black.rounded(.up), 65_535))))
    }
}

/// Returns by how much 16 pixels deviate from all neighbours of their colour beyond the linear bound, in codes, 0 where
/// they do not: sixteen 16-bit numbers, four in each word.
@inline(__always)
private func excess(
    _ above: UnsafePointer<UInt16>, _ here: UnsafePointer<UInt16>, _ below: UnsafePointer<UInt16>, _ bound: LowerBound
) -> SIMD4<UInt64> {
    let (a, b, c) = (load16(above - 2), load16(above), load16(above + 2))
    let (d, e) = (load16(here - 2), load16(here + 2))
    let (f, g, h) = (load16(below - 2), load16(below), load16(below + 2))
    let highest = higher(higher(higher(a, b), higher(c, d)), higher(higher(e, f), higher(g, h)))
    let lowest = lower(lower(lower(a, b), lower(c, d)), lower(lower(e, f), lower(g, h)))
    let code = load16(here)
    let beyond =
        excessOver(excessOver(code, highest), line(highest, bound))
        | excessOver(excessOver(lowest, code), line(lowest, bound))
    // Sixteen 16-bit lanes have the size of four 64-bit words.
    return unsafeBitCast(beyond, to: SIMD4<UInt64>.self)
}

/// Returns the lower bound of the distance at 16 codes.
@inline(__always)
private func line(_ code: SIMD16<UInt16>, _ bound: LowerBound) -> SIMD16<UInt16> {
    let signal = excessOver(code, bound.blackLevel)
    // The product of two numbers of 8 bits; beyond 12 bits this line is constant.
    let dark = ((lower(signal, SIMD16(repeating: 4095)) &>> 4) &* bound.steepness) &>> 4
    return bound.base &+ higher(signal &>> bound.shift, dark)
}

/// Loads 16 codes from an address of any alignment.
@inline(__always)
private func load16(_ codes: UnsafePointer<UInt16>) -> SIMD16<UInt16> {
    UnsafeRawPointer(codes).loadUnaligned(as: SIMD16<UInt16>.self)
}

/// Returns the larger code of each lane.
@inline(__always)
private func higher(_ a: SIMD16<UInt16>, _ b: SIMD16<UInt16>) -> SIMD16<UInt16> { gscap_higher_codes(a, b) }

/// Returns the smaller code of each lane.
@inline(__always)
private func lower(_ a: SIMD16<UInt16>, _ b: SIMD16<UInt16>) -> SIMD16<UInt16> { gscap_lower_codes(a, b) }

/// Returns a − b, or 0 where b is larger.
@inline(__always)
private func excessOver(_ a: SIMD16<UInt16>, _ b: SIMD16<UInt16>) -> SIMD16<UInt16> { gscap_code_excess(a, b) }
