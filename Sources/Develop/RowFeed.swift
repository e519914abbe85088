internal import Fusion
internal import Kernels
internal import RawImage

/// Gives a render the light of its rows: white-balanced camera colour, of the wanted part and size.
struct RowFeed: Sendable {
    private let source: RawSource
    private let frame: RenderFrame
    private let balance: Balance
    private let demosaic: DemosaicPlan?
    private let across: AreaAxis?
    private let shading: [ShadingMap]
    private let warp: WarpGrid?

    init(_ renderer: Renderer, _ plan: RenderPlan, cores: Int?) throws(DevelopError) {
        frame = plan.frame
        across = plan.frame.isScaled ? AreaAxis(length: frame.crop.width, count: frame.width) : nil
        var source = renderer.source
        var lens = renderer.metadata.lens
        if case .mosaic(let mosaic) = source {
            var mosaic = mosaic
            if !lens.shading.isEmpty {
                mosaic = RawMosaic(try ShadedMosaic.correcting(mosaic, lens.shading, cores: cores))
            }
            lens.shading = []
            source = .mosaic(mosaic)
            if lens.warp != nil {
                // What is bent needs neighbours from afar.
                source = .linear(
                    RawPhoto(
                        try DevelopError.checking { () throws(RawImageError) in
                            try Demosaic.linear(mosaic.owned())
                        }))
            }
        }
        self.source = source
        shading = lens.shading
        warp = lens.warp.map { WarpGrid($0, plan.frame) }
        switch source {
        case .mosaic(let mosaic):
            demosaic = try DevelopError.checking { () throws(RawImageError) in
                try DemosaicPlan(mosaic.metadata, pattern: mosaic.format.pattern)
            }
            balance = try DevelopError.checking { () throws(RawImageError) in
                try Balance(mosaic.metadata, pattern: mosaic.format.pattern)
            }
        case .linear(let photo):
            demosaic = nil
            balance = try DevelopError.checking { () throws(RawImageError) in try Balance(linear: photo.metadata) }
        }
    }

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

    // MARK: Rows of the raw picture, from the crop's first column

    private func forEachRaw(in rows: Range<Int>, into target: (Int) -> ColorRow, _ body: (Int) -> Void) {
        switch source {
        case .mosaic(let mosaic): unsafe forEachRow(of: mosaic, in: rows, into: target, body)
        case .linear(let photo): unsafe forEachRow(of: photo, in: rows, into: target, body)
        }
    }

    private func forEachRow(
        of mosaic: RawMosaic, in rows: Range<Int>, into target: (Int) -> ColorRow, _ body: (Int) -> Void
    ) {
        guard let demosaic else { return }
        unsafe mosaic.codes.withUnsafeBufferPointer { codes in
            guard let codes = codes.baseAddress else { return }
            var lines = unsafe DemosaicLines(codes: codes, format: mosaic.format, plan: demosaic, keepsExcess: true)
            let (start, count) = (frame.crop.left / 2, (frame.crop.width + 1) / 2)
            let startsOdd = frame.crop.left & 1 == 1
            unsafe lines.forEach(in: rows) { row, colors in
                let light = unsafe target(row)
                let first = unsafe startsOdd ? colors.odd : colors.even
                let second = unsafe startsOdd ? colors.even : colors.odd
                let next = startsOdd ? start + 1 : start
                unsafe joinHalves(first.red + start, second.red + next, count: count, row: light.red)
                unsafe joinHalves(first.green + start, second.green + next, count: count, row: light.green)
                unsafe joinHalves(first.blue + start, second.blue + next, count: count, row: light.blue)
                body(row)
            }
        }
    }

    private func forEachRow(
        of photo: RawPhoto, in rows: Range<Int>, into target: (Int) -> ColorRow, _ body: (Int) -> Void
    ) {
        let shades = shading.map { ShadingRows($0, width: photo.format.width, height: photo.format.height) }
        unsafe photo.values.withUnsafeBufferPointer { values in
            guard let values = values.baseAddress else { return }
            for row in rows {
                let light = unsafe target(row)
                if let warp {
                    unsafe warp.read(values, photo.format, row: row, balance, into: light)
                } else {
                    unsafe splitPixels(
                        values + row * photo.format.stride + LinearFormat.channels * frame.crop.left,
                        count: frame.crop.width, black: SIMD3(balance.black.x, balance.black.y, balance.black.z),
                        gain: SIMD3(balance.gain.x, balance.gain.y, balance.gain.z), red: light.red,
                        green: light.green, blue: light.blue)
                }
                for shade in shades {
                    unsafe shade.apply(row: row, from: frame.crop.left, count: frame.crop.width, light)
                }
                body(row)
            }
        }
    }
}
