/// The parsed headers of a lossless JPEG with a single scan.
struct LosslessJPEGScan {
    var frame: LosslessJPEGFrame
    /// The point transform: the number of low bits removed from each sample before encoding.
    var pointTransform: Int
    /// The restart interval in rows; nil without restart markers.
    var restartRows: Int?
    /// The Huffman codes that the components use, each once.
    var codes: [HuffmanCode]
    /// The index in `codes` of each component's Huffman code.
    var codeOfComponent: [Int]
    /// The offset of the entropy-coded data in the JPEG.
    var start: Int
}
