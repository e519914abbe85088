internal import PhotoMetadata
internal import Synchronization

/// The digests of a DNG file's parts, as its receipt in the XMP packet states them.
///
/// A part is a picture, as its strips or tiles are stored; a table that changes pixels, such as an opcode list; or the
/// metadata: all directories with their offsets and the values of their tags, the XMP packet among them.
struct PartDigests: Sendable, Hashable {
    /// The digest of one part.
    struct Entry: Sendable, Hashable {
        /// The part's name, without spaces.
        let part: String
        /// The part's size in bytes.
        let byteCount: Int
        /// The `SegmentedDigest`; for a picture, that of the digests of its strips or tiles.
        let digest: String

        init(_ part: String, byteCount: Int, digest: [UInt8]) {
            self.init(part, byteCount: byteCount, digest: DigestText.hexadecimal(digest))
        }

        init(_ part: String, byteCount: Int, digest: String) {
            self.part = part
            self.byteCount = byteCount
            self.digest = digest
        }

        /// Parses the text of an item, such as "raw 25165824 00112233445566778899aabbccddeeff".
        init?(_ item: String) {
            let words = item.split(separator: " ")
            guard words.count == 3, let count = Int(words[1]), words[2].utf8.count == 32 else { return nil }
            self.init(String(words[0]), byteCount: count, digest: String(words[2]))
        }

        var text: String { "\(part) \(byteCount) \(digest)" }
    }

    /// The name of the property in the XMP packet.
    static let property = "gscap:PartDigests"
    /// The name of the main raw picture as a part.
    static let raw = "raw"
    /// The name of all tags as a part.
    static let metadata = "metadata"
    /// The largest number of items that are decoded, above the pictures and tables of any file.
    private static let mostEntries = 1024

    private(set) var entries: [Entry]

    init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// Decodes the digests in an XMP packet; nil if it has none.
    init?(_ packet: XMPReader) {
        entries = packet.list(Self.property, most: Self.mostEntries).compactMap { Entry($0) }
        if entries.isEmpty { return nil }
    }

    /// Returns the digest of a part; nil if there is none.
    subscript(part: String) -> Entry? { entries.first { $0.part == part } }

    /// The property as an XML element.
    var xmp: String { XMPText.list(Self.property, in: "Seq", entries.map(\.text)) }
}

/// Collects the digests of a picture's strips or tiles, which are computed on several threads in any order.
final class ChunkDigests: Sendable {
    private struct State {
        var digests: [UInt8]
        var byteCount = 0
    }

    private let state: Mutex<State>

    init(chunks: Int) {
        state = Mutex(State(digests: [UInt8](repeating: 0, count: chunks * 16)))
    }

    /// The number of strips or tiles that are best digested together.
    static let together = 2

    /// Digests the bytes of one or two strips or tiles; `index` is that of the first.
    func add(_ chunks: [[UInt8]], from index: Int) {
        guard let first = chunks.first else { return }
        let digest: [UInt8]
        if chunks.count == Self.together {
            let digests = SegmentedDigest.digests(first, chunks[1])
            digest = digests.first + digests.second
        } else {
            digest = SegmentedDigest.digest(first)
        }
        state.withLock { state in
            state.digests.replaceSubrange(index * 16..<index * 16 + digest.count, with: digest)
            state.byteCount += chunks.reduce(0) { $0 + $1.count }
        }
    }

    /// Returns the digest of the whole picture.
    func entry(of part: String) -> PartDigests.Entry {
        let state = state.withLock { $0 }
        return PartDigests.Entry(part, byteCount: state.byteCount, digest: SegmentedDigest.digest(state.digests))
    }
}
