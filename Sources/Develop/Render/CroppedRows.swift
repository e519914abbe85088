internal import PixelMemory
internal import RawImage

/// Rows of white-balanced linear camera RGB, cropped, scaled and corrected for distortion as a rendering requires.
struct CroppedRows: Sendable {
    private let frame: RenderFrame
    private let raw: LinearRows
    private let across: AreaAxis?
    private let corrector: DistortionCorrector?

    init(_ renderer: Renderer, _ plan: RenderPlan, cores: Int?) throws(GscapError) {
        let frame = plan.frame
        self.frame = frame
        across = frame.isScaled ? AreaAxis(length: frame.crop.width, count: frame.width) : nil
        let raw = try LinearRows(renderer, cores: cores)
        self.raw = raw
        corrector = renderer.metadata.lens.warp.map {
            DistortionCorrector($0, frame, DistortedImage(raw, renderer, cores: cores))
        }
    }

    /// Scratch memory shared by all work on these rows.
    var memory: ScratchMemoryPool { raw.memory }

    /// Calls `body` with the number of each output row in order, after storing the row at `target`.
    func forEach(in rows: Range<Int>, into target: (Int) -> ColorRow, _ body: (Int) -> Void) {
        guard let across else {
            let first = frame.crop.top
            forEachRaw(
                in: rows.lowerBound + first..<rows.upperBound + first, into: { target($0 - first) },
                { body($0 - first) })
            return
        }
        var scaler = RowScaler(frame, across)
        scaler.start(rows.lowerBound)
        let raw = scaler.sources(of: rows)
        let (input, top) = (scaler.input, frame.crop.top)
        forEachRaw(
            in: raw.lowerBound + top..<raw.upperBound + top, into: { _ in input },
            { row in
                scaler.add(row - top, isLast: row - top == raw.upperBound - 1, of: rows, into: target, body)
            })
    }

    /// Calls `body` with each row of the raw image, after storing the columns of the crop at `target`.
    private func forEachRaw(in rows: Range<Int>, into target: (Int) -> ColorRow, _ body: (Int) -> Void) {
        if let corrector {
            corrector.forEach(in: rows, into: target, body)
        } else {
            raw.forEach(in: rows, from: frame.crop.left, count: frame.crop.width, into: target, body)
        }
    }
}
