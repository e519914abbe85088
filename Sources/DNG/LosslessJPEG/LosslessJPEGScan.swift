/// What the markers of a lossless JPEG say about its one scan.
struct LosslessJPEGScan {
    var frame: LosslessJPEGFrame
    /// Samples are stored without so many low bits.
    var pointTransform: Int
    /// Rows between restart markers; nil if there are none.
    var restartRows: Int?
    /// The tables, and the index of each component's.
    var codes: [HuffmanCode]
    var codeOfComponent: [Int]
    /// Where the entropy-coded bytes start.
    var start: Int
}
