internal import Glibc

/// Panasonic's and Leica's raw files (RW2, RWL): a TIFF structure with the number 85 in its header. LibRaw decodes one
/// that is cut off without an error, and repeats earlier data in place of the missing part.
package enum PanasonicRawFile {
    /// Returns whether a file is one of these and ends before its codes do.
    static func isCutOff(path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var information = stat()
        guard unsafe fstat(descriptor, &information) == 0 else { return false }
        // The first directory stands at the beginning.
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
        return isCutOff(header: bytes.prefix(max(0, count)), fileSize: Int(information.st_size))
    }

    /// Returns whether a file of `fileSize` bytes, which begins with `header`, is cut off.
    package static func isCutOff(header: ArraySlice<UInt8>, fileSize: Int) -> Bool {
        guard let tags = tags(of: header), let width = tags[2], let height = tags[3] else { return false }
        // Some cameras store StripOffsets as 0xFFFFFFFF; RawDataOffset counts.
        guard let start = tags[0x118] ?? tags[0x111], start < UInt32.max else { return false }
        guard let pixels = pixelsInBlock(format: tags[0x2D] ?? 0, bits: tags[0x0A] ?? 12) else { return false }
        let blocks = Int(width) * Int(height) / pixels
        return Int(start) + blocks * bytesInBlock > fileSize
    }

    private static let bytesInBlock = 16

    /// Returns how many pixels a block of 16 bytes contains, by the tag RawFormat; nil for a format whose compressed
    /// codes have no fixed size.
    private static func pixelsInBlock(format: UInt32, bits: UInt32) -> Int? {
        switch format {
        case 0...4: 14
        case 5, 7: bits == 14 ? 9 : 10
        case 6: bits == 14 ? 11 : 14
        default: nil
        }
    }

    /// Returns the first value of each tag of integers in the first directory; nil for another kind of file.
    private static func tags(of bytes: ArraySlice<UInt8>) -> [UInt16: UInt32]? {
        guard bytes.starts(with: [0x49, 0x49, 0x55, 0x00]), let directory = number(at: 4, size: 4, in: bytes),
            let count = number(at: Int(directory), size: 2, in: bytes)
        else { return nil }
        var tags: [UInt16: UInt32] = [:]
        for entry in 0..<Int(count) {
            let start = Int(directory) + 2 + 12 * entry
            guard let tag = number(at: start, size: 2, in: bytes), let type = number(at: start + 2, size: 2, in: bytes)
            else { return nil }
            // The types SHORT and LONG.
            guard type == 3 || type == 4 else { continue }
            tags[UInt16(truncatingIfNeeded: tag)] = number(at: start + 8, size: type == 3 ? 2 : 4, in: bytes)
        }
        return tags
    }

    /// Returns a little-endian number; nil if it lies outside the bytes.
    private static func number(at start: Int, size: Int, in bytes: ArraySlice<UInt8>) -> UInt32? {
        guard start >= 0, start + size <= bytes.count else { return nil }
        return (0..<size).reversed().reduce(0) { $0 << 8 | UInt32(bytes[bytes.startIndex + start + $1]) }
    }
}
