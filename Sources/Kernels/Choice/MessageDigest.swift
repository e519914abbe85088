internal import KernelsBaseline
internal import KernelsV3

/// How many messages are digested together.
package let digestLanes = 8

/// Puts a run of codes into one lane of the blocks, as the codes from number `start` on.
package func placeCodes(
    _ codes: UnsafePointer<UInt16>, step: Int, count: Int, lane: Int, start: Int,
    blocks: UnsafeMutablePointer<UInt16>
) {
    hasWideVectors
        ? KernelsV3.placeCodes(codes, step: step, count: count, lane: lane, start: start, blocks: blocks)
        : KernelsBaseline.placeCodes(codes, step: step, count: count, lane: lane, start: start, blocks: blocks)
}

/// Carries eight MD5 digests over `count` blocks. `state` is four vectors, `sines` the 64 constants of the standard.
package func digestBlocks(
    _ blocks: UnsafePointer<SIMD8<UInt32>>, count: Int, sines: UnsafePointer<UInt32>,
    state: UnsafeMutablePointer<SIMD8<UInt32>>
) {
    hasWideVectors
        ? KernelsV3.digestBlocks(blocks, count: count, sines: sines, state: state)
        : KernelsBaseline.digestBlocks(blocks, count: count, sines: sines, state: state)
}
