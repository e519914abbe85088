internal import PixelMemory
internal import RawImage

/// A frame of a bracket, buffered until the bracket is complete.
struct BracketFrame: Sendable {
    /// The index of the frame in the bracket, from 0.
    let index: Int
    let codes: [UInt16]
    let format: MosaicFormat
    let metadata: FrameMetadata

    /// Copies a frame, because the caller may reuse its memory before the bracket is complete.
    /// The frame has been checked.
    init(index: Int, _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata) {
        self.index = index
        self.format = format
        self.metadata = metadata
        self.codes = codes.extracting(first: format.codeCount).array
    }

    /// The mean black level of the four CFA positions.
    var black: Double { metadata.blackLevel.reduce(0, +) / 4 }

    /// The number of codes from black to white.
    var range: Double { metadata.whiteLevel - black }
}
