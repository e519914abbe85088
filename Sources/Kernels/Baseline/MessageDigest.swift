// Kernels of MD5 (RFC 1321) that digest eight messages of equal length at once, one in each vector lane.
//
// A block is 64 bytes of each message, stored word by word: word 0 of the eight messages, word 1, and so on.

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
        lane[(start >> 1) &* 16 &+ 1] = codes[0]
        next = 1
    }
    let words = UnsafeMutableRawPointer(lane + (start &+ next) &* 8)
    let pairs = (count &- next) >> 1
    for pair in 0..<pairs {
        let offset = (next &+ pair &* 2) &* step
        let low = UInt32(codes[offset])
        let high = UInt32(codes[offset &+ step])
        words.storeBytes(of: low | high << 16, toByteOffset: pair &* 32, as: UInt32.self)
    }
    if next &+ pairs &* 2 < count {
        words.storeBytes(of: codes[(count &- 1) &* step], toByteOffset: pairs &* 32, as: UInt16.self)
    }
}

/// Updates the digests of eight messages with `count` blocks of each. `state` is the four vectors of the MD5 state,
/// `sines` the 64 constants of RFC 1321.
package func digestBlocks(
    _ blocks: UnsafePointer<SIMD8<UInt32>>, count: Int, sines: UnsafePointer<UInt32>,
    state: UnsafeMutablePointer<SIMD8<UInt32>>
) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for block in 0..<count {
        let words = blocks + block &* 16
        let start = (a, b, c, d)
        for i in stride(from: 0, to: 16, by: 4) {
            a = b &+ rotated(a &+ choice(b, c, d) &+ words[i] &+ sines[i], 7)
            d = a &+ rotated(d &+ choice(a, b, c) &+ words[i &+ 1] &+ sines[i &+ 1], 12)
            c = d &+ rotated(c &+ choice(d, a, b) &+ words[i &+ 2] &+ sines[i &+ 2], 17)
            b = c &+ rotated(b &+ choice(c, d, a) &+ words[i &+ 3] &+ sines[i &+ 3], 22)
        }
        for i in stride(from: 16, to: 32, by: 4) {
            a = b &+ rotated(a &+ choice(d, b, c) &+ words[(5 &* i &+ 1) & 15] &+ sines[i], 5)
            d = a &+ rotated(d &+ choice(c, a, b) &+ words[(5 &* i &+ 6) & 15] &+ sines[i &+ 1], 9)
            c = d &+ rotated(c &+ choice(b, d, a) &+ words[(5 &* i &+ 11) & 15] &+ sines[i &+ 2], 14)
            b = c &+ rotated(b &+ choice(a, c, d) &+ words[(5 &* i &+ 16) & 15] &+ sines[i &+ 3], 20)
        }
        for i in stride(from: 32, to: 48, by: 4) {
            a = b &+ rotated(a &+ (b ^ c ^ d) &+ words[(3 &* i &+ 5) & 15] &+ sines[i], 4)
            d = a &+ rotated(d &+ (a ^ b ^ c) &+ words[(3 &* i &+ 8) & 15] &+ sines[i &+ 1], 11)
            c = d &+ rotated(c &+ (d ^ a ^ b) &+ words[(3 &* i &+ 11) & 15] &+ sines[i &+ 2], 16)
            b = c &+ rotated(b &+ (c ^ d ^ a) &+ words[(3 &* i &+ 14) & 15] &+ sines[i &+ 3], 23)
        }
        for i in stride(from: 48, to: 64, by: 4) {
            a = b &+ rotated(a &+ (c ^ (b | ~d)) &+ words[(7 &* i) & 15] &+ sines[i], 6)
            d = a &+ rotated(d &+ (b ^ (a | ~c)) &+ words[(7 &* i &+ 7) & 15] &+ sines[i &+ 1], 10)
            c = d &+ rotated(c &+ (a ^ (d | ~b)) &+ words[(7 &* i &+ 14) & 15] &+ sines[i &+ 2], 15)
            b = c &+ rotated(b &+ (d ^ (c | ~a)) &+ words[(7 &* i &+ 21) & 15] &+ sines[i &+ 3], 21)
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
private func choice(_ mask: SIMD8<UInt32>, _ yes: SIMD8<UInt32>, _ no: SIMD8<UInt32>) -> SIMD8<UInt32> {
    no ^ (mask & (yes ^ no))
}

/// Rotates each lane to the left.
@inline(__always)
private func rotated(_ value: SIMD8<UInt32>, _ bits: UInt32) -> SIMD8<UInt32> {
    value &<< bits | value &>> (32 &- bits)
}
