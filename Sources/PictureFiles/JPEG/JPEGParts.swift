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
            if bytes[at + 1] == 0xDD { throw Self.stranger }
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

    /// Where the height stands: behind the frame header's marker, length and depth.
    var height: Range<Int> { frameHeader + 5..<frameHeader + 7 }

    /// The JPEG of no height and without its pixels: alike for pieces that fit together.
    func head(of jpeg: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var head = unsafe Array(jpeg[..<scanHeader.upperBound])
        head.replaceSubrange(height, with: [0, 0])
        return head + [0xFF, 0xD9]
    }

    /// What is wrong with a piece that is coded in another way than the rest.
    static let stranger = PictureFileError(
        .encoder,
        "libjpeg-turbo codes parts of a picture so that they do not fit together; take TJ_OPTIMIZE and TJ_RESTART out of the "
            + "environment")
}
