internal import Demosaic
internal import Kernels
internal import PixelMemory
internal import RawImage

/// Rows of white-balanced linear camera RGB from a raw image, with defective pixels repaired and lens shading
/// corrected.
struct LinearRows: Sendable {
    private let source: RawSource
    /// The black levels and white balance gains.
    private let balance: BalancedLevels
    private let demosaic: DemosaicPlan?
    /// The precision of a demosaiced fused mosaic: that of the linear photo; nil for other raw images.
    private let rounding: PhotoRounding?
    private let shading: [ShadingMap]
    /// Scratch memory shared by all work on these rows.
    let memory = ScratchMemoryPool()

    init(_ renderer: Renderer, cores: Int?) throws(GscapError) {
        switch renderer.source {
        case .mosaic(var mosaic):
            mosaic.repair(cores: cores)
            let maps = renderer.metadata.lens.shading
            if !maps.isEmpty { mosaic = MosaicSource(try ShadingCorrection.correcting(mosaic, maps, cores: cores)) }
            let repaired = mosaic
            source = .mosaic(repaired)
            shading = []
            rounding = repaired.isFused ? try PhotoRounding(repaired) : nil
            var plan = try GscapError.checking { () throws(GscapError) in
                try DemosaicPlan(repaired.metadata, pattern: repaired.format.pattern)
            }
            plan.keepsBlackMeans = repaired.isFused
            demosaic = plan
            balance = try GscapError.checking { () throws(GscapError) in
                try BalancedLevels(repaired.metadata, pattern: repaired.format.pattern)
            }
        case .linear(let photo):
            source = .linear(photo)
            shading = renderer.metadata.lens.shading
            (demosaic, rounding) = (nil, nil)
            balance = try GscapError.checking { () throws(GscapError) in try BalancedLevels(linear: photo.metadata)
            }
        }
    }

    /// The largest shading gain that is applied after white balance, 1...64 per map; 1 for mosaics, which are
    /// corrected before demosaicing.
    var largestGain: Float { shading.reduce(1) { $0 * max(1, min($1.gains.max() ?? 1, 64)) } }

    /// Calls `body` with the number of each row in order, after storing `count` columns from `column` on at `target`,
    /// whose lines need capacity for one value more.
    func forEach(
        in rows: Range<Int>, from column: Int, count: Int, into target: (Int) -> ColorRow, _ body: (Int) -> Void
    ) {
        switch source {
        case .mosaic(let mosaic): forEach(of: mosaic, in: rows, from: column, count: count, into: target, body)
        case .linear(let photo): forEach(of: photo, in: rows, from: column, count: count, into: target, body)
        }
    }

    private func forEach(
        of mosaic: MosaicSource, in rows: Range<Int>, from column: Int, count: Int, into target: (Int) -> ColorRow,
        _ body: (Int) -> Void
    ) {
        guard let demosaic else { return }
        mosaic.codes.withView { codes in
            var lines = DemosaicLines(codes: codes, format: mosaic.format, plan: demosaic, memory: memory)
            let (start, cells) = (column / 2, (count + 1) / 2)
            let startsOdd = column & 1 == 1
            lines.forEach(in: rows) { row, colors in
                let output = target(row)
                let first = startsOdd ? colors.odd : colors.even
                let second = startsOdd ? colors.even : colors.odd
                let next = startsOdd ? start + 1 : start
                func join(
                    _ first: MemoryView<Float>, _ second: MemoryView<Float>, _ row: MutableMemoryView<Float>,
                    _ plane: Int
                ) {
                    let (even, odd) = (first + start, second + next)
                    if let rounding {
                        unsafe joinRoundedHalves(
                            even.pointer(cells), odd.pointer(cells), scale: rounding.scale[plane],
                            gain: rounding.gain[plane], count: cells, row: row.pointer(2 * cells))
                    } else {
                        unsafe joinHalves(
                            even.pointer(cells), odd.pointer(cells), count: cells, row: row.pointer(2 * cells))
                    }
                }
                join(first.red, second.red, output.red, 0)
                join(first.green, second.green, output.green, 1)
                join(first.blue, second.blue, output.blue, 2)
                body(row)
            }
        }
    }

    private func forEach(
        of photo: LinearSource, in rows: Range<Int>, from column: Int, count: Int, into target: (Int) -> ColorRow,
        _ body: (Int) -> Void
    ) {
        let gainRows = shading.map { ShadingRows($0, width: photo.format.width, height: photo.format.height) }
        photo.values.withView { values in
            for row in rows {
                let output = target(row)
                let pixels = values + (row * photo.format.stride + LinearFormat.channels * column)
                unsafe linearizePixels(
                    pixels.pointer(LinearFormat.channels * count), count: count,
                    black: SIMD3(balance.black.x, balance.black.y, balance.black.z),
                    gain: SIMD3(balance.gain.x, balance.gain.y, balance.gain.z), red: output.red.pointer(count),
                    green: output.green.pointer(count), blue: output.blue.pointer(count))
                for gains in gainRows { gains.apply(row: row, from: column, count: count, output) }
                body(row)
            }
        }
    }
}

/// The rounding of demosaiced values to the codes of a linear photo, so that a fused mosaic and the linear photo made
/// from it give the same picture.
private struct PhotoRounding {
    /// For each colour, the factor from a white-balanced linear value to a code of the photo.
    let scale: SIMD3<Float>
    /// For each colour, the factor from a code back to a white-balanced linear value.
    let gain: SIMD3<Float>

    init(_ mosaic: MosaicSource) throws(GscapError) {
        scale = Demosaic.photoScale(mosaic.metadata)
        let photo = Demosaic.linearMetadata(for: mosaic.metadata, of: mosaic.format.pattern)
        let balance = try GscapError.checking { () throws(GscapError) in try BalancedLevels(linear: photo) }
        gain = SIMD3(balance.gain.x, balance.gain.y, balance.gain.z)
    }
}
