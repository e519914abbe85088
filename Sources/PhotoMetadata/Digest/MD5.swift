internal import Glibc
internal import Kernels

/// MD5 of up to eight messages of equal length at once: one costs as much as eight.
package struct MD5 {
    private var state: [SIMD8<UInt32>] = [
        SIMD8(repeating: 0x6745_2301), SIMD8(repeating: 0xEFCD_AB89),
        SIMD8(repeating: 0x98BA_DCFE), SIMD8(repeating: 0x1032_5476),
    ]
    /// Codes of one lane that do not fill a block yet, and room for more.
    private var blocks: [SIMD8<UInt32>]
    private var waiting = 0
    private var total = 0

    /// Codes in a block of one lane.
    private static let codesInBlock = 32
    /// The constants of the standard: the sines of 1…64.
    private static let sines = (1...64).map { UInt32(abs(sin(Double($0))) * 0x1p32) }

    /// A digest that takes up to `run` codes a lane at a time.
    init(run: Int) {
        // Room for what waits, the run or two blocks of padding, and one block that a rest is copied from.
        blocks = Array(repeating: SIMD8(), count: (run / Self.codesInBlock + 3) * 16)
    }

    /// The digest of bytes.
    package static func digest(_ bytes: [UInt8]) -> [UInt8] {
        // An odd last byte is paired with the first byte of the padding.
        var codes = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
        if bytes.count % 2 == 1 { codes.append(UInt16(bytes[bytes.count - 1]) | 0x8000) }
        var md5 = MD5(run: codes.count)
        unsafe codes.withUnsafeBufferPointer { codes in
            guard let base = codes.baseAddress else { return }
            unsafe md5.append(count: codes.count, step: 1) { _ in unsafe base }
        }
        return md5.finish(bits: bytes.count * 8)[0]
    }

    /// Appends `count` codes, `step` apart, to each message, low byte first; `lanes` tells where they are.
    mutating func append(count: Int, step: Int, lanes: (Int) -> UnsafePointer<UInt16>) {
        let start = waiting
        unsafe blocks.withUnsafeMutableBytes { bytes in
            guard let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt16.self) else { return }
            for lane in 0..<digestLanes {
                unsafe placeCodes(lanes(lane), step: step, count: count, lane: lane, start: start, blocks: base)
            }
        }
        waiting += count
        total += count
        digestFullBlocks()
    }

    /// Appends the padding and gives the digests of the eight messages. `bits` is their length when it is odd in bytes.
    mutating func finish(bits: Int? = nil) -> [[UInt8]] {
        let length = bits ?? total * 16
        var padding: [UInt16] = length % 16 == 0 ? [0x80] : []
        while (waiting + padding.count) % Self.codesInBlock != Self.codesInBlock - 4 { padding.append(0) }
        padding += (0..<4).map { UInt16(truncatingIfNeeded: length >> (16 * $0)) }
        unsafe padding.withUnsafeBufferPointer { padding in
            guard let base = padding.baseAddress else { return }
            unsafe append(count: padding.count, step: 1) { _ in unsafe base }
        }
        return (0..<digestLanes).map { lane in
            state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word[lane] >> (8 * UInt32($0))) } }
        }
    }

    private mutating func digestFullBlocks() {
        let full = waiting / Self.codesInBlock
        unsafe blocks.withUnsafeBufferPointer { blocks in
            unsafe Self.sines.withUnsafeBufferPointer { sines in
                unsafe state.withUnsafeMutableBufferPointer { state in
                    guard let blocks = blocks.baseAddress, let sines = sines.baseAddress,
                        let state = state.baseAddress
                    else { return }
                    unsafe digestBlocks(blocks, count: full, sines: sines, state: state)
                }
            }
        }
        for word in 0..<16 { blocks[word] = blocks[full * 16 + word] }
        waiting -= full * Self.codesInBlock
    }
}
