internal import CProcessor

// Helpers for vectors of eight floats.

/// Loads eight values from an address of any alignment.
@inline(__always)
func load8(_ values: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(values).loadUnaligned(as: SIMD8<Float>.self)
}

/// Stores eight values at an address of any alignment.
@inline(__always)
func store8(_ vector: SIMD8<Float>, _ values: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(values).storeBytes(of: vector, as: SIMD8<Float>.self)
}

/// Returns the absolute values, by clearing the sign bits.
@inline(__always)
func magnitude(_ vector: SIMD8<Float>) -> SIMD8<Float> {
    unsafeBitCast(unsafeBitCast(vector, to: SIMD8<UInt32>.self) & 0x7FFF_FFFF, to: SIMD8<Float>.self)
}

/// Returns the vector with negative values replaced by 0.
@inline(__always)
func notNegative(_ vector: SIMD8<Float>) -> SIMD8<Float> {
    // A negative number's sign bit, shifted over all bits, masks the number to 0.
    let bits = unsafeBitCast(vector, to: SIMD8<Int32>.self)
    return unsafeBitCast(bits & ~(bits &>> 31), to: SIMD8<Float>.self)
}

/// Returns the larger value of each lane of `a` and `b`; that of `a` if either is NaN.
@inline(__always)
func larger(_ a: SIMD8<Float>, _ b: SIMD8<Float>) -> SIMD8<Float> { gscap_larger(b, a) }

/// Returns the smaller value of each lane of `a` and `b`; that of `a` if either is NaN.
@inline(__always)
func smaller(_ a: SIMD8<Float>, _ b: SIMD8<Float>) -> SIMD8<Float> { gscap_smaller(b, a) }

/// Clamps a vector to `low`…`high`; NaN becomes `low`.
@inline(__always)
func bounded(_ vector: SIMD8<Float>, _ low: SIMD8<Float>, _ high: SIMD8<Float>) -> SIMD8<Float> {
    smaller(larger(low, vector), high)
}

/// Returns whether the mask is set in any lane.
@inline(__always)
func anyLane(_ mask: SIMDMask<SIMD8<Int32>>) -> Bool {
    // A mask has as many bits as its vector: four 64-bit words.
    let words = unsafeBitCast(mask, to: SIMD4<UInt64>.self)
    return (words[0] | words[1]) | (words[2] | words[3]) != 0
}

/// Loads eight pairs of neighbouring values: the first of each pair, `indices[i]` values behind `values`, and the
/// second. Each pair is one load of 64 bits.
@inline(__always)
func loadPairs(
    _ values: UnsafePointer<Float>, _ indices: UnsafePointer<UInt32>
) -> (first: SIMD8<Float>, second: SIMD8<Float>) {
    // Pairs in this order need only one shuffle within each half of a 256-bit register.
    let low = SIMD4(
        pair(values, indices[0]), pair(values, indices[1]), pair(values, indices[4]), pair(values, indices[5]))
    let high = SIMD4(
        pair(values, indices[2]), pair(values, indices[3]), pair(values, indices[6]), pair(values, indices[7]))
    // The vectors have the same size.
    let (a, b) = (unsafeBitCast(low, to: SIMD8<Float>.self), unsafeBitCast(high, to: SIMD8<Float>.self))
    return (
        SIMD8(a[0], a[2], b[0], b[2], a[4], a[6], b[4], b[6]), SIMD8(a[1], a[3], b[1], b[3], a[5], a[7], b[5], b[7])
    )
}

@inline(__always)
private func pair(_ values: UnsafePointer<Float>, _ index: UInt32) -> UInt64 {
    UnsafeRawPointer(values + Int(index)).loadUnaligned(as: UInt64.self)
}
