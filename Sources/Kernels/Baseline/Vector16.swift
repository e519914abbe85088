// Helpers for vectors of 16 floats.

/// Returns the sum of the lanes. Always inlined, unlike `sum()`: a copy of that outside this module could be replaced
/// by one with AVX2 instructions.
@inline(__always)
func total(_ lanes: SIMD16<Float>) -> Float {
    let eight = lanes.lowHalf + lanes.highHalf
    let four = eight.lowHalf + eight.highHalf
    return four.x + four.y + four.z + four.w
}
