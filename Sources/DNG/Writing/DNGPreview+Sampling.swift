extension DNGPreview {
    /// The factors by which the JPEG's chroma has fewer samples than its luma, across and down, for the tag
    /// YCbCrSubSampling; nil if the JPEG has no frame header of three components.
    var chromaSampling: (across: Int, down: Int)? {
        var offset = 2
        while offset + 4 <= jpeg.count, jpeg[offset] == 0xFF {
            let (marker, length) = (jpeg[offset + 1], Int(jpeg[offset + 2]) << 8 | Int(jpeg[offset + 3]))
            // SOF0 to SOF2: baseline, extended and progressive frames. Their header has the precision, height and width
            // (5 bytes), the number of components, and 3 bytes for each component.
            if (0xC0...0xC2).contains(marker) {
                guard length >= 17, offset + 2 + length <= jpeg.count, jpeg[offset + 9] == 3 else { return nil }
                let (luma, chroma) = (jpeg[offset + 11], jpeg[offset + 14])
                guard luma >> 4 >= 1, luma & 15 >= 1, chroma >> 4 >= 1, chroma & 15 >= 1 else { return nil }
                return (Int(luma >> 4) / Int(chroma >> 4), Int(luma & 15) / Int(chroma & 15))
            }
            if marker == 0xDA { return nil }
            offset += 2 + length
        }
        return nil
    }
}
