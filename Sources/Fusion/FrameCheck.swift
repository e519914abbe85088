internal import RawImage

/// Validates frames before they are fused.
enum FrameCheck {
    /// The largest magnitude of a black or white level. Calibrated black may lie slightly below code 0 and white above
    /// the highest code; far larger levels are corrupt metadata.
    private static let highestLevel = 1e6

    /// Throws if a frame's codes, format or metadata are inconsistent in themselves.
    static func check(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata
    ) throws(GscapError) {
        if let problem = metadata.problem { throw GscapError(.badFrame, problem) }
        guard (metadata.blackLevel + [metadata.whiteLevel]).allSatisfy({ abs($0) <= highestLevel }) else {
            throw GscapError(.badFrame, "a black or white level is beyond ±1,000,000: correct the frame's levels")
        }
        guard metadata.blackLevel.allSatisfy({ metadata.whiteLevel - $0 >= 1 }) else {
            throw GscapError(
                .badFrame,
                "whiteLevel \(metadata.whiteLevel) is less than 1 above blackLevel: correct the frame's levels")
        }
        do {
            try format.check(count: codes.count)
        } catch {
            throw GscapError(.badFrame, error.message)
        }
    }

    /// Throws if a frame's size, Bayer pattern or bit depth differ from those of the burst's first frame. The row
    /// stride may differ.
    static func check(_ format: MosaicFormat, isLike first: MosaicFormat, number: Int) throws(GscapError) {
        guard
            (format.width, format.height, format.pattern, format.isMonochrome, format.bitDepth)
                == (first.width, first.height, first.pattern, first.isMonochrome, first.bitDepth)
        else {
            throw GscapError(
                .differentFormat,
                "frame \(number) is \(text(format)), frame 0 is \(text(first)): fuse only frames of the same format")
        }
    }

    private static func text(_ format: MosaicFormat) -> String {
        "\(format.width)×\(format.height) \(format.colorName) with \(format.bitDepth) bits"
    }
}
