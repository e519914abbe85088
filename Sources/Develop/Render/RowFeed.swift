internal import RawImage

/// Gives a render the light of its rows: white-balanced camera colour, of the wanted part and size.
struct RowFeed: Sendable {
    private let frame: RenderFrame
    private let raw: RawRows
    private let across: AreaAxis?
    private let warp: WarpGrid?

    init(_ renderer: Renderer, _ plan: RenderPlan, cores: Int?) throws(DevelopError) {
        let frame = plan.frame
        self.frame = frame
        across = frame.isScaled ? AreaAxis(length: frame.crop.width, count: frame.width) : nil
        let raw = try RawRows(renderer, cores: cores)
        self.raw = raw
        warp = renderer.metadata.lens.warp.map { WarpGrid($0, frame, BentPicture(raw, renderer, cores: cores)) }
    }

    /// What work on its rows goes through.
    var memory: LineMemory { raw.memory }

    /// Calls `body` with each of a render's rows in order, when its light is where `target` said.
    func forEach(in rows: Range<Int>, into target: (Int) -> ColorRow, _ body: (Int) -> Void) {
        guard let across else {
            let first = frame.crop.top
            unsafe forEachRaw(
                in: rows.lowerBound + first..<rows.upperBound + first, into: { unsafe target($0 - first) },
                { body($0 - first) })
            return
        }
        var scaler = RowScaler(frame, across)
        scaler.start(rows.lowerBound)
        let raw = scaler.sources(of: rows)
        let (own, top) = unsafe (scaler.own, frame.crop.top)
        unsafe forEachRaw(
            in: raw.lowerBound + top..<raw.upperBound + top, into: { _ in unsafe own },
            { row in
                unsafe scaler.add(row - top, isLast: row - top == raw.upperBound - 1, of: rows, into: target, body)
            })
    }

    /// Rows of the raw picture, from the crop's first column.
    private func forEachRaw(in rows: Range<Int>, into target: (Int) -> ColorRow, _ body: (Int) -> Void) {
        if let warp {
            unsafe warp.forEach(in: rows, into: target, body)
        } else {
            unsafe raw.forEach(in: rows, from: frame.crop.left, count: frame.crop.width, into: target, body)
        }
    }
}
