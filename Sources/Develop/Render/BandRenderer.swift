internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

/// Applies the look to the rows of a band from the top down and stores them, with only the rows in memory that
/// sharpening needs.
struct BandRenderer: ~Copyable {
    private let plan: RenderPlan
    private let destination: PixelDestination
    private let lines: ScratchMemory
    /// Scratch memory of the kernels for a segment: table indices or intermediate values.
    private let segments = OwnedMemory<UInt32>(repeating: 0, count: Self.segmentCount * Self.segment)
    /// The gain tables of a row.
    private let tables: OwnedMemory<Float>
    private let lineLength: Int
    /// Rows in the ring buffer: those that sharpening of one row reads.
    private let ring: Int

    /// The number of padding values before and after each line, for neighbours and for whole SIMD vectors.
    private static let padding = 16
    /// Pixels that pass through all stages together, few enough to stay in a core's L1 cache.
    private static let segment = 512
    /// The segments of scratch memory that the kernels of a stage use at once, at most.
    private static let segmentCount = 4
    /// Lines per row in the ring buffer: red, green, blue, and the square root of their luminance.
    private static let linesOfRow = 4

    init(_ plan: RenderPlan, _ destination: PixelDestination, _ memory: ScratchMemoryPool) {
        self.plan = plan
        self.destination = destination
        // An odd number of cache lines: with a power of two, the same column of every line would map to the same
        // cache sets.
        lineLength = (plan.frame.width + 2 * Self.padding + 15) / 16 / 2 * 32 + 16
        ring = 2 * (plan.sharpening?.reach ?? 0) + 1
        lines = memory.take(ring * Self.linesOfRow * lineLength)
        tables = OwnedMemory(repeating: 1, count: max(1, plan.gains?.rowLength ?? 1))
    }

    /// Returns the input rows that a band of output rows depends on: sharpening reads neighbouring rows.
    static func sources(of rows: Range<Int>, _ plan: RenderPlan) -> Range<Int> {
        let reach = plan.sharpening?.reach ?? 0
        return max(0, rows.lowerBound - reach)..<min(plan.frame.height, rows.upperBound + reach)
    }

    /// Returns the buffer to fill with the linear values of an input row.
    func row(_ row: Int) -> ColorRow {
        ColorRow(red: line(row, 0), green: line(row, 1), blue: line(row, 2))
    }

    private func line(_ row: Int, _ number: Int) -> MutableMemoryView<Float> {
        lines.view.part(((row % ring) * Self.linesOfRow + number) * lineLength, count: lineLength) + Self.padding
    }

    /// Returns the scratch memory of `count` segments for table indices, beginning with segment `first`.
    private func indices(_ first: Int, segments count: Int = 1) -> MutableMemoryView<UInt32> {
        segments.view.part(first * Self.segment, count: count * Self.segment)
    }

    /// Returns the scratch memory of `count` segments for intermediate values, beginning with segment `first`.
    private func values(_ first: Int, segments count: Int = 1) -> MutableMemoryView<Float> {
        indices(first, segments: count).rebound(to: Float.self)
    }

    /// Applies the look to the next input row, previously stored in `row(_:)`, and stores the output rows of `band`
    /// that are complete with it.
    func finish(_ row: Int, of sources: Range<Int>, band: Range<Int>) {
        develop(row)
        guard let sharpening = plan.sharpening else { return store(row) }
        let isLast = row == sources.upperBound - 1
        for ready in row - sharpening.reach...(isLast ? row : row - sharpening.reach) where band.contains(ready) {
            finish(ready, sharpening, sources)
        }
    }

    // MARK: Applying the look to a row

    private func develop(_ row: Int) {
        let width = plan.frame.width
        plan.gains?.tables(row: row, into: tables.view)
        let pixels = self.row(row)
        for start in stride(from: 0, to: width, by: Self.segment) {
            develop(pixels.advanced(by: start), from: start, count: min(Self.segment, width - start))
        }
        guard let sharpening = plan.sharpening else { return }
        let roots = line(row, 3)
        unsafe luminanceRoots(
            pixels.red.pointer(vectors: width), pixels.green.pointer(vectors: width),
            pixels.blue.pointer(vectors: width), weights: plan.brightness, count: width,
            roots: roots.pointer(vectors: width))
        for number in 0..<Self.linesOfRow {
            let line = line(row, number)
            for distance in 1...sharpening.reach {
                line[-distance] = line[0]
                line[width - 1 + distance] = line[width - 1]
            }
        }
    }

    private func develop(_ row: ColorRow, from start: Int, count: Int) {
        if plan.keepsHighlights {
            unsafe reconstructHighlights(
                row.red.pointer(vectors: count), row.green.pointer(vectors: count), row.blue.pointer(vectors: count),
                limits: plan.limits, count: count)
        }
        // Values below black are noise. Scene-linear output keeps them, so that averaging stays unbiased.
        let least: Float = plan.isScene ? -.greatestFiniteMagnitude : 0
        mix(
            row, plan.toProfile, most: plan.keepsHighlights ? .greatestFiniteMagnitude : 1, least: least, count: count)
        plan.hueSat?.apply(row, scale: plan.valueScale, count: count)
        if !plan.isScene {
            if let gains = plan.gains { apply(gains, row, from: start, count: count) }
            if let black = plan.black {
                row.withEach { _, line in
                    unsafe subtractBlackPoint(
                        line.pointer(vectors: count), black: black.black, slope: black.slope, radius: black.radius,
                        count: count)
                }
            }
            plan.lookTable?.apply(row, scale: 1, count: count)
            applyTone(row, count: count)
            if let cube = plan.cube { apply(cube, row, count: count) }
        }
        mix(
            row, plan.toDisplay, most: .greatestFiniteMagnitude, least: -.greatestFiniteMagnitude, count: count)
        if plan.mapsGamut {
            unsafe mapGamut(
                row.red.pointer(vectors: count), row.green.pointer(vectors: count), row.blue.pointer(vectors: count),
                weights: plan.brightness, top: plan.top, count: count)
        }
    }

    private func mix(_ row: ColorRow, _ matrix: Matrix3, most: Float, least: Float, count: Int) {
        let rows = matrix.rows
        unsafe applyMatrixRows(
            row.red.pointer(vectors: count), row.green.pointer(vectors: count), row.blue.pointer(vectors: count),
            redWeights: SIMD3<Float>(rows.0), greenWeights: SIMD3<Float>(rows.1), blueWeights: SIMD3<Float>(rows.2),
            most: most, least: least, count: count)
    }

    private func apply(_ gains: GainGrid, _ row: ColorRow, from start: Int, count: Int) {
        let brightness = values(1)
        unsafe gainTableInputs(
            row.red.pointer(vectors: count), row.green.pointer(vectors: count), row.blue.pointer(vectors: count),
            weights: gains.weights, scale: plan.gainScale, count: count, brightness: brightness.pointer(vectors: count))
        if let power = gains.power {
            lookUp(power, brightness, count: count)
        }
        gains.bases.withView { bases in
            gains.columnWeights.withView { weights in
                unsafe applyGains(
                    row.red.pointer(vectors: count), row.green.pointer(vectors: count),
                    row.blue.pointer(vectors: count), brightness: brightness.pointer(vectors: count),
                    length: gains.length,
                    tables: GainTables(
                        tables.view.pointer(gains.rowLength), pitch: gains.pitch,
                        bases: (bases + start).pointer(vectors: count),
                        rightWeights: (weights + start).pointer(vectors: count)),
                    count: count, indices: indices(0).pointer(vectors: count))
            }
        }
    }

    private func apply(_ cube: CubeTable, _ row: ColorRow, count: Int) {
        let unlimited = Float.greatestFiniteMagnitude
        mix(row, cube.toCube, most: unlimited, least: -unlimited, count: count)
        let excess = values(1, segments: 3)
        row.withEach { plane, line in
            unsafe clampToCube(
                line.pointer(count), count: count, outside: (excess + plane * Self.segment).pointer(count))
            if let encode = cube.encode { lookUp(encode, line, count: count) }
        }
        unsafe readCube(
            row.red.pointer(count), row.green.pointer(count), row.blue.pointer(count), values: cube.values,
            side: cube.side, count: count)
        row.withEach { plane, line in
            if let decode = cube.decode { lookUp(decode, line, count: count) }
            guard cube.extendsGamut else { return }
            let planeExcess = excess + plane * Self.segment
            for column in 0..<count { line[column] += planeExcess[column] }
        }
        mix(row, cube.fromCube, most: unlimited, least: -unlimited, count: count)
    }

    private func applyTone(_ row: ColorRow, count: Int) {
        unsafe toneRows(
            row.red.pointer(vectors: count), row.green.pointer(vectors: count), row.blue.pointer(vectors: count),
            steps: plan.tone.steps, top: plan.tone.top, count: count, highIndices: indices(0).pointer(vectors: count),
            lowIndices: indices(1).pointer(vectors: count))
    }

    private func lookUp(_ table: CurveTable, _ line: MutableMemoryView<Float>, count: Int) {
        unsafe Kernels.lookUp(
            line.pointer(vectors: count), steps: table.steps, top: table.top, count: count,
            indices: indices(0).pointer(vectors: count))
    }

    // MARK: Sharpening

    private func finish(_ row: Int, _ sharpening: SharpeningPlan, _ sources: Range<Int>) {
        func clamped(_ row: Int) -> Int { min(max(row, sources.lowerBound), sources.upperBound - 1) }
        let (above, here, below) = (line(clamped(row - 1), 3), line(row, 3), line(clamped(row + 1), 3))
        store(row) { pixels, start, count in
            // The padding of the lines holds whole vectors and the neighbours of the last.
            let reach = -1..<(count + 7) / 8 * 8 + 1
            unsafe sharpenRow(
                pixels.red.pointer(vectors: count), pixels.green.pointer(vectors: count),
                pixels.blue.pointer(vectors: count), above: (above + start).pointer(reach),
                here: (here + start).pointer(reach), below: (below + start).pointer(reach),
                amount: sharpening.amount, noise: sharpening.noise, bound: sharpening.bound, count: count)
        }
    }

    // MARK: Encoding and storing rows

    /// Encodes and stores a row, after calling `prepare` on each segment of it.
    private func store(_ row: Int, _ prepare: (ColorRow, Int, Int) -> Void = { _, _, _ in }) {
        for start in stride(from: 0, to: plan.frame.width, by: Self.segment) {
            let count = min(Self.segment, plan.frame.width - start)
            let pixels = self.row(row).advanced(by: start)
            prepare(pixels, start, count)
            store(pixels, row, from: start, count: count)
        }
        if case .strip(let strip) = destination { strip.finish(row) }
    }

    private func store(_ row: ColorRow, _ number: Int, from start: Int, count: Int) {
        if plan.color.transfer == .sRGB, destination.isBytes {
            return storeDisplay(row, number, from: start, count: count)
        }
        if let scale = plan.sceneScale { convertToScene(row, scale, count: count) }
        row.withEach { _, line in
            if let encoding = plan.encoding { lookUp(encoding, line, count: count) }
        }
        row.withEach { plane, line in
            store(line, plane: plane, number, from: start, count: count)
        }
    }

    /// Encodes a segment to 8-bit sRGB: three indices into the table of the display curve, then their bytes.
    private func storeDisplay(_ row: ColorRow, _ number: Int, from start: Int, count: Int) {
        let curveIndices = indices(0, segments: 2).rebound(to: UInt16.self)
        let (red, green) = (curveIndices, curveIndices + Self.segment)
        let blue = curveIndices + 2 * Self.segment
        for (line, indices) in [(row.red, red), (row.green, green), (row.blue, blue)] {
            unsafe displayCurveIndices(
                line.pointer(vectors: count), count: count, indices: indices.pointer(vectors: count))
        }
        let (layout, base, stride) = display(number)
        let strides = PixelStrides(plan.frame, pixel: layout.bytes, row: stride)
        let target = base + (strides.start + number * strides.down + start * strides.across)
        let (offsets, length) = (layout.offsets, DisplayCurve.table.count)
        DisplayCurve.words.withView { words in
            unsafe storeDisplayPixels(
                red.pointer(count), green.pointer(count), blue.pointer(count),
                redWords: (words + offsets.red * length).pointer(length),
                greenWords: (words + offsets.green * length).pointer(length),
                blueWords: (words + offsets.blue * length).pointer(length), size: layout.bytes, step: strides.across,
                count: count, bytes: target.pointer(strides.range(count, of: layout.bytes)))
        }
    }

    /// Returns the byte order, the memory and the row stride in bytes of the destination of a row. Index 0 of the
    /// memory is the first byte of row 0.
    private func display(_ row: Int) -> (layout: DisplayPixelFormat, base: MutableMemoryView<UInt8>, stride: Int) {
        switch destination {
        case .display(let bytes, let format): (format.layout, bytes, format.stride)
        case .bytes(let bytes): (.rgb, bytes, Picture.channels * storedWidth)
        case .strip(let strip):
            (.rgb, strip.row(row) - row * Picture.channels * storedWidth, Picture.channels * storedWidth)
        case .words(let words): (.rgb, words.rebound(to: UInt8.self), 0)
        case .halves(let halves): (.rgb, halves.rebound(to: UInt8.self), 0)
        }
    }

    private var storedWidth: Int { plan.frame.orientation > 4 ? plan.frame.height : plan.frame.width }

    /// Converts display-linear values to the scene-linear values that HLG encodes.
    private func convertToScene(_ row: ColorRow, _ scale: CurveTable, count: Int) {
        let brightness = values(2)
        let weights = plan.brightness
        for column in 0..<count {
            brightness[column] =
                row.red[column] * weights.x + row.green[column] * weights.y + row.blue[column] * weights.z
        }
        lookUp(scale, brightness, count: count)
        row.withEach { _, line in
            unsafe multiplyRow(line.pointer(count), brightness.pointer(count), count: count)
        }
    }

    private func store(
        _ line: MutableMemoryView<Float>, plane: Int, _ number: Int, from start: Int, count: Int
    ) {
        let (layout, base, stride) = display(number)
        if destination.isBytes {
            let strides = PixelStrides(plan.frame, pixel: layout.bytes, row: stride)
            let offsets = [layout.offsets.red, layout.offsets.green, layout.offsets.blue]
            let target = base + (strides.start + number * strides.down + start * strides.across)
            unsafe storeBytes(
                line.pointer(count), count: count, step: strides.across,
                bytes: (target + offsets[plane]).pointer(strides.range(count, of: 1)))
            if layout.bytes == 4 { for column in 0..<count { target[column * strides.across + 3] = 255 } }
            return
        }
        let strides = PixelStrides(
            plan.frame, pixel: Picture.channels, row: Picture.channels * storedWidth)
        let first = strides.start + number * strides.down + start * strides.across + plane
        switch destination {
        case .words(let words):
            unsafe storeWords(
                line.pointer(count), count: count, step: strides.across,
                words: (words + first).pointer(strides.range(count, of: 1)))
        case .halves(let halves):
            for column in 0..<count { halves[first + column * strides.across] = Float16(line[column]) }
        case .bytes, .display, .strip: break
        }
    }
}
