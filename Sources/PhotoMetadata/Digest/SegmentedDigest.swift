/// The digest of one message of any length, computed at the speed of eight: the MD5 digest of the MD5 digests of eight
/// equal segments and of the bytes that remain after them.
package enum SegmentedDigest {
    private static let segments = 8
    /// A segment is a whole number of MD5's blocks of 64 bytes.
    private static let block = 64
    /// The number of 16-bit codes of each segment that are digested at a time; all eight together fit a core's cache.
    private static let run = 1024

    /// Returns the digest, 16 bytes.
    package static func digest(_ bytes: [UInt8]) -> [UInt8] {
        let length = bytes.count / segments / block * block
        guard length > 0 else { return MD5.digest(bytes) }
        var md5 = MD5(run: run)
        unsafe bytes.withUnsafeBytes { bytes in
            // An array's bytes are aligned for 16-bit codes, and each segment begins at a multiple of 64 bytes.
            guard let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt16.self) else { return }
            let codes = length / 2
            for start in stride(from: 0, to: codes, by: run) {
                unsafe md5.append(count: min(run, codes - start), step: 1) { message in
                    // MD5 digests more messages at once: those beyond the last repeat it.
                    unsafe base + (min(message, segments - 1) * codes + start)
                }
            }
        }
        return MD5.digest(md5.finish().prefix(segments).flatMap(\.self) + bytes[(segments * length)...])
    }
}

/// The hexadecimal text of digests.
package enum DigestText {
    /// Returns bytes as lower-case hexadecimal digits.
    package static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
