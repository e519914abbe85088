// Pixels that stand out of a mosaic.

/// Finds the pixels of a row that lie above all eight neighbours of their colour, or below, by more than noise allows: the
/// square of the distance exceeds `shot` times the neighbour's signal plus `read`.
///
/// Given are the rows two above, this one and two below; columns 2 to `count - 3` are looked at. Writes their columns, which
/// there must be room for `count` of, and gives how many there are.
package func findOutliers(
    _ above: UnsafePointer<UInt16>, _ here: UnsafePointer<UInt16>, _ below: UnsafePointer<UInt16>, _ count: Int,
    _ black: Float, _ shot: Float, _ read: Float, _ columns: UnsafeMutablePointer<Int32>
) -> Int {
    let bound = LowerBound(black, shot, read)
    var found = 0
    func ask(_ column: Int) {
        guard isOutlier(above + column, here + column, below + column, black, shot, read) else { return }
        columns[found] = Int32(truncatingIfNeeded: column)
        found = found &+ 1
    }
    var start = 2
    while start &+ 16 <= count &- 2 {
        let words = bound.excess(above + start, here + start, below + start)
        for word in 0..<4 {
            var lanes = words[word]
            while lanes != 0 {
                let place = lanes.trailingZeroBitCount & 48
                ask(start &+ 4 &* word &+ place &>> 4)
                lanes &= ~(0xFFFF &<< UInt64(truncatingIfNeeded: place))
            }
        }
        start = start &+ 16
    }
    while start < count &- 2 {
        ask(start)
        start = start &+ 1
    }
    return found
}

@inline(__always)
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

/// A straight line in whole codes below the root that distances must exceed: few pixels are above it, and these are asked
/// exactly.
private struct LowerBound {
    private let base: SIMD16<UInt16>
    private let shift: SIMD16<UInt16>
    private let foot: SIMD16<UInt16>

    @inline(__always)
    init(_ black: Float, _ shot: Float, _ read: Float) {
        // Roots are rounded, perhaps up.
        let least = read.squareRoot().nextDown
        let slope = ((shot * 65_535 + read).squareRoot() - least) / 65_535
        var (bits, power) = (1 as UInt16, 0.5 as Float)
        while power > slope, bits < 16 { (bits, power) = (bits &+ 1, power * 0.5) }
        base = SIMD16(repeating: UInt16(max(0, min(least, 32_767))))
        // Without a slope every signal is below its foot.
        shift = SIMD16(repeating: bits & 15)
        foot = SIMD16(repeating: bits == 16 ? .max : UInt16(max(0, min(black.rounded(.up), 65_535))))
    }

    /// By how much sixteen pixels lie above all of their neighbours, or below, beyond the line: four in each word.
    @inline(__always)
    func excess(
        _ above: UnsafePointer<UInt16>, _ here: UnsafePointer<UInt16>, _ below: UnsafePointer<UInt16>
    ) -> SIMD4<UInt64> {
        let (a, b, c) = (load16(above - 2), load16(above), load16(above + 2))
        let (d, e) = (load16(here - 2), load16(here + 2))
        let (f, g, h) = (load16(below - 2), load16(below), load16(below + 2))
        let highest = higher(higher(higher(a, b), higher(c, d)), higher(higher(e, f), higher(g, h)))
        let lowest = lower(lower(lower(a, b), lower(c, d)), lower(lower(e, f), lower(g, h)))
        let code = load16(here)
        let beyond = lessened(lessened(code, highest), line(highest)) | lessened(lessened(lowest, code), line(lowest))
        // Lanes side by side are as many words.
        return unsafeBitCast(beyond, to: SIMD4<UInt64>.self)
    }

    @inline(__always)
    private func line(_ signal: SIMD16<UInt16>) -> SIMD16<UInt16> { base &+ (lessened(signal, foot) &>> shift) }
}

@inline(__always)
private func load16(_ codes: UnsafePointer<UInt16>) -> SIMD16<UInt16> {
    UnsafeRawPointer(codes).loadUnaligned(as: SIMD16<UInt16>.self)
}

@inline(__always)
private func higher(_ a: SIMD16<UInt16>, _ b: SIMD16<UInt16>) -> SIMD16<UInt16> { a.replacing(with: b, where: a .< b) }

@inline(__always)
private func lower(_ a: SIMD16<UInt16>, _ b: SIMD16<UInt16>) -> SIMD16<UInt16> { a.replacing(with: b, where: b .< a) }

/// What of codes is beyond others.
@inline(__always)
private func lessened(_ a: SIMD16<UInt16>, _ b: SIMD16<UInt16>) -> SIMD16<UInt16> { higher(a, b) &- b }
