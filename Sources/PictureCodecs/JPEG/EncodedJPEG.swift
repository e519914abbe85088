internal import PhotoMetadata
internal import RawImage

/// An encoded JPEG without metadata segments, which are added when its pieces are put together as a file.
package struct EncodedJPEG {
    /// The JFIF segment (APP0) of libjpeg-turbo, for a file without other metadata segments.
    private let jfifSegment: [UInt8]
    /// The JPEG's bytes from the tables to the entropy-coded data: tables, frame header, restart interval, scan header.
    private let header: [UInt8]
    private let bands: [JPEGBand.Encoded]

    init(_ plan: JPEGPlan, _ bands: [JPEGBand.Encoded]) throws(GscapError) {
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

    /// Returns the size of the file in bytes if its metadata segments have `segments` bytes.
    package func byteCount(segments: Int) -> Int {
        bands.reduce(4 + segments + header.count) { $0 + $1.data.count }
    }

    /// Returns the file as consecutive pieces, with the metadata segments `segments` in place of the JFIF segment.
    package func pieces(_ segments: [UInt8]) -> [[UInt8]] {
        [[0xFF, 0xD8] + segments + header] + bands.map(\.data) + [[0xFF, 0xD9]]
    }

    /// Returns the whole file, with the JFIF segment as its only metadata.
    package func file() -> [UInt8] { [UInt8](joining: pieces(jfifSegment)) }
}

extension [UInt8] {
    /// Creates an array of all bytes of `pieces`, in their order.
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
