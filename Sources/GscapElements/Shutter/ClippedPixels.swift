internal import FrameStream
internal import GStreamer
internal import RawImage

/// The fraction of a frame's pixels that are clipped at the sensor, estimated from at least 10,000 of them.
struct ClippedPixels {
    /// The fraction, 0…1.
    let fraction: Double

    /// Above this fraction a picture counts as overexposed. Lamps, reflections and parts of the sky stay below it.
    static let limit = 0.1

    private static let cellsNeeded = 2500
    /// The fewest pixels of a frame for which a fraction says something about the picture.
    private static let pixelsNeeded = 1024

    /// Measures a frame; nil if it is very small, has too few codes for its format, or has invalid levels.
    init?(_ codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata) {
        guard (try? format.check(count: codes.count)) != nil, let clippingCode = metadata.clippingCode else {
            return nil
        }
        let (columns, rows) = (format.width / 2, format.height / 2)
        guard 4 * columns * rows >= Self.pixelsNeeded else { return nil }
        // Every step-th 2×2 cell of every step-th row of cells: the four colours clip at different exposures.
        let step = max(1, Int((Double(columns * rows) / Double(Self.cellsNeeded)).squareRoot()))
        var (count, clipped) = (0, 0)
        for row in Swift.stride(from: step / 2, to: rows, by: step) {
            for column in Swift.stride(from: step / 2, to: columns, by: step) {
                let cell = 2 * (row * format.stride + column)
                for offset in 0...1 {
                    clipped += codes[cell + offset] >= clippingCode ? 1 : 0
                    clipped += codes[cell + offset + format.stride] >= clippingCode ? 1 : 0
                }
                count += 4
            }
        }
        fraction = Double(clipped) / Double(count)
    }
}

extension ElementHandle {
    /// Posts a warning if the frame that a capture's photo is made from is overexposed: its reference. The frames of
    /// a bracket are meant to differ from the correct exposure, so a bracket is not checked.
    func postOverexposure(of frame: borrowing Buffer, _ metadata: FrameMetadata, _ format: MosaicFormat?) {
        guard let format, let capture = metadata.capture, capture.isReference, capture.exposureCount == 1,
            !capture.isBracket
        else { return }
        let clipped = frame.withValues(of: UInt16.self) { codes in
            ClippedPixels(codes, format: format, metadata: metadata)
        }
        guard let clipped, clipped.fraction > ClippedPixels.limit else { return }
        let percent = Int((100 * clipped.fraction).rounded())
        postLoss(
            "\(percent) % of the picture is overexposed (clipped); shorten the exposure time or lower the ISO",
            capture: capture.statedID)
    }
}
