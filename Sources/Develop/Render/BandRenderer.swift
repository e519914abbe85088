internal import Kernels
internal import RawImage

/// Applies the look to the rows of a band from the top down and stores them, with only the rows in memory that
/// sharpening needs.
@safe
struct BandRenderer: ~Copyable {
    private let plan: RenderPlan
    private let destination: PixelDestination
    private let memory: ScratchMemoryPool
    private let lines: UnsafeMutablePointer<Float>
    private let indices: UnsafeMutablePointer<UInt32>
    private let tables: UnsafeMutablePointer<Float>
    private let lineLength: Int
    /// Rows in the ring buffer: those that sharpening of one row reads.
    private let ring: Int

    /// Values before and after each line, for neighbours and for whole SIMD vectors.
    private static let padding = 16
    /// Pixels that pass through all stages together, few enough to stay in a core's L1 cache.
    private static let segment = 512
    /// Lines per row in the ring buffer: red, green, blue, and the square root of their luminance.
    private static let linesOfRow = 4

    init(_ plan: RenderPlan, _ destination: PixelDestination, _ memory: ScratchMemoryPool) {
        self.plan = plan
        unsafe self.destination = unsafe destination
        // An odd number of cache lines: with a power of two, the same column of every line would map to the same
        // cache sets.
        lineLength = (plan.frame.width + 2 * Self.padding + 15) / 16 / 2 * 32 + 16
        ring = 2 * (plan.sharpening?.reach ?? 0) + 1
        self.memory = memory
        unsafe lines = memory.take(ring * Self.linesOfRow * lineLength)
        unsafe indices = .allocate(capacity: 6 * Self.segment)
        unsafe indices.initialize(repeating: 0, count: 6 * Self.segment)
        let tableLength = max(1, plan.gains?.rowLength ?? 1)
        unsafe tables = .allocate(capacity: tableLength)
        unsafe tables.initialize(repeating: 1, count: tableLength)
    }

    deinit {
        unsafe memory.give(lines, ring * Self.linesOfRow * lineLength)
        unsafe indices.deallocate()
        unsafe tables.deallocate()
    }

    /// Returns the input rows that a band of output rows depends on: sharpening reads neighbouring rows.
    static func sources(of rows: Range<Int>, _ plan: RenderPlan) -> Range<Int> {
        let reach = plan.sharpening?.reach ?? 0
        return max(0, rows.lowerBound - reach)..<min(plan.frame.height, rows.upperBound + reach)
    }

    /// Returns the buffer to fill with the linear values of an input row.
    func row(_ row: Int) -> ColorRow {
        unsafe ColorRow(red: line(row, 0), green: line(row, 1), blue: line(row, 2))
    }

    private func line(_ row: Int, _ number: Int) -> UnsafeMutablePointer<Float> {
        unsafe lines + offset(row) + number * lineLength
    }

    private func offset(_ row: Int) -> Int { (row % ring) * Self.linesOfRow * lineLength + Self.padding }

    /// Applies the look to the next input row, previously stored in `row(_:)`, and stores the output rows of `band`
    /// that are complete with it.
    func finish(_ row: Int, of sources: Range<Int>, band: Range<Int>) {
        develop(row)
        guard let sharpening = plan.sharpening else { return unsafe store(row) }
        let isLast = row == sources.upperBound - 1
        for ready in row - sharpening.reach...(isLast ? row : row - sharpening.reach) where band.contains(ready) {
            finish(ready, sharpening, sources)
        }
    }

    // MARK: The look

    private func develop(_ row: Int) {
        let width = plan.frame.width
        unsafe plan.gains?.tables(row: row, into: tables)
        let pixels = unsafe self.row(row)
        for start in stride(from: 0, to: width, by: Self.segment) {
            unsafe develop(pixels.advanced(by: start), from: start, count: min(Self.segment, width - start))
        }
        guard let sharpening = plan.sharpening else { return }
        let roots = unsafe line(row, 3)
        unsafe luminanceRoots(
            pixels.red, pixels.green, pixels.blue, weights: plan.brightness, count: width, roots: roots)
        for number in 0..<Self.linesOfRow {
            let line = unsafe line(row, number)
            for distance in 1...sharpening.reach {
                unsafe line[-distance] = unsafe line[0]
                unsafe line[width - 1 + distance] = unsafe line[width - 1]
            }
        }
    }

    private func develop(_ row: ColorRow, from start: Int, count: Int) {
        let (red, green, blue) = unsafe (row.red, row.green, row.blue)
        if plan.keepsHighlights {
            unsafe reconstructHighlights(red, green, blue, limits: plan.limits, count: count)
        }
        // Values below black are noise. Scene-linear output keeps them, so that averaging stays unbiased.
        let least: Float = plan.isScene ? -.greatestFiniteMagnitude : 0
        unsafe mix(
            row, plan.toProfile, most: plan.keepsHighlights ? .greatestFiniteMagnitude : 1, least: least, count: count)
        unsafe plan.hueSat?.apply(row, scale: plan.valueScale, count: count)
        if !plan.isScene {
            if let gains = plan.gains { unsafe apply(gains, row, from: start, count: count) }
            if let black = plan.black {
                unsafe row.withEach { _, line in
                    unsafe subtractBlackPoint(
                        line, black: black.black, slope: black.slope, radius: black.radius, count: count)
                }
            }
            unsafe plan.lookTable?.apply(row, scale: 1, count: count)
            unsafe applyTone(row, count: count)
            if let cube = plan.cube { unsafe apply(cube, row, count: count) }
        }
        unsafe mix(
            row, plan.toDisplay, most: .greatestFiniteMagnitude, least: -.greatestFiniteMagnitude, count: count)
        if plan.mapsGamut {
            unsafe mapGamut(red, green, blue, weights: plan.brightness, top: plan.top, count: count)
        }
    }

    private func mix(_ row: ColorRow, _ matrix: Matrix3, most: Float, least: Float, count: Int) {
        let rows = matrix.rows
        unsafe applyMatrixRows(
            row.red, row.green, row.blue, redWeights: SIMD3<Float>(rows.0), greenWeights: SIMD3<Float>(rows.1),
            blueWeights: SIMD3<Float>(rows.2), most: most, least: least, count: count)
    }

    private func apply(_ gains: GainGrid, _ row: ColorRow, from start: Int, count: Int) {
        let brightness = unsafe UnsafeMutableRawPointer(indices + Self.segment).bindMemory(
            to: Float.self, capacity: Self.segment)
        unsafe gainTableInputs(
            row.red, row.green, row.blue, weights: gains.weights, leastWeight: gains.leastWeight,
            mostWeight: gains.mostWeight, scale: plan.gainScale, count: count, brightness: brightness)
        if let power = gains.power {
            unsafe lookUp(power, brightness, count: count)
        }
        unsafe gains.bases.withUnsafeBufferPointer { bases in
            unsafe gains.columnWeights.withUnsafeBufferPointer { weights in
                guard let bases = bases.baseAddress, let weights = weights.baseAddress else { return }
                unsafe applyGains(
                    row.red, row.green, row.blue, brightness: brightness, length: gains.length, tables: tables,
                    pitch: gains.pitch, bases: bases + start, shares: weights + start, count: count, indices: indices)
            }
        }
    }

    private func apply(_ cube: CubeTable, _ row: ColorRow, count: Int) {
        let unlimited = Float.greatestFiniteMagnitude
        unsafe mix(row, cube.toCube, most: unlimited, least: -unlimited, count: count)
        let excess = unsafe UnsafeMutableRawPointer(indices + Self.segment).bindMemory(
            to: Float.self, capacity: 3 * Self.segment)
        unsafe row.withEach { plane, line in
            unsafe clampToCube(line, count: count, outside: excess + plane * Self.segment)
            if let encode = cube.encode { unsafe lookUp(encode, line, count: count) }
        }
        unsafe cube.values.withUnsafeBufferPointer { values in
            guard let values = values.baseAddress else { return }
            unsafe readCube(row.red, row.green, row.blue, values: values, side: cube.side, count: count)
        }
        unsafe row.withEach { plane, line in
            if let decode = cube.decode { unsafe lookUp(decode, line, count: count) }
            guard cube.extendsGamut else { return }
            let planeExcess = unsafe excess + plane * Self.segment
            for column in 0..<count { unsafe line[column] += unsafe planeExcess[column] }
        }
        unsafe mix(row, cube.fromCube, most: unlimited, least: -unlimited, count: count)
    }

    private func applyTone(_ row: ColorRow, count: Int) {
        let high = unsafe UnsafeMutableRawPointer(indices + 2 * Self.segment).bindMemory(
            to: Float.self, capacity: Self.segment)
        let low = unsafe UnsafeMutableRawPointer(indices + 3 * Self.segment).bindMemory(
            to: Float.self, capacity: Self.segment)
        unsafe plan.tone.steps.withUnsafeBufferPointer { steps in
            guard let steps = steps.baseAddress else { return }
            unsafe toneRows(
                row.red, row.green, row.blue, steps: steps, top: plan.tone.top, count: count, high: high, low: low,
                highIndices: indices, lowIndices: indices + Self.segment)
        }
    }

    private func lookUp(_ table: CurveTable, _ line: UnsafeMutablePointer<Float>, count: Int) {
        unsafe table.steps.withUnsafeBufferPointer { steps in
            guard let steps = steps.baseAddress else { return }
            unsafe Kernels.lookUp(line, steps: steps, top: table.top, count: count, indices: indices)
        }
    }

    // MARK: Sharpening

    private func finish(_ row: Int, _ sharpening: SharpeningPlan, _ sources: Range<Int>) {
        func clamped(_ row: Int) -> Int { min(max(row, sources.lowerBound), sources.upperBound - 1) }
        let (above, here, below) = unsafe (line(clamped(row - 1), 3), line(row, 3), line(clamped(row + 1), 3))
        let factors = unsafe UnsafeMutableRawPointer(indices).bindMemory(to: Float.self, capacity: Self.segment)
        unsafe store(row) { pixels, start, count in
            unsafe sharpenRow(
                pixels.red, pixels.green, pixels.blue, above: above + start, here: here + start, below: below + start,
                amount: sharpening.amount, noise: sharpening.noise, bound: sharpening.bound, count: count,
                factors: factors)
        }
    }

    // MARK: Storing

    /// Encodes and stores a row, after calling `prepare` on each segment of it.
    private func store(_ row: Int, _ prepare: (ColorRow, Int, Int) -> Void = { _, _, _ in }) {
        for start in stride(from: 0, to: plan.frame.width, by: Self.segment) {
            let count = min(Self.segment, plan.frame.width - start)
            let pixels = unsafe self.row(row).advanced(by: start)
            unsafe prepare(pixels, start, count)
            unsafe store(pixels, row, from: start, count: count)
        }
        if case .strip(let strip) = unsafe destination { strip.finish(row) }
    }

    private func store(_ row: ColorRow, _ number: Int, from start: Int, count: Int) {
        if plan.color.transfer == .sRGB, unsafe destination.isBytes {
            return unsafe storeDisplay(row, number, from: start, count: count)
        }
        if let scale = plan.sceneScale { unsafe convertToScene(row, scale, count: count) }
        unsafe row.withEach { _, line in
            if let encoding = plan.encoding { unsafe lookUp(encoding, line, count: count) }
        }
        unsafe row.withEach { plane, line in
            unsafe store(line, plane: plane, number, from: start, count: count)
        }
    }

    /// Encodes a segment to 8-bit sRGB: three indices into the table of the display curve, then their bytes.
    private func storeDisplay(_ row: ColorRow, _ number: Int, from start: Int, count: Int) {
        let curveIndices = unsafe UnsafeMutableRawPointer(indices).bindMemory(
            to: UInt16.self, capacity: 3 * Self.segment)
        let (red, green, blue) = unsafe (
            curveIndices, curveIndices + Self.segment, curveIndices + 2 * Self.segment
        )
        unsafe displayCurveIndices(row.red, count: count, indices: red)
        unsafe displayCurveIndices(row.green, count: count, indices: green)
        unsafe displayCurveIndices(row.blue, count: count, indices: blue)
        unsafe DisplayCurve.table.withUnsafeBufferPointer { curve in
            guard let curve = curve.baseAddress else { return }
            let (layout, base, stride) = unsafe display(number)
            let strides = PixelStrides(plan.frame, pixel: layout.bytes, row: stride)
            let target = unsafe base + strides.start + number * strides.down + start * strides.across
            let offsets = layout.offsets
            unsafe storeDisplayPixels(
                red, green, blue, curve: curve, redOffset: offsets.red, greenOffset: offsets.green,
                blueOffset: offsets.blue, isOpaque: layout.bytes == 4, step: strides.across, count: count, bytes: target
            )
        }
    }

    /// Returns the byte order, base address and row stride of the destination of a row.
    private func display(_ row: Int) -> (layout: DisplayPixelFormat, base: UnsafeMutablePointer<UInt8>, stride: Int) {
        switch unsafe destination {
        case .display(let bytes, let format): unsafe (format.layout, bytes, format.stride)
        case .bytes(let bytes): unsafe (.rgb, bytes, Picture.channels * storedWidth)
        case .strip(let strip):
            unsafe (.rgb, strip.row(row) - row * Picture.channels * storedWidth, Picture.channels * storedWidth)
        case .words(let words): unsafe (.rgb, UnsafeMutableRawPointer(words).assumingMemoryBound(to: UInt8.self), 0)
        case .halves(let halves): unsafe (.rgb, UnsafeMutableRawPointer(halves).assumingMemoryBound(to: UInt8.self), 0)
        }
    }

    private var storedWidth: Int { plan.frame.orientation > 4 ? plan.frame.height : plan.frame.width }

    /// Converts display-linear values to the scene-linear values that HLG encodes.
    private func convertToScene(_ row: ColorRow, _ scale: CurveTable, count: Int) {
        let brightness = unsafe UnsafeMutableRawPointer(indices + 2 * Self.segment).bindMemory(
            to: Float.self, capacity: Self.segment)
        let weights = plan.brightness
        for column in 0..<count {
            unsafe brightness[column] =
                unsafe row.red[column] * weights.x + row.green[column] * weights.y + row.blue[column] * weights.z
        }
        unsafe lookUp(scale, brightness, count: count)
        unsafe row.withEach { _, line in unsafe multiplyRow(line, brightness, count: count) }
    }

    private func store(
        _ line: UnsafeMutablePointer<Float>, plane: Int, _ number: Int, from start: Int, count: Int
    ) {
        let (layout, base, stride) = unsafe display(number)
        if unsafe destination.isBytes {
            let strides = PixelStrides(plan.frame, pixel: layout.bytes, row: stride)
            let offsets = [layout.offsets.red, layout.offsets.green, layout.offsets.blue]
            let target = unsafe base + strides.start + number * strides.down + start * strides.across
            unsafe storeBytes(line, count: count, step: strides.across, bytes: target + offsets[plane])
            if layout.bytes == 4 { for column in 0..<count { unsafe target[column * strides.across + 3] = 255 } }
            return
        }
        let strides = PixelStrides(
            plan.frame, pixel: Picture.channels, row: Picture.channels * storedWidth)
        let first = strides.start + number * strides.down + start * strides.across + plane
        switch unsafe destination {
        case .words(let words): unsafe storeWords(line, count: count, step: strides.across, words: words + first)
        case .halves(let halves):
            for column in 0..<count { unsafe halves[first + column * strides.across] = unsafe Float16(line[column]) }
        case .bytes, .display, .strip: break
        }
    }
}
