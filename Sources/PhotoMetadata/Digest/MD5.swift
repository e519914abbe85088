internal import Glibc
internal import Kernels

/// Computes the MD5 digests (RFC 1321) of sixteen messages of equal length at once, one per SIMD element: one message
/// takes as long as sixteen.
package struct MD5 {
    private var state: [SIMD16<UInt32>] = [
        SIMD16(repeating: 0x6745_2301), SIMD16(repeating: 0xEFCD_AB89),
        SIMD16(repeating: 0x98BA_DCFE), SIMD16(repeating: 0x1032_5476),
    ]
    /// Memory for the codes that are appended but not digested yet, in 64-byte blocks of 16 elements; each element has
    /// one 32-bit word of each of the sixteen messages.
    private var blocks: [SIMD16<UInt32>]
    /// Memory for a block in which codes are put in order.
    private var scratch = [SIMD16<UInt32>](repeating: SIMD16(), count: 16)
    /// The number of 16-bit codes of each message that wait in `blocks` to be digested.
    private var pending = 0
    /// The number of 16-bit codes of each message that have been appended since the start.
    private var total = 0

    /// Number of 16-bit codes in a 64-byte block.
    private static let codesInBlock = 32
    /// The constants T[1…64] of RFC 1321: 2³² · |sin i|.
    private static let sines = (1...64).map { UInt32(abs(sin(Double($0))) * 0x1p32) }

    /// Creates digests of sixteen messages; at most `run` codes per message can be appended at a time.
    init(run: Int) {
        // Capacity for the pending codes, for a run or up to two blocks of padding, and for the block after the last
        // full one, which digestFullBlocks moves to the front.
        blocks = Array(repeating: SIMD16(), count: (run / Self.codesInBlock + 3) * 16)
    }

    /// Returns the MD5 digest, 16 bytes, of a single message.
    package static func digest(_ bytes: [UInt8]) -> [UInt8] {
        // An odd last byte shares its code with the first padding byte, 0x80.
        var codes = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
        if bytes.count % 2 == 1 { codes.append(UInt16(bytes[bytes.count - 1]) | 0x8000) }
        // In runs, because each waits in memory for sixteen messages.
        let run = 16_384
        var md5 = MD5(run: min(run, codes.count))
        unsafe codes.withUnsafeBufferPointer { codes in
            guard let base = codes.baseAddress else { return }
            for start in Swift.stride(from: 0, to: codes.count, by: run) {
                unsafe md5.append(count: min(run, codes.count - start), step: 1) { _ in unsafe base + start }
            }
        }
        return md5.finish(bits: bytes.count * 8)[0]
    }

    /// Appends `count` codes to each message, as bytes in little-endian order. `codes` returns the first code of
    /// message 0…15; the following ones are `step` apart.
    mutating func append(count: Int, step: Int, codes: (Int) -> UnsafePointer<UInt16>) {
        if pending == 0, step == 1, count % Self.codesInBlock == 0 {
            unsafe copyBlocks(count: count, codes)
        } else {
            unsafe copyCodes(count: count, step: step, codes)
        }
        pending += count
        total += count
        digestFullBlocks()
    }

    /// Copies whole blocks of contiguous codes.
    private mutating func copyBlocks(count: Int, _ codes: (Int) -> UnsafePointer<UInt16>) {
        let messages = unsafe (0..<digestMessageCount).map { unsafe codes($0) }
        unsafe messages.withUnsafeBufferPointer { messages in
            unsafe blocks.withUnsafeMutableBufferPointer { blocks in
                unsafe scratch.withUnsafeMutableBufferPointer { scratch in
                    guard let messages = messages.baseAddress, let blocks = blocks.baseAddress,
                        let scratch = scratch.baseAddress
                    else { return }
                    unsafe Kernels.copyBlocks(
                        messages, count: count / Self.codesInBlock, into: blocks, scratch: scratch)
                }
            }
        }
    }

    /// Copies codes that are `step` apart behind those that wait.
    private mutating func copyCodes(count: Int, step: Int, _ codes: (Int) -> UnsafePointer<UInt16>) {
        let start = pending
        unsafe blocks.withUnsafeMutableBytes { bytes in
            guard let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt16.self) else { return }
            for message in 0..<digestMessageCount {
                unsafe copyCodesToLane(
                    codes(message), step: step, count: count, lane: message, start: start, blocks: base)
            }
        }
    }

    /// Appends MD5's padding and returns the digests of the sixteen messages. `bits` is their length in bits; it is
    /// needed when the messages have an odd number of bytes.
    mutating func finish(bits: Int? = nil) -> [[UInt8]] {
        let length = bits ?? total * 16
        var padding: [UInt16] = length % 16 == 0 ? [0x80] : []
        while (pending + padding.count) % Self.codesInBlock != Self.codesInBlock - 4 { padding.append(0) }
        padding += (0..<4).map { UInt16(truncatingIfNeeded: length >> (16 * $0)) }
        unsafe padding.withUnsafeBufferPointer { padding in
            guard let base = padding.baseAddress else { return }
            unsafe append(count: padding.count, step: 1) { _ in unsafe base }
        }
        return (0..<digestMessageCount).map { message in
            state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word[message] >> (8 * UInt32($0))) } }
        }
    }

    private mutating func digestFullBlocks() {
        let full = pending / Self.codesInBlock
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
        pending -= full * Self.codesInBlock
    }
}
