internal import Demosaic
internal import Kernels
internal import RawImage

/// The light of a raw picture's rows: white-balanced camera colour, without the sensor's broken pixels and with the lens's
/// shading undone.
struct RawRows: Sendable {
    private let source: RawSource
    /// How codes become light.
    private let balance: Balance
    private let demosaic: DemosaicPlan?
    private let shading: [ShadingMap]
    /// What all work on these rows goes through.
    let memory = LineMemory()

    init(_ renderer: Renderer, cores: Int?) throws(DevelopError) {
        switch renderer.source {
        case .mosaic(var mosaic):
            mosaic.repair(cores: cores)
            let maps = renderer.metadata.lens.shading
            if !maps.isEmpty { mosaic = RawMosaic(try ShadedMosaic.correcting(mosaic, maps, cores: cores)) }
            let whole = mosaic
            source = .mosaic(whole)
            shading = []
            demosaic = try DevelopError.checking { () throws(RawImageError) in
                try DemosaicPlan(whole.metadata, pattern: whole.format.pattern)
            }
            balance = try DevelopError.checking { () throws(RawImageError) in
                try Balance(whole.metadata, pattern: whole.format.pattern)
            }
        case .linear(let photo):
            source = .linear(photo)
            shading = renderer.metadata.lens.shading
            demosaic = nil
            balance = try DevelopError.checking { () throws(RawImageError) in try Balance(linear: photo.metadata) }
        }
    }

    /// The most that shading multiplies light with after the colours were found.
    var largestGain: Float { shading.reduce(1) { $0 * max(1, min($1.gains.max() ?? 1, 64)) } }

    /// Calls `body` with each of some rows in order, when the light of some of its columns is where `target` said, which
    /// has room for one more.
    func forEach(
        in rows: Range<Int>, from column: Int, count: Int, into target: (Int) -> ColorRow, _ body: (Int) -> Void
    ) {
        switch source {
        case .mosaic(let mosaic): unsafe forEach(of: mosaic, in: rows, from: column, count: count, into: target, body)
        case .linear(let photo): unsafe forEach(of: photo, in: rows, from: column, count: count, into: target, body)
        }
    }

    private func forEach(
        of mosaic: RawMosaic, in rows: Range<Int>, from column: Int, count: Int, into target: (Int) -> ColorRow,
        _ body: (Int) -> Void
    ) {
        guard let demosaic else { return }
        unsafe mosaic.codes.withUnsafeBufferPointer { codes in
            guard let codes = codes.baseAddress else { return }
            var lines = unsafe DemosaicLines(codes: codes, format: mosaic.format, plan: demosaic, memory: memory)
            let (start, cells) = (column / 2, (count + 1) / 2)
            let startsOdd = column & 1 == 1
            unsafe lines.forEach(in: rows) { row, colors in
                let light = unsafe target(row)
                let first = unsafe startsOdd ? colors.odd : colors.even
                let second = unsafe startsOdd ? colors.even : colors.odd
                let next = startsOdd ? start + 1 : start
                unsafe joinHalves(first.red + start, second.red + next, count: cells, row: light.red)
                unsafe joinHalves(first.green + start, second.green + next, count: cells, row: light.green)
                unsafe joinHalves(first.blue + start, second.blue + next, count: cells, row: light.blue)
                body(row)
            }
        }
    }

    private func forEach(
        of photo: RawPhoto, in rows: Range<Int>, from column: Int, count: Int, into target: (Int) -> ColorRow,
        _ body: (Int) -> Void
    ) {
        let shades = shading.map { ShadingRows($0, width: photo.format.width, height: photo.format.height) }
        unsafe photo.values.withUnsafeBufferPointer { values in
            guard let values = values.baseAddress else { return }
            for row in rows {
                let light = unsafe target(row)
                unsafe splitPixels(
                    values + row * photo.format.stride + LinearFormat.channels * column,
                    count: count, black: SIMD3(balance.black.x, balance.black.y, balance.black.z),
                    gain: SIMD3(balance.gain.x, balance.gain.y, balance.gain.z), red: light.red,
                    green: light.green, blue: light.blue)
                for shade in shades { unsafe shade.apply(row: row, from: column, count: count, light) }
                body(row)
            }
        }
    }
}
