internal import RawImage

/// One exposure of a bracket, kept until the bracket is whole.
struct BracketFrame: Sendable {
    /// Its place in the bracket.
    let index: Int
    let codes: [UInt16]
    let format: MosaicFormat
    let metadata: FrameMetadata

    /// Black and white may be a little beyond 16 bits, within reason.
    private static let highestLevel = 1e6

    /// Copies a frame: its owner may reuse the memory before the bracket is whole.
    init(index: Int, _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata) throws(FusionError) {
        if let problem = metadata.problem { throw FusionError(.badFrame, "frame \(index): \(problem)") }
        guard (metadata.blackLevel + [metadata.whiteLevel]).allSatisfy({ abs($0) <= Self.highestLevel }) else {
            throw FusionError(.badFrame, "frame \(index): black and white levels are far beyond 16 bits")
        }
        do {
            try format.check(count: codes.count)
        } catch {
            throw FusionError(.badFrame, "frame \(index): \(error.message)")
        }
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
