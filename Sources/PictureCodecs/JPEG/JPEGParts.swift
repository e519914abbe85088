/// The byte offsets of the parts of a JPEG with one scan.
struct JPEGParts {
    /// The offset of the first marker after the JFIF segment.
    let tables: Int
    /// The offset of the frame header's marker.
    let frameHeader: Int
    /// The byte range of the scan header (SOS), including its marker.
    let scanHeader: Range<Int>
    /// The byte range of the entropy-coded data, which ends before the end-of-image marker.
    let entropyCodedData: Range<Int>

    init(_ bytes: Span<UInt8>) throws(GscapError) {
        var (tables, frameHeader) = (2, 0)
        var offset = 2
        while offset + 4 <= bytes.count, bytes[offset] == 0xFF {
            let end = offset + 2 + Int(bytes[offset + 2]) << 8 + Int(bytes[offset + 3])
            if bytes[offset + 1] == 0xE0 { tables = end }
            if bytes[offset + 1] == 0xC0 { frameHeader = offset }
            if bytes[offset + 1] == 0xDD { throw Self.mismatch }
            if bytes[offset + 1] == 0xDA, frameHeader > 0, end <= bytes.count - 2 {
                self.tables = tables
                self.frameHeader = frameHeader
                scanHeader = offset..<end
                entropyCodedData = end..<bytes.count - 2
                return
            }
            offset = end
        }
        throw GscapError(.encoder, "libjpeg-turbo returned a JPEG without a scan")
    }

    /// The byte range of the picture height: two bytes of the frame header, after its marker, length and precision.
    var height: Range<Int> { frameHeader + 5..<frameHeader + 7 }

    /// Returns the bytes of `jpeg` up to the end of its scan header, with the picture height set to 0, followed by an
    /// end-of-image marker. They must be the same for all pieces of a picture.
    func header(of jpeg: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var header = unsafe Array(jpeg[..<scanHeader.upperBound])
        header.replaceSubrange(height, with: [0, 0])
        return header + [0xFF, 0xD9]
    }

    /// The error for a piece whose tables or headers differ from those of the other pieces.
    static let mismatch = GscapError(
        .encoder,
        "libjpeg-turbo encodes the pieces of a picture with different tables; unset TJ_OPTIMIZE and TJ_RESTART in the "
            + "environment")
}
