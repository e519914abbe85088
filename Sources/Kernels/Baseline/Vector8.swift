// Eight lanes of a half line.

@inline(__always)
func load8(_ values: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(values).loadUnaligned(as: SIMD8<Float>.self)
}

@inline(__always)
func store8(_ vector: SIMD8<Float>, _ values: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(values).storeBytes(of: vector, as: SIMD8<Float>.self)
}

@inline(__always)
func magnitude(_ vector: SIMD8<Float>) -> SIMD8<Float> {
    unsafeBitCast(unsafeBitCast(vector, to: SIMD8<UInt32>.self) & 0x7FFF_FFFF, to: SIMD8<Float>.self)
}

/// The vector with 0 in place of all that is below.
@inline(__always)
func notNegative(_ vector: SIMD8<Float>) -> SIMD8<Float> {
    // A negative number's sign, spread over all bits, blanks it out.
    let bits = unsafeBitCast(vector, to: SIMD8<Int32>.self)
    return unsafeBitCast(bits & ~(bits &>> 31), to: SIMD8<Float>.self)
}

/// The larger of two, lane by lane.
@inline(__always)
func larger(_ a: SIMD8<Float>, _ b: SIMD8<Float>) -> SIMD8<Float> { a.replacing(with: b, where: a .< b) }
