/// Where the parts of a JPEG with one scan lie.
struct JPEGParts {
    /// The first marker behind the head that libjpeg writes for old readers (JFIF).
    let tables: Int
    /// The marker of the frame header.
    let frameHeader: Int
    /// The scan header, with its marker.
    let scanHeader: Range<Int>
    /// The coded pixels, without the marker of the end.
    let codedPixels: Range<Int>

    init(_ bytes: Span<UInt8>) throws(PictureFileError) {
        var (tables, frameHeader) = (2, 0)
        var at = 2
        while at + 4 <= bytes.count, bytes[at] == 0xFF {
            let end = at + 2 + Int(bytes[at + 2]) << 8 + Int(bytes[at + 3])
            if bytes[at + 1] == 0xE0 { tables = end }
            if bytes[at + 1] == 0xC0 { frameHeader = at }
            if bytes[at + 1] == 0xDA, frameHeader > 0, end <= bytes.count - 2 {
                self.tables = tables
                self.frameHeader = frameHeader
                scanHeader = at..<end
                codedPixels = end..<bytes.count - 2
                return
            }
            at = end
        }
        throw PictureFileError(.encoder, "libjpeg-turbo made a JPEG without a scan")
    }
}
