internal import PhotoMetadata
internal import RawImage

/// A JPEG that is coded and becomes a file when it is known what the file tells of it.
struct CodedJPEG {
    /// What libjpeg says of itself for old readers (JFIF).
    private let greeting: [UInt8]
    /// Tables and headers.
    private let head: [UInt8]
    private let bands: [JPEGBand.Coded]

    init(_ plan: JPEGPlan, _ bands: [JPEGBand.Coded]) throws(PictureFileError) {
        let first = bands.first?.head ?? []
        guard bands.allSatisfy({ $0.head == first }) else { throw JPEGParts.stranger }
        let parts = try JPEGParts(first.span)
        var head = Array(first[parts.tables..<parts.scanHeader.lowerBound])
        let height = parts.height.lowerBound - parts.tables
        head.replaceSubrange(height..<height + 2, with: UInt16(plan.height).bigEndianBytes)
        if plan.height > plan.pieceHeight { head += [0xFF, 0xDD, 0, 4] + UInt16(plan.blocks).bigEndianBytes }
        head += first[parts.scanHeader]
        self.head = head
        greeting = Array(first[2..<parts.tables])
        self.bands = bands
    }

    /// The bytes of a file with such segments.
    func byteCount(segments: Int) -> Int {
        bands.reduce(4 + segments + head.count) { $0 + $1.pixels.count }
    }

    /// The file in pieces, with segments in place of what libjpeg says of itself.
    func pieces(_ segments: [UInt8]) -> [[UInt8]] {
        [[0xFF, 0xD8] + segments + head] + bands.map(\.pixels) + [[0xFF, 0xD9]]
    }

    /// The file as libjpeg begins it.
    func file() -> [UInt8] { [UInt8](joining: pieces(greeting)) }
}

extension [UInt8] {
    /// The bytes of pieces one after another.
    init(joining pieces: [[UInt8]]) {
        self = unsafe [UInt8](large: pieces.reduce(0) { $0 + $1.count }) { base in
            var end = unsafe base
            for piece in pieces {
                unsafe end.update(from: piece, count: piece.count)
                unsafe end += piece.count
            }
        }
    }
}
