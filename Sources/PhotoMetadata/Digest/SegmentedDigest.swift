/// The digest of one message of any length, computed at the speed of eight: the MD5 digest of the MD5 digests of eight
/// equal segments and of the bytes that remain after them. Two messages are digested at once, since MD5 digests
/// sixteen.
package enum SegmentedDigest {
    private static let segments = 8
    /// A segment is a whole number of MD5's blocks of 64 bytes.
    private static let block = 64
    /// The number of 16-bit codes of each segment that are digested at a time; all eight together fit a core's cache.
    private static let run = 1024

    /// Returns the digest, 16 bytes.
    package static func digest(_ bytes: [UInt8]) -> [UInt8] {
        digest(bytes, segmentDigests(bytes, bytes).first)
    }

    /// Returns the digests of two messages, which together take hardly longer than one.
    package static func digests(_ first: [UInt8], _ second: [UInt8]) -> (first: [UInt8], second: [UInt8]) {
        if first.count > second.count {
            let (other, one) = digests(second, first)
            return (one, other)
        }
        let segments = segmentDigests(first, second)
        return (digest(first, segments.first), digest(second, segments.second))
    }

    /// Returns the digest of a message, given those of its segments.
    private static func digest(_ bytes: [UInt8], _ digests: [[UInt8]]) -> [UInt8] {
        MD5.digest(digests.flatMap(\.self) + bytes[(digests.isEmpty ? 0 : segments * segmentLength(bytes))...])
    }

    /// The length of each segment in bytes.
    private static func segmentLength(_ bytes: [UInt8]) -> Int { bytes.count / segments / block * block }

    /// Returns the digests of the segments of two messages, of which the second is at least as long as the first; none
    /// for a message too short to have segments.
    private static func segmentDigests(_ first: [UInt8], _ second: [UInt8]) -> (first: [[UInt8]], second: [[UInt8]]) {
        let (shorter, longer) = (segmentLength(first) / 2, segmentLength(second) / 2)
        guard longer > 0 else { return ([], []) }
        var md5 = MD5(run: run)
        return unsafe first.withUnsafeBytes { first in
            unsafe second.withUnsafeBytes { second in
                // An array's bytes are aligned for 16-bit codes, and each segment begins at a multiple of 64 bytes.
                guard let first = unsafe first.baseAddress?.assumingMemoryBound(to: UInt16.self),
                    let second = unsafe second.baseAddress?.assumingMemoryBound(to: UInt16.self)
                else { return ([], []) }
                for start in stride(from: 0, to: shorter, by: run) {
                    unsafe md5.append(count: min(run, shorter - start), step: 1) { message in
                        unsafe message < segments
                            ? first + (message * shorter + start) : second + ((message - segments) * longer + start)
                    }
                }
                var ended = md5
                let digests = shorter == 0 ? [] : Array(ended.finish().prefix(segments))
                // The rest of the longer segments; the first half of the lanes is not used any more.
                for start in stride(from: shorter, to: longer, by: run) {
                    unsafe md5.append(count: min(run, longer - start), step: 1) { message in
                        unsafe second + (message % segments * longer + start)
                    }
                }
                return (digests, Array(md5.finish().suffix(segments)))
            }
        }
    }
}

/// The hexadecimal text of digests.
package enum DigestText {
    /// Returns bytes as lower-case hexadecimal digits.
    package static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
