internal import PhotoMetadata
internal import RawImage

/// An encoded JPEG whose metadata segments are added when the file is written.
package struct EncodedJPEG {
    /// The JFIF segment that libjpeg writes.
    private let jfifSegment: [UInt8]
    /// The tables, the frame header and the scan header.
    private let header: [UInt8]
    private let bands: [JPEGBand.Encoded]

    init(_ plan: JPEGPlan, _ bands: [JPEGBand.Encoded]) throws(CodecError) {
        let first = bands.first?.header ?? []
        guard bands.allSatisfy({ $0.header == first }) else { throw JPEGParts.mismatch }
        let parts = try JPEGParts(first.span)
        var header = Array(first[parts.tables..<parts.scanHeader.lowerBound])
        let height = parts.height.lowerBound - parts.tables
        header.replaceSubrange(height..<height + 2, with: UInt16(plan.height).bigEndianBytes)
        if plan.height > plan.pieceHeight {
            header += [0xFF, 0xDD, 0, 4] + UInt16(plan.restartInterval).bigEndianBytes
        }
        header += first[parts.scanHeader]
        self.header = header
        jfifSegment = Array(first[2..<parts.tables])
        self.bands = bands
    }

    /// Returns the size of the file with metadata segments of `segments` bytes.
    package func byteCount(segments: Int) -> Int {
        bands.reduce(4 + segments + header.count) { $0 + $1.data.count }
    }

    /// Returns the file in pieces, with `segments` instead of the JFIF segment.
    package func pieces(_ segments: [UInt8]) -> [[UInt8]] {
        [[0xFF, 0xD8] + segments + header] + bands.map(\.data) + [[0xFF, 0xD9]]
    }

    /// Returns the file with the JFIF segment.
    package func file() -> [UInt8] { [UInt8](joining: pieces(jfifSegment)) }
}

extension [UInt8] {
    /// Concatenates pieces of bytes.
    package init(joining pieces: [[UInt8]]) {
        self = unsafe [UInt8](large: pieces.reduce(0) { $0 + $1.count }) { base in
            var end = unsafe base
            for piece in pieces {
                unsafe end.update(from: piece, count: piece.count)
                unsafe end += piece.count
            }
        }
    }
}
