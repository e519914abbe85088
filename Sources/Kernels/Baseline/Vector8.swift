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
func larger(_ a: SIMD8<Float>, _ b: SIMD8<Float>) -> SIMD8<Float> { a.replacing(with: b, where: a .< b) }
