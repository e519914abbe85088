internal import RawImage

/// One exposure of a bracket, kept until the bracket is whole.
struct BracketFrame: Sendable {
    /// Its place in the bracket.
    let index: Int
    let codes: [UInt16]
    let format: MosaicFormat
    let metadata: FrameMetadata

    /// Copies a frame: its owner may reuse the memory before the bracket is whole.
    init(index: Int, _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata) throws(FusionError) {
        try FrameCheck.check(codes, format, metadata)
        self.index = index
        self.format = format
        self.metadata = metadata
        self.codes = unsafe codes.withUnsafeBufferPointer { unsafe Array($0.prefix(format.codeCount)) }
    }

    /// The mean code without light.
    var black: Double { metadata.blackLevel.reduce(0, +) / 4 }

    /// Codes from black to white.
    var range: Double { metadata.whiteLevel - black }
}
