internal import Files
internal import PhotoMetadata
internal import RawImage
internal import Synchronization

/// The file that a DNG was converted from, as the DNG contains it (OriginalRawFileData).
package struct OriginalRawFile: Sendable, Hashable {
    /// The file's name without its folder.
    package let name: String
    /// The file's bytes.
    package let bytes: [UInt8]

    /// The size of the blocks that are compressed each on its own.
    static let blockSize = 65_536
    /// The largest size, so that the DNG stays below 4 GB.
    private static let mostBytes = 0xE000_0000

    init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// Reads a file on disk.
    package init(path: String) throws(GscapError) {
        let source = try ByteSource(path: path)
        guard source.count <= Self.mostBytes else {
            throw GscapError(
                .badPicture, "\(path) has \(source.count) bytes, too many for a DNG file to contain: at most 3.5 GB")
        }
        guard let bytes = source.bytes(at: 0, count: source.count) else {
            throw GscapError(.cannotRead, "\(path) cannot be read to its end")
        }
        self.init(name: (path.split(separator: "/").last.map(String.init) ?? path).pathText, bytes: bytes)
    }

    /// Encodes the value of OriginalRawFileData: the file as a fork of compressed blocks, then its empty resource fork
    /// and unknown type and creator, and the same four of the file of the thumbnail, which does not exist.
    ///
    ///     length │ offsets of the blocks and of their end │ block │ block │ … │ seven times 0
    func encoded() throws(GscapError) -> [UInt8] {
        let count = (bytes.count + Self.blockSize - 1) / Self.blockSize
        let blocks = Mutex([[UInt8]](repeating: [], count: count))
        let failure = Mutex<GscapError?>(nil)
        concurrently(count) { index in
            let start = index * Self.blockSize
            let block = Array(bytes[start..<min(start + Self.blockSize, bytes.count)])
            do throws(GscapError) {
                let packed = try Deflater.deflate(block)
                blocks.withLock { $0[index] = packed }
            } catch {
                failure.withLock { $0 = error }
            }
        }
        if let error = failure.withLock({ $0 }) { throw error }
        var writer = ByteWriter()
        writer.append(bytes.count)
        let packed = blocks.withLock { $0 }
        if count > 0 {
            var offset = 4 * (count + 2)
            for block in packed {
                writer.append(offset)
                offset += block.count
            }
            writer.append(offset)
            for block in packed { writer.append(block) }
        }
        for _ in 0..<7 { writer.append(0 as UInt32) }
        return writer.bytes
    }
}

extension DNGData {
    /// Returns the file with the file that it was converted from, and the serial number of the camera if it is not
    /// empty. The receipt's digest of the metadata is computed again.
    package func embedding(_ original: OriginalRawFile?, serial: String = "") throws(GscapError) -> DNGData {
        var tags: [AddedTag] = []
        if !serial.isEmpty { tags.append(AddedTag(.cameraSerialNumber, text: serial)) }
        if let original {
            let value = try original.encoded()
            tags += [
                AddedTag(.originalRawFileName, text: original.name),
                AddedTag(.originalRawFileData, .undefined, value),
                // OriginalRawFileDigest is that of the value of OriginalRawFileData, not of the file.
                AddedTag(.originalRawFileDigest, .byte, MD5.digest(value)),
            ]
        }
        guard !tags.isEmpty else { return self }
        let data = try adding(tags)
        try DNGReceipt.sealAgain(data)
        return data
    }
}
