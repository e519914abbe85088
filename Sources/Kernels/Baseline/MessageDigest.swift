// Kernels of MD5 (RFC 1321) that digest sixteen messages of equal length at once, one in each vector lane. Each step of
// MD5 waits for the one before, so two vectors of eight lanes take hardly longer than one.
//
// A block is 64 bytes of each message, stored word by word: word 0 of the sixteen messages, word 1, and so on.

/// Copies `count` whole blocks of sixteen messages in contiguous memory. `scratch` has a block.
package func copyBlocks(
    _ messages: UnsafePointer<UnsafePointer<UInt16>>, count: Int, into blocks: UnsafeMutablePointer<SIMD16<UInt32>>,
    scratch: UnsafeMutablePointer<SIMD16<UInt32>>
) {
    for block in 0..<count {
        // The 16 words of 16 messages are transposed by interleaving the first half of all words with the second, four
        // times.
        let target = blocks + block &* 16
        for row in 0..<8 {
            let first = UnsafeRawPointer(messages[row]).loadUnaligned(
                fromByteOffset: block &* 64, as: SIMD16<UInt32>.self)
            let second = UnsafeRawPointer(messages[row &+ 8]).loadUnaligned(
                fromByteOffset: block &* 64, as: SIMD16<UInt32>.self)
            scratch[2 &* row] = interleavedLow(first, second)
            scratch[2 &* row &+ 1] = interleavedHigh(first, second)
        }
        interleave(scratch, into: target)
        interleave(target, into: scratch)
        interleave(scratch, into: target)
    }
}

/// Interleaves the first half of 256 words with the second.
@inline(__always)
private func interleave(_ words: UnsafePointer<SIMD16<UInt32>>, into result: UnsafeMutablePointer<SIMD16<UInt32>>) {
    for row in 0..<8 {
        result[2 &* row] = interleavedLow(words[row], words[row &+ 8])
        result[2 &* row &+ 1] = interleavedHigh(words[row], words[row &+ 8])
    }
}

@inline(__always)
private func interleavedLow(_ a: SIMD16<UInt32>, _ b: SIMD16<UInt32>) -> SIMD16<UInt32> {
    SIMD16(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3], a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7])
}

@inline(__always)
private func interleavedHigh(_ a: SIMD16<UInt32>, _ b: SIMD16<UInt32>) -> SIMD16<UInt32> {
    SIMD16(a[8], b[8], a[9], b[9], a[10], b[10], a[11], b[11], a[12], b[12], a[13], b[13], a[14], b[14], a[15], b[15])
}

/// Copies `count` codes, which are `step` apart, into the blocks of the message in vector lane `lane`, as that
/// message's codes from index `start` on.
package func copyCodesToLane(
    _ codes: UnsafePointer<UInt16>, step: Int, count: Int, lane: Int, start: Int,
    blocks: UnsafeMutablePointer<UInt16>
) {
    // A word holds two codes; the copied range may start and end in the middle of one.
    let lane = blocks + lane &* 2
    var next = 0
    if start & 1 == 1, count > 0 {
        lane[(start >> 1) &* 32 &+ 1] = codes[0]
        next = 1
    }
    let words = UnsafeMutableRawPointer(lane + (start &+ next) &* 16)
    let pairs = (count &- next) >> 1
    // Adjacent codes, those of mosaics, are read as a whole word.
    let adjacent = UnsafeRawPointer(codes + next)
    if step == 1 {
        for pair in 0..<pairs {
            let word = adjacent.loadUnaligned(fromByteOffset: pair &* 4, as: UInt32.self)
            words.storeBytes(of: word, toByteOffset: pair &* 64, as: UInt32.self)
        }
    }
    for pair in 0..<(step == 1 ? 0 : pairs) {
        let offset = (next &+ pair &* 2) &* step
        let low = UInt32(codes[offset])
        let high = UInt32(codes[offset &+ step])
        words.storeBytes(of: low | high << 16, toByteOffset: pair &* 64, as: UInt32.self)
    }
    if next &+ pairs &* 2 < count {
        words.storeBytes(of: codes[(count &- 1) &* step], toByteOffset: pairs &* 64, as: UInt16.self)
    }
}

/// Updates the digests of sixteen messages with `count` blocks of each. Each step waits for the one before, so what
/// does not depend on that one is added first. `state` is the four vectors of the MD5 state, `sines` the 64 constants
/// of RFC 1321.
package func digestBlocks(
    _ blocks: UnsafePointer<SIMD16<UInt32>>, count: Int, sines: UnsafePointer<UInt32>,
    state: UnsafeMutablePointer<SIMD16<UInt32>>
) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for block in 0..<count {
        let words = blocks + block &* 16
        let start = (a, b, c, d)
        for i in stride(from: 0, to: 16, by: 4) {
            a = b &+ rotated((a &+ words[i] &+ sines[i]) &+ choice(b, c, d), 7)
            d = a &+ rotated((d &+ words[i &+ 1] &+ sines[i &+ 1]) &+ choice(a, b, c), 12)
            c = d &+ rotated((c &+ words[i &+ 2] &+ sines[i &+ 2]) &+ choice(d, a, b), 17)
            b = c &+ rotated((b &+ words[i &+ 3] &+ sines[i &+ 3]) &+ choice(c, d, a), 22)
        }
        for i in stride(from: 16, to: 32, by: 4) {
            a = b &+ rotated((a &+ words[(5 &* i &+ 1) & 15] &+ sines[i]) &+ choice(d, b, c), 5)
            d = a &+ rotated((d &+ words[(5 &* i &+ 6) & 15] &+ sines[i &+ 1]) &+ choice(c, a, b), 9)
            c = d &+ rotated((c &+ words[(5 &* i &+ 11) & 15] &+ sines[i &+ 2]) &+ choice(b, d, a), 14)
            b = c &+ rotated((b &+ words[(5 &* i &+ 16) & 15] &+ sines[i &+ 3]) &+ choice(a, c, d), 20)
        }
        for i in stride(from: 32, to: 48, by: 4) {
            a = b &+ rotated((a &+ words[(3 &* i &+ 5) & 15] &+ sines[i]) &+ (b ^ c ^ d), 4)
            d = a &+ rotated((d &+ words[(3 &* i &+ 8) & 15] &+ sines[i &+ 1]) &+ (a ^ b ^ c), 11)
            c = d &+ rotated((c &+ words[(3 &* i &+ 11) & 15] &+ sines[i &+ 2]) &+ (d ^ a ^ b), 16)
            b = c &+ rotated((b &+ words[(3 &* i &+ 14) & 15] &+ sines[i &+ 3]) &+ (c ^ d ^ a), 23)
        }
        for i in stride(from: 48, to: 64, by: 4) {
            a = b &+ rotated((a &+ words[(7 &* i) & 15] &+ sines[i]) &+ (c ^ (b | ~d)), 6)
            d = a &+ rotated((d &+ words[(7 &* i &+ 7) & 15] &+ sines[i &+ 1]) &+ (b ^ (a | ~c)), 10)
            c = d &+ rotated((c &+ words[(7 &* i &+ 14) & 15] &+ sines[i &+ 2]) &+ (a ^ (d | ~b)), 15)
            b = c &+ rotated((b &+ words[(7 &* i &+ 21) & 15] &+ sines[i &+ 3]) &+ (d ^ (c | ~a)), 21)
        }
        a &+= start.0
        b &+= start.1
        c &+= start.2
        d &+= start.3
    }
    (state[0], state[1], state[2], state[3]) = (a, b, c, d)
}

/// Returns the bits of `yes` where `mask` is set and those of `no` elsewhere.
@inline(__always)
private func choice(
    _ mask: SIMD16<UInt32>, _ yes: SIMD16<UInt32>, _ no: SIMD16<UInt32>
) -> SIMD16<UInt32> {
    no ^ (mask & (yes ^ no))
}

/// Rotates each lane to the left.
@inline(__always)
private func rotated(_ value: SIMD16<UInt32>, _ bits: UInt32) -> SIMD16<UInt32> {
    value &<< bits | value &>> (32 &- bits)
}
