internal import PhotoMetadata

extension DNGFile {
    /// The part of `checks` for the original raw file.
    private static let originalPart = "original"

    /// Whether the file contains the file that it was converted from.
    package var hasOriginal: Bool { first.has(.originalRawFileData) }

    /// The reason why the original raw file in this file is invalid; nil if it is valid, or if there is none.
    var originalProblem: String? {
        guard hasOriginal, first.has(.originalRawFileDigest) else { return nil }
        let digest = MD5.digest(first.bytes(.originalRawFileData))
        guard digest != first.bytes(.originalRawFileDigest) else { return nil }
        return "the original raw file in it is damaged: its bytes do not match \(TIFFTag.originalRawFileDigest)"
    }

    /// Returns the file that this file was converted from. Throws if there is none, or if it is damaged, unless the
    /// damage is accepted.
    package func originalRawFile() throws(GscapError) -> OriginalRawFile {
        guard hasOriginal else {
            throw GscapError(
                .noSuchImage,
                "the file does not contain the raw file that it was converted from (\(TIFFTag.originalRawFileData))")
        }
        if let problem = originalProblem {
            checks.set(.damaged(problem), of: Self.originalPart)
            guard acceptsDamage else {
                throw GscapError(
                    .damaged,
                    "\(problem): use another copy of the file, or accept the damage (--accept-damage)")
            }
        }
        return OriginalRawFile(name: originalName, bytes: try Self.dataFork(first.bytes(.originalRawFileData)))
    }

    /// The name of the original raw file, without folders.
    var originalName: String {
        let name = first.text(.originalRawFileName)?.split { $0 == "/" || $0 == "\\" }.last.map(String.init)
        guard let name, ![".", ".."].contains(name) else { return "original.raw" }
        return name
    }

    /// Decodes the first fork of OriginalRawFileData: a file's bytes in compressed blocks.
    private static func dataFork(_ value: [UInt8]) throws(GscapError) -> [UInt8] {
        func damage(_ text: String) -> GscapError {
            GscapError(.malformed, "\(TIFFTag.originalRawFileData) is damaged: \(text)")
        }
        var reader = ByteReader(value, isBigEndian: true)
        let length = Int(try reader.uint32())
        if length == 0 { return [] }
        let size = OriginalRawFile.blockSize
        let count = (length + size - 1) / size
        guard reader.remaining / 4 > count else { throw damage("it has no offsets of \(count) blocks") }
        var offsets: [Int] = []
        for _ in 0...count { offsets.append(Int(try reader.uint32())) }
        var bytes: [UInt8] = []
        for (index, (start, end)) in zip(offsets, offsets.dropFirst()).enumerated() {
            guard start >= 4 * (count + 2), start <= end, end <= value.count else {
                throw damage("block \(index) of \(count) is not in it")
            }
            do throws(GscapError) {
                let block = Array(value[start..<end])
                bytes += try Inflater.inflate(block, count: min(size, length - index * size))
            } catch {
                throw damage("block \(index) of \(count): \(error.message)")
            }
        }
        return bytes
    }
}
