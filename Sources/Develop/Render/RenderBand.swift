internal import Kernels
internal import RawImage

/// Renders a band of rows from the top down, holding only the few that a row needs.
@safe
struct RenderBand: ~Copyable {
    private let plan: RenderPlan
    private let store: PixelStore
    private let memory: LineMemory
    private let lines: UnsafeMutablePointer<Float>
    private let indices: UnsafeMutablePointer<UInt32>
    private let tables: UnsafeMutablePointer<Float>
    private let lineLength: Int
    /// Rows that are held: those that detail looks at.
    private let ring: Int

    /// Room either side of a row, for its neighbours and for whole vectors.
    private static let padding = 16
    /// Pixels that go through all stages together: few enough to stay in a core's nearest cache.
    private static let stretch = 512
    /// Lines of a row in the ring: three colours and the roots of their brightness.
    private static let linesOfRow = 4

    init(_ plan: RenderPlan, _ store: PixelStore, _ memory: LineMemory) {
        self.plan = plan
        unsafe self.store = unsafe store
        // An odd number of cache lines: were it a power of two, equal places in all lines would compete for few slots.
        lineLength = (plan.frame.width + 2 * Self.padding + 15) / 16 / 2 * 32 + 16
        ring = 2 * (plan.detail?.reach ?? 0) + 1
        self.memory = memory
        unsafe lines = memory.take(ring * Self.linesOfRow * lineLength)
        unsafe indices = .allocate(capacity: 6 * Self.stretch)
        unsafe indices.initialize(repeating: 0, count: 6 * Self.stretch)
        let tableLength = max(1, plan.gains?.rowLength ?? 1)
        unsafe tables = .allocate(capacity: tableLength)
        unsafe tables.initialize(repeating: 1, count: tableLength)
    }

    deinit {
        unsafe memory.give(lines, ring * Self.linesOfRow * lineLength)
        unsafe indices.deallocate()
        unsafe tables.deallocate()
    }

    /// Rows of light that a band of finished rows needs.
    static func sources(of rows: Range<Int>, _ plan: RenderPlan) -> Range<Int> {
        let reach = plan.detail?.reach ?? 0
        return max(0, rows.lowerBound - reach)..<min(plan.frame.height, rows.upperBound + reach)
    }

    /// Where the light of a row is to be put before it is finished.
    func row(_ row: Int) -> ColorRow {
        unsafe ColorRow(red: line(row, 0), green: line(row, 1), blue: line(row, 2))
    }

    private func line(_ row: Int, _ number: Int) -> UnsafeMutablePointer<Float> {
        unsafe lines + offset(row) + number * lineLength
    }

    private func offset(_ row: Int) -> Int { (row % ring) * Self.linesOfRow * lineLength + Self.padding }

    /// Takes on the light of the next row, and stores what rows of the band can be finished with it.
    func finish(_ row: Int, of sources: Range<Int>, band: Range<Int>) {
        develop(row)
        guard let detail = plan.detail else { return unsafe write(row) }
        let isLast = row == sources.upperBound - 1
        for ready in row - detail.reach...(isLast ? row : row - detail.reach) where band.contains(ready) {
            finish(ready, detail, sources)
        }
    }

    // MARK: The look

    private func develop(_ row: Int) {
        let width = plan.frame.width
        unsafe plan.gains?.tables(row: row, into: tables)
        let light = unsafe self.row(row)
        for start in stride(from: 0, to: width, by: Self.stretch) {
            unsafe develop(light.advanced(by: start), from: start, count: min(Self.stretch, width - start))
        }
        guard let detail = plan.detail else { return }
        let roots = unsafe line(row, 3)
        unsafe brightnessRoots(light.red, light.green, light.blue, weights: plan.brightness, count: width, roots: roots)
        for number in 0..<Self.linesOfRow {
            let line = unsafe line(row, number)
            for distance in 1...detail.reach {
                unsafe line[-distance] = unsafe line[0]
                unsafe line[width - 1 + distance] = unsafe line[width - 1]
            }
        }
    }

    private func develop(_ row: ColorRow, from start: Int, count: Int) {
        let (red, green, blue) = unsafe (row.red, row.green, row.blue)
        if plan.keepsHighlights {
            unsafe rebuildHighlights(red, green, blue, limits: plan.limits, count: count)
        }
        // Light below black is noise, which the scene's own light keeps for those who average it.
        let least: Float = plan.isScene ? -.greatestFiniteMagnitude : 0
        unsafe mix(
            row, plan.toProfile, most: plan.keepsHighlights ? .greatestFiniteMagnitude : 1, least: least, count: count)
        unsafe plan.hueSat?.apply(row, scale: plan.valueScale, count: count)
        if !plan.isScene {
            if let gains = plan.gains { unsafe apply(gains, row, from: start, count: count) }
            if let black = plan.black {
                unsafe row.withEach { _, line in
                    unsafe takeBlack(line, black: black.black, slope: black.slope, radius: black.radius, count: count)
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
        unsafe mixProfileRows(
            row.red, row.green, row.blue, redShares: SIMD3<Float>(rows.0), greenShares: SIMD3<Float>(rows.1),
            blueShares: SIMD3<Float>(rows.2), most: most, least: least, count: count)
    }

    private func apply(_ gains: GainGrid, _ row: ColorRow, from start: Int, count: Int) {
        let brightness = unsafe UnsafeMutableRawPointer(indices + Self.stretch).bindMemory(
            to: Float.self, capacity: Self.stretch)
        unsafe gainPlaces(
            row.red, row.green, row.blue, weights: gains.weights, leastWeight: gains.leastWeight,
            mostWeight: gains.mostWeight, scale: plan.gainScale, count: count, brightness: brightness)
        if let power = gains.power {
            unsafe lookUp(power, brightness, count: count)
        }
        unsafe gains.bases.withUnsafeBufferPointer { bases in
            unsafe gains.shares.withUnsafeBufferPointer { shares in
                guard let bases = bases.baseAddress, let shares = shares.baseAddress else { return }
                unsafe applyGains(
                    row.red, row.green, row.blue, brightness: brightness, length: gains.length, tables: tables,
                    pitch: gains.pitch, bases: bases + start, shares: shares + start, count: count, indices: indices)
            }
        }
    }

    private func apply(_ cube: CubeTable, _ row: ColorRow, count: Int) {
        let endless = Float.greatestFiniteMagnitude
        unsafe mix(row, cube.toCube, most: endless, least: -endless, count: count)
        let outside = unsafe UnsafeMutableRawPointer(indices + Self.stretch).bindMemory(
            to: Float.self, capacity: 3 * Self.stretch)
        unsafe row.withEach { plane, line in
            unsafe splitAtCube(line, count: count, outside: outside + plane * Self.stretch)
            if let encode = cube.encode { unsafe lookUp(encode, line, count: count) }
        }
        unsafe cube.values.withUnsafeBufferPointer { values in
            guard let values = values.baseAddress else { return }
            unsafe readCube(row.red, row.green, row.blue, values: values, side: cube.side, count: count)
        }
        unsafe row.withEach { plane, line in
            if let decode = cube.decode { unsafe lookUp(decode, line, count: count) }
            guard cube.extendsGamut else { return }
            let beyond = unsafe outside + plane * Self.stretch
            for column in 0..<count { unsafe line[column] += unsafe beyond[column] }
        }
        unsafe mix(row, cube.fromCube, most: endless, least: -endless, count: count)
    }

    private func applyTone(_ row: ColorRow, count: Int) {
        let high = unsafe UnsafeMutableRawPointer(indices + 2 * Self.stretch).bindMemory(
            to: Float.self, capacity: Self.stretch)
        let low = unsafe UnsafeMutableRawPointer(indices + 3 * Self.stretch).bindMemory(
            to: Float.self, capacity: Self.stretch)
        unsafe plan.tone.steps.withUnsafeBufferPointer { steps in
            guard let steps = steps.baseAddress else { return }
            unsafe toneRows(
                row.red, row.green, row.blue, steps: steps, top: plan.tone.top, count: count, high: high, low: low,
                highIndices: indices, lowIndices: indices + Self.stretch)
        }
    }

    private func lookUp(_ table: CurveTable, _ line: UnsafeMutablePointer<Float>, count: Int) {
        unsafe table.steps.withUnsafeBufferPointer { steps in
            guard let steps = steps.baseAddress else { return }
            unsafe Kernels.lookUp(line, steps: steps, top: table.top, count: count, indices: indices)
        }
    }

    // MARK: Detail

    private func finish(_ row: Int, _ detail: DetailPlan, _ sources: Range<Int>) {
        func near(_ row: Int) -> Int { min(max(row, sources.lowerBound), sources.upperBound - 1) }
        let (above, here, below) = unsafe (line(near(row - 1), 3), line(row, 3), line(near(row + 1), 3))
        let factors = unsafe UnsafeMutableRawPointer(indices).bindMemory(to: Float.self, capacity: Self.stretch)
        unsafe write(row) { light, start, count in
            unsafe sharpenRow(
                light.red, light.green, light.blue, above: above + start, here: here + start, below: below + start,
                amount: detail.amount, noise: detail.noise, bound: detail.bound, count: count, factors: factors)
        }
    }

    // MARK: Numbers

    /// Stores a row, after `prepare` has seen each stretch of it.
    private func write(_ row: Int, _ prepare: (ColorRow, Int, Int) -> Void = { _, _, _ in }) {
        for start in stride(from: 0, to: plan.frame.width, by: Self.stretch) {
            let count = min(Self.stretch, plan.frame.width - start)
            let light = unsafe self.row(row).advanced(by: start)
            unsafe prepare(light, start, count)
            unsafe write(light, row, from: start, count: count)
        }
        if case .strip(let strip) = unsafe store { strip.finish(row) }
    }

    private func write(_ row: ColorRow, _ number: Int, from start: Int, count: Int) {
        if plan.color.transfer == .sRGB, unsafe store.isBytes {
            return unsafe writeDisplay(row, number, from: start, count: count)
        }
        if let scale = plan.sceneScale { unsafe makeScene(row, scale, count: count) }
        unsafe row.withEach { _, line in
            if let encoding = plan.encoding { unsafe lookUp(encoding, line, count: count) }
        }
        unsafe row.withEach { plane, line in
            unsafe write(line, plane: plane, number, from: start, count: count)
        }
    }

    /// The places on the display's curve of three colours, then their bytes.
    private func writeDisplay(_ row: ColorRow, _ number: Int, from start: Int, count: Int) {
        let places = unsafe UnsafeMutableRawPointer(indices).bindMemory(to: UInt16.self, capacity: 3 * Self.stretch)
        let (red, green, blue) = unsafe (places, places + Self.stretch, places + 2 * Self.stretch)
        unsafe displayPlaces(row.red, count: count, indices: red)
        unsafe displayPlaces(row.green, count: count, indices: green)
        unsafe displayPlaces(row.blue, count: count, indices: blue)
        unsafe DisplayCurve.table.withUnsafeBufferPointer { curve in
            guard let curve = curve.baseAddress else { return }
            let (layout, base, stride) = unsafe display(number)
            let steps = PixelSteps(plan.frame, pixel: layout.bytes, row: stride)
            let target = unsafe base + steps.start + number * steps.down + start * steps.across
            let offsets = layout.offsets
            unsafe storeDisplayPixels(
                red, green, blue, curve: curve, redOffset: offsets.red, greenOffset: offsets.green,
                blueOffset: offsets.blue, isOpaque: layout.bytes == 4, step: steps.across, count: count, bytes: target)
        }
    }

    /// Where a row's bytes go: how pixels lie, the picture's start, and bytes from row to row.
    private func display(_ row: Int) -> (layout: PixelLayout, base: UnsafeMutablePointer<UInt8>, stride: Int) {
        switch unsafe store {
        case .display(let bytes, let format): unsafe (format.layout, bytes, format.stride)
        case .bytes(let bytes): unsafe (.rgb, bytes, Picture.channels * turnedWidth)
        case .strip(let strip):
            unsafe (.rgb, strip.row(row) - row * Picture.channels * turnedWidth, Picture.channels * turnedWidth)
        case .words(let words): unsafe (.rgb, UnsafeMutableRawPointer(words).assumingMemoryBound(to: UInt8.self), 0)
        case .halves(let halves): unsafe (.rgb, UnsafeMutableRawPointer(halves).assumingMemoryBound(to: UInt8.self), 0)
        }
    }

    private var turnedWidth: Int { plan.frame.orientation > 4 ? plan.frame.height : plan.frame.width }

    /// HLG's numbers stand for light of the scene.
    private func makeScene(_ row: ColorRow, _ scale: CurveTable, count: Int) {
        let brightness = unsafe UnsafeMutableRawPointer(indices + 2 * Self.stretch).bindMemory(
            to: Float.self, capacity: Self.stretch)
        let weights = plan.brightness
        for column in 0..<count {
            unsafe brightness[column] =
                unsafe row.red[column] * weights.x + row.green[column] * weights.y + row.blue[column] * weights.z
        }
        unsafe lookUp(scale, brightness, count: count)
        unsafe row.withEach { _, line in unsafe multiplyRow(line, brightness, count: count) }
    }

    private func write(
        _ line: UnsafeMutablePointer<Float>, plane: Int, _ number: Int, from start: Int, count: Int
    ) {
        let (layout, base, stride) = unsafe display(number)
        if unsafe store.isBytes {
            let steps = PixelSteps(plan.frame, pixel: layout.bytes, row: stride)
            let offsets = [layout.offsets.red, layout.offsets.green, layout.offsets.blue]
            let target = unsafe base + steps.start + number * steps.down + start * steps.across
            unsafe storeBytes(line, count: count, step: steps.across, bytes: target + offsets[plane])
            if layout.bytes == 4 { for column in 0..<count { unsafe target[column * steps.across + 3] = 255 } }
            return
        }
        let steps = PixelSteps(
            plan.frame, pixel: Picture.channels, row: Picture.channels * turnedWidth)
        let place = steps.start + number * steps.down + start * steps.across + plane
        switch unsafe store {
        case .words(let words): unsafe storeWords(line, count: count, step: steps.across, words: words + place)
        case .halves(let halves):
            for column in 0..<count { unsafe halves[place + column * steps.across] = unsafe Float16(line[column]) }
        case .bytes, .display, .strip: break
        }
    }
}
