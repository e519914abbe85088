internal import RawImage

/// What a frame must be to be fused.
enum FrameCheck {
    /// Black may be a little below 0 and white above all codes, within reason.
    private static let highestLevel = 1e6

    /// Throws when a frame makes no sense in itself.
    static func check(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata
    ) throws(FusionError) {
        if let problem = metadata.problem { throw FusionError(.badFrame, problem) }
        guard (metadata.blackLevel + [metadata.whiteLevel]).allSatisfy({ abs($0) <= highestLevel }) else {
            throw FusionError(.badFrame, "black and white levels are far beyond 16 bits")
        }
        guard metadata.blackLevel.allSatisfy({ metadata.whiteLevel - $0 >= 1 }) else {
            throw FusionError(.badFrame, "whiteLevel \(metadata.whiteLevel) is not even a code above black")
        }
        do {
            try format.check(count: codes.count)
        } catch {
            throw FusionError(.badFrame, error.message)
        }
    }

    /// Throws when the pixels of a frame do not mean the same as the first one's; rows may lie otherwise in memory.
    static func check(_ format: MosaicFormat, isLike first: MosaicFormat, number: Int) throws(FusionError) {
        guard
            (format.width, format.height, format.pattern, format.bitDepth)
                == (first.width, first.height, first.pattern, first.bitDepth)
        else {
            throw FusionError(
                .differentFormat,
                "frame \(number) is \(words(format)), the burst's first is \(words(first)): fuse frames of one kind")
        }
    }

    private static func words(_ format: MosaicFormat) -> String {
        "\(format.width)×\(format.height) \(format.pattern.rawValue) of \(format.bitDepth) bits"
    }
}
