import KernelTypes
import Kernels
import KernelsBaseline
import KernelsV3
import Testing

/// Tests that the renderer's kernels give correct results, identical in the baseline and the wide-vector build.
@Suite(.enabled(if: hasWideVectors)) struct RenderKernelTests {
    /// A row length of whole vectors of 8 values, and one that ends within a vector.
    private let count = 1024
    private let odd = 1021

    /// Returns random linear values from slightly below black to `most`, which may lie beyond white.
    private func light(_ seed: Int, _ most: Float = 1.3) -> [Float] {
        (0..<count + 16).map { place in
            let mixed = UInt32(truncatingIfNeeded: place &* 40_503 &+ seed &* 977) &* 2_654_435_761
            return Float(mixed >> 8) / 0x1p24 * (most + 0.05) - 0.05
        }
    }

    private func codes(_ length: Int) -> [UInt16] {
        (0..<length).map { UInt16(truncatingIfNeeded: $0 &* 40_503 &+ $0 &* $0 &* 7) }
    }

    /// Runs the baseline and the wide-vector build of a kernel on three rows and returns the rows, which must be
    /// identical.
    private func rows(
        _ most: Float = 1.3,
        _ kernel: (Bool, inout [Float], inout [Float], inout [Float]) -> Void
    ) -> [[Float]] {
        var results: [[[Float]]] = []
        for isWide in [false, true] {
            var (red, green, blue) = (light(1, most), light(2, most), light(3, most))
            kernel(isWide, &red, &green, &blue)
            results.append([red, green, blue])
        }
        let isAlike = zip(results[0], results[1]).allSatisfy { $0.map(\.bitPattern) == $1.map(\.bitPattern) }
        #expect(isAlike)
        return results[1]
    }

    private func isNear(_ value: Float, _ expected: Float, _ tolerance: Float = 1e-5) -> Bool {
        abs(value - expected) <= tolerance * max(1, abs(expected))
    }

    // MARK: Colour cubes

    @Test func coloursAreReadFromACube() {
        // A cube whose values are linear in the colours is reproduced exactly between its entries.
        let side = 5
        let straight = (0..<side * side * side).flatMap { place in
            let (r, g, b) = (Float(place / 25) / 4, Float(place / 5 % 5) / 4, Float(place % 5) / 4)
            return [0.2 + 0.5 * r - 0.1 * g, 0.7 * g + 0.3 * b, 1 - b]
        }
        let split = rows { isWide, red, green, blue in
            let (cut, read) =
                unsafe isWide
                ? (KernelsV3.clampToCube, KernelsV3.readCube) : (KernelsBaseline.clampToCube, KernelsBaseline.readCube)
            var outside = [Float](repeating: 0, count: count)
            unsafe cut(&red, count, &outside)
            unsafe cut(&green, count, &outside)
            unsafe cut(&blue, count, &outside)
            unsafe read(&red, &green, &blue, straight, side, count)
        }
        for place in 0..<count {
            let (r, g, b) = (inside(light(1)[place]), inside(light(2)[place]), inside(light(3)[place]))
            #expect(isNear(split[0][place], 0.2 + 0.5 * r - 0.1 * g))
            #expect(isNear(split[1][place], 0.7 * g + 0.3 * b))
            #expect(isNear(split[2][place], 1 - b))
        }
    }

    private func inside(_ value: Float) -> Float { max(0, min(1, value)) }

    /// In a cube of side 2, tetrahedral interpolation goes from black to white by way of the largest channel's corner
    /// and then that of the two largest.
    @Test func theStrongestColourLeads() {
        var cube = [Float](repeating: 0, count: 24)
        for corner in 0..<8 { cube[3 * corner] = Float(corner) }
        for (color, wanted) in [
            (SIMD3<Float>(0.5, 0.25, 0.125), 0.25 * 4 + 0.125 * 6 + 0.125 * 7),
            (SIMD3(0.125, 0.5, 0.25), 0.25 * 2 + 0.125 * 3 + 0.125 * 7),
            (SIMD3(0.25, 0.125, 0.5), 0.25 + 0.125 * 5 + 0.875),
            (SIMD3(0.5, 0.125, 0.25), 0.25 * 4 + 0.125 * 5 + 0.875),
            (SIMD3(0.25, 0.5, 0.125), 0.25 * 2 + 0.125 * 6 + 0.875),
            (SIMD3(0.125, 0.25, 0.5), 0.25 + 0.125 * 3 + 0.875), (SIMD3(1, 1, 1), 7), (SIMD3(0, 0, 0), 0),
        ] as [(SIMD3<Float>, Float)] {
            for isWide in [false, true] {
                let read = unsafe isWide ? KernelsV3.readCube : KernelsBaseline.readCube
                var (red, green, blue) = (color.x, color.y, color.z)
                unsafe read(&red, &green, &blue, cube, 2, 1)
                #expect(isNear(red, wanted), "\(color)")
            }
        }
    }

    @Test func valuesOutsideACubeAreReturned() {
        for isWide in [false, true] {
            let cut = unsafe isWide ? KernelsV3.clampToCube : KernelsBaseline.clampToCube
            var line: [Float] = [-0.25, 0, 0.5, 1, 1.75, .nan, .infinity, -.infinity]
            var outside = [Float](repeating: 9, count: 8)
            unsafe cut(&line, 8, &outside)
            #expect(line == [0, 0, 0.5, 1, 1, 0, 0, 0] && outside == [-0.25, 0, 0, 0, 0.75, 0, 0, 0])
        }
    }

    // MARK: Raw samples

    @Test func pixelsAreSplitAlike() {
        let codes = codes(4 * count)
        let (black, gain) = (SIMD3<Float>(500, 510, 520), SIMD3<Float>(2e-5, 1e-5, 3e-5))
        let split = rows { isWide, red, green, blue in
            let kernel = unsafe isWide ? KernelsV3.linearizePixels : KernelsBaseline.linearizePixels
            unsafe kernel(codes, odd, black, gain, &red, &green, &blue)
        }
        for (plane, line) in split.enumerated() {
            for place in 0..<odd {
                let expected: Float = (Float(codes[4 * place + plane]) - black[plane]) * gain[plane]
                #expect(isNear(line[place], expected))
            }
        }
    }

    @Test func halvesAreJoinedAlike() {
        let (even, other) = (light(5), light(6))
        let joined = rows { isWide, red, _, _ in
            let kernel = unsafe isWide ? KernelsV3.joinHalves : KernelsBaseline.joinHalves
            unsafe kernel(even, other, 509, &red)
        }[0]
        for place in 0..<509 {
            #expect(joined[2 * place] == even[place])
            #expect(joined[2 * place + 1] == other[place])
        }
    }

    @Test func rowsAreMultipliedAndAddedAlike() {
        let (gains, before) = (light(7, 4), [light(1), light(2)])
        let result = rows { isWide, red, green, _ in
            let multiply = unsafe isWide ? KernelsV3.multiplyRow : KernelsBaseline.multiplyRow
            let add = unsafe isWide ? KernelsV3.addWeightedRow : KernelsBaseline.addWeightedRow
            unsafe multiply(&red, gains, odd)
            unsafe add(gains, 0.3, odd, &green)
        }
        for place in 0..<odd {
            #expect(isNear(result[0][place], before[0][place] * gains[place]))
            #expect(isNear(result[1][place], before[1][place] + gains[place] * 0.3))
        }
        #expect(result[0][odd] == before[0][odd] && result[1][odd] == before[1][odd])
    }

    @Test func columnsAreAveragedAlike() {
        let row = light(9)
        let starts = (0..<300).map { UInt32($0 * 3) }
        let lengths = (0..<300).map { UInt32(2 + $0 % 4) }
        let (first, last) = (light(10, 1), light(11, 1))
        let means = rows { isWide, red, _, _ in
            let kernel = unsafe isWide ? KernelsV3.averageColumns : KernelsBaseline.averageColumns
            unsafe kernel(row, starts, lengths, first, last, 0.4, 300, &red)
        }[0]
        for i in 0..<300 {
            let part = row[Int(starts[i])..<Int(starts[i] + lengths[i])]
            let between = part.dropFirst().dropLast().reduce(0, +)
            let sum = (part.first ?? 0) * first[i] + between + (part.last ?? 0) * last[i]
            #expect(isNear(means[i], sum * 0.4))
        }
    }

    // MARK: Colour

    @Test func highlightsAreRebuiltAlike() {
        let limits = SIMD3<Float>(1.2, 1, 0.9)
        let before = [light(1), light(2), light(3)]
        let rebuilt = rows { isWide, red, green, blue in
            let kernel = unsafe isWide ? KernelsV3.reconstructHighlights : KernelsBaseline.reconstructHighlights
            unsafe kernel(&red, &green, &blue, limits, count)
        }
        for plane in 0..<3 {
            // Colours close to their clipping limit may only become brighter; the others are unchanged.
            for place in 0..<count {
                let (old, new) = (before[plane][place], rebuilt[plane][place])
                #expect(old < 0.9 * limits[plane] ? old == new : new >= old)
            }
        }
        #expect(rebuilt != before)
    }

    @Test func coloursAreMixedAlike() {
        let before = [light(1), light(2), light(3)]
        let shares = [SIMD3<Float>(1.3, -0.2, -0.1), SIMD3(-1, 2.2, -0.2), SIMD3(0, 0.1, 0.9)]
        let mixed = rows { isWide, red, green, blue in
            let kernel = unsafe isWide ? KernelsV3.applyMatrixRows : KernelsBaseline.applyMatrixRows
            unsafe kernel(&red, &green, &blue, shares[0], shares[1], shares[2], 1, -0.01, count)
        }
        for plane in 0..<3 {
            for place in 0..<count {
                let color = SIMD3(min(before[0][place], 1), min(before[1][place], 1), min(before[2][place], 1))
                #expect(isNear(mixed[plane][place], max(-0.01, (color * shares[plane]).sum())))
            }
        }
    }

    @Test func blackIsTakenAlike() {
        let before = light(1)
        let taken = rows { isWide, red, green, _ in
            let kernel = unsafe isWide ? KernelsV3.subtractBlackPoint : KernelsBaseline.subtractBlackPoint
            unsafe kernel(&red, 0.1, 1.25, 0.05, count)
            unsafe kernel(&green, 0.1, 1.25, 0, count)
        }
        for (old, new) in zip(before, taken[0]).prefix(count) {
            if old >= 0.151 { #expect(isNear(new, (old - 0.1) * 1.25)) }
            if old <= 0.05 { #expect(new == 0) }
            #expect(new >= 0)
        }
        #expect(taken[1].prefix(count).allSatisfy { $0 >= -1e-6 })
    }

    /// The square root as a curve table in the kernels' format: 256 entries per doubling of the input + 1/256.
    private let roots: [Float] = {
        let values = (0...2050).map { index -> Float in
            max(0, Float(bitPattern: UInt32(0x3B80_0000 + index << 15)) - 0x1p-8).squareRoot()
        }
        return (0...2049).flatMap { [values[$0], values[$0 + 1] - values[$0]] }
    }()

    @Test func curvesAreLookedUpAlike() {
        let before = light(1)
        var indices = [UInt32](repeating: 0, count: count + 16)
        let found = rows { isWide, red, _, _ in
            let kernel = unsafe isWide ? KernelsV3.lookUp : KernelsBaseline.lookUp
            unsafe kernel(&red, roots, 1, count, &indices)
        }[0]
        for place in 0..<count {
            #expect(isNear(found[place], min(max(before[place], 0), 1).squareRoot(), 0.02))
        }
    }

    @Test func tonesAreMadeAlike() {
        let before = [light(1), light(2), light(3)]
        var (highs, lows) = ([UInt32](repeating: 0, count: count + 16), [UInt32](repeating: 0, count: count + 16))
        let toned = rows { isWide, red, green, blue in
            let kernel = unsafe isWide ? KernelsV3.toneRows : KernelsBaseline.toneRows
            unsafe kernel(&red, &green, &blue, roots, 1, count, &highs, &lows)
        }
        for place in 0..<count {
            let old = before.map { min(max($0[place], 0), 1) }
            let new = toned.map { $0[place] }
            let (most, least) = (old.max() ?? 0, old.min() ?? 0)
            #expect(isNear(new.max() ?? 0, most.squareRoot(), 0.02) && isNear(new.min() ?? 0, least.squareRoot(), 0.02))
            // The order of the channels, and so the hue, is preserved.
            #expect(old.firstIndex(of: most) == new.firstIndex(of: new.max() ?? 0) || most - least < 1e-6)
        }
    }

    @Test func huesAreMovedAlike() {
        let shifts = (0..<6 * 3 * 2).flatMap { (entry: Int) -> [Float] in
            [Float(entry % 7) / 20 - 0.1, 0.8 + Float(entry % 5) / 10, 1.1]
        }
        let moved = rows { isWide, red, green, blue in
            let kernel = unsafe isWide ? KernelsV3.applyHueSatMap : KernelsBaseline.applyHueSatMap
            unsafe kernel(&red, &green, &blue, shifts, 6, 3, 2, 0.7, nil, nil, odd)
        }
        let before = [light(1), light(2), light(3)]
        for place in 0..<odd {
            let (old, new) = (before.map { $0[place] }.max() ?? 0, moved.map { $0[place] }.max() ?? 0)
            if old > 0 { #expect(isNear(new, old * 1.1, 1e-4)) }
        }
        let encoded = rows { isWide, red, green, blue in
            let kernel = unsafe isWide ? KernelsV3.applyHueSatMap : KernelsBaseline.applyHueSatMap
            unsafe roots.withUnsafeBufferPointer { roots in
                unsafe kernel(
                    &red, &green, &blue, shifts, 6, 3, 2, 0.7, roots.baseAddress, roots.baseAddress, odd)
            }
        }
        #expect(encoded != moved)
    }

    // MARK: Local gains

    @Test func gainsAreAppliedAlike() {
        let (length, pitch) = (5, 7)
        // Three gain tables one after another, each with its last gain three times.
        let tables = (0..<3).flatMap { (table: Int) -> [Float] in
            (0..<pitch).map { Float(1 + table + min($0, length - 1)) }
        }
        let bases = (0..<count + 16).map { UInt32($0 % 2 * pitch) }
        let shares = (0..<count + 16).map { Float($0 % 8) / 8 }
        let weights = SIMD3<Float>(0.25, 0.5, 0.25)
        let before = [light(1), light(2), light(3)]
        var indices = [UInt32](repeating: 0, count: count + 16)
        let gained = rows { isWide, red, green, blue in
            var brightness = light(8)
            let places = unsafe isWide ? KernelsV3.gainTableInputs : KernelsBaseline.gainTableInputs
            let apply = unsafe isWide ? KernelsV3.applyGains : KernelsBaseline.applyGains
            unsafe places(red, green, blue, GainWeights(color: weights, least: 0, most: 0), 0.9, count, &brightness)
            unsafe tables.withUnsafeBufferPointer { tables in
                unsafe bases.withUnsafeBufferPointer { bases in
                    unsafe shares.withUnsafeBufferPointer { shares in
                        guard let tables = tables.baseAddress, let bases = bases.baseAddress,
                            let shares = shares.baseAddress
                        else { return }
                        let row = unsafe GainTables(tables, pitch: pitch, bases: bases, rightWeights: shares)
                        unsafe apply(&red, &green, &blue, &brightness, length, row, count, &indices)
                    }
                }
            }
        }
        for place in 0..<count {
            let color = SIMD3(before[0][place], before[1][place], before[2][place])
            let index = min(max((color * weights).sum() * 0.9, 0), 1) * Float(length)
            // The tables' gains increase by one per entry up to the last, and by one from table to table.
            let gain: Float = 1 + Float(place % 2) + min(index, Float(length - 1)) + shares[place]
            #expect(isNear(gained[1][place], color.y * gain, 1e-4))
        }
    }

    @Test func tablesAreMixedAlike() {
        let (upper, lower) = (light(1), light(2))
        let mixed = rows { isWide, red, _, _ in
            let kernel = unsafe isWide ? KernelsV3.mixTables : KernelsBaseline.mixTables
            unsafe kernel(upper, lower, 0.3, odd, &red)
        }[0]
        for place in 0..<odd {
            let expected: Float = upper[place] * 0.7 + lower[place] * 0.3
            #expect(isNear(mixed[place], expected))
        }
    }

    // MARK: Output rows

    @Test func rootsOfBrightnessAreTakenAlike() {
        let weights = SIMD3<Float>(0.2, 0.7, 0.1)
        let before = [light(1), light(2), light(3)]
        let found = rows { isWide, red, green, blue in
            var roots = light(4)
            let kernel = unsafe isWide ? KernelsV3.luminanceRoots : KernelsBaseline.luminanceRoots
            unsafe kernel(red, green, blue, weights, count, &roots)
            red = roots
        }[0]
        for place in 0..<count {
            let color = SIMD3(before[0][place], before[1][place], before[2][place])
            #expect(isNear(found[place], max(0, (color * weights).sum()).squareRoot(), 1e-4))
        }
    }

    @Test func numbersAreStoredAlike() {
        let row = light(1)
        var results: [([UInt8], [UInt16], [UInt16])] = []
        for isWide in [false, true] {
            var bytes = [UInt8](repeating: 7, count: 3 * count)
            var words = [UInt16](repeating: 7, count: 3 * count)
            var places = [UInt16](repeating: 7, count: count)
            let storeBytes = unsafe isWide ? KernelsV3.storeBytes : KernelsBaseline.storeBytes
            let storeWords = unsafe isWide ? KernelsV3.storeWords : KernelsBaseline.storeWords
            let displayCurveIndices =
                unsafe isWide ? KernelsV3.displayCurveIndices : KernelsBaseline.displayCurveIndices
            unsafe storeBytes(row, odd, 3, &bytes)
            unsafe storeWords(row, odd, 3, &words)
            unsafe displayCurveIndices(row, odd, &places)
            results.append((bytes, words, places))
        }
        let isAlike = results[0] == results[1]
        #expect(isAlike)
        for place in 0..<odd {
            let light = min(max(row[place], 0), 1)
            #expect(results[0].0[3 * place] == UInt8((light * 255).rounded(.toNearestOrEven)))
            #expect(abs(Int(results[0].1[3 * place]) - Int((light * 65_535).rounded())) <= 1)
            #expect(results[0].2[place] == UInt16((light + 0x1p-8).bitPattern >> 15))
        }
        #expect(results[0].0[1] == 7 && results[0].1[3 * odd] == 7 && results[0].2[odd] == 7)
    }

    @Test(
        arguments: [((0, 1, 2), false, 3), ((2, 1, 0), false, 3), ((2, 1, 0), true, 4), ((0, 1, 2), false, -3)]
            as [((Int, Int, Int), Bool, Int)])
    func displayPixelsAreStoredAlike(offsets: (Int, Int, Int), isOpaque: Bool, step: Int) {
        let places = light(1, 1).map { UInt16((min(max($0, 0), 1) + 0x1p-8).bitPattern >> 15) }
        let curve = (0..<2049).map { UInt8(truncatingIfNeeded: $0 >> 3) }
        func words(_ offset: Int) -> [UInt32] {
            // One of the three also sets the fourth byte.
            curve.map { UInt32($0) << UInt32(8 * offset) | (isOpaque && offset == 1 ? 0xFF00_0000 : 0) }
        }
        // The pixels start behind padding, which must stay unchanged as well as that after them.
        let start = 16 + (step < 0 ? -step * (odd - 1) : 0)
        var results: [[UInt8]] = []
        for isWide in [false, true] {
            var bytes = [UInt8](repeating: 7, count: 4 * count + 32)
            let kernel = unsafe isWide ? KernelsV3.storeDisplayPixels : KernelsBaseline.storeDisplayPixels
            unsafe bytes.withUnsafeMutableBufferPointer { bytes in
                guard let base = bytes.baseAddress else { return }
                unsafe kernel(
                    places, places.reversed(), places, words(offsets.0), words(offsets.1), words(offsets.2),
                    isOpaque ? 4 : 3, step, odd, base + start)
            }
            results.append(bytes)
        }
        let isAlike = results[0] == results[1]
        #expect(isAlike)
        var wanted = [UInt8](repeating: 7, count: 4 * count + 32)
        let first = 0x3B80_0000 >> 15
        let backward = [UInt16](places.reversed())
        for place in 0..<odd {
            let pixel = start + place * step
            wanted[pixel + offsets.0] = curve[Int(places[place]) - first]
            wanted[pixel + offsets.1] = curve[Int(backward[place]) - first]
            wanted[pixel + offsets.2] = curve[Int(places[place]) - first]
            if isOpaque { wanted[pixel + 3] = 255 }
        }
        let isRight = results[0] == wanted
        #expect(isRight)
    }

    // MARK: Sharpening and gamut mapping

    @Test func sharpeningAddsWhatIsBeyondTheMean() {
        let lines = (4...6).map { light($0, 1) }
        let (amount, noise, bound): (Float, Float, Float) = (0.8, 1e-4, 0.1)
        let sharpened = rows(1) { isWide, red, green, blue in
            let kernel = unsafe isWide ? KernelsV3.sharpenRow : KernelsBaseline.sharpenRow
            unsafe lines[0].withUnsafeBufferPointer { above in
                unsafe lines[1].withUnsafeBufferPointer { here in
                    unsafe lines[2].withUnsafeBufferPointer { below in
                        guard let above = above.baseAddress, let here = here.baseAddress,
                            let below = below.baseAddress
                        else { return }
                        unsafe kernel(
                            &red, &green, &blue, above + 8, here + 8, below + 8, amount, noise, bound, odd)
                    }
                }
            }
        }
        for place in 0..<odd {
            func mean(_ line: [Float]) -> Float { (line[place + 7] + 2 * line[place + 8] + line[place + 9]) / 4 }
            let middle = lines[1][place + 8]
            let detail = middle - (mean(lines[0]) + 2 * mean(lines[1]) + mean(lines[2])) / 4
            let wanted = detail * (detail * detail / (detail * detail + noise)) * amount
            let scale = 1 + wanted / (1 + abs(wanted) / bound) / max(middle, 0.02)
            #expect(isNear(sharpened[1][place], light(2, 1)[place] * scale * scale, 1e-4))
        }
    }

    @Test func coloursBeyondTheGamutComeNearerToGrey() {
        let weights = SIMD3<Float>(0.25, 0.5, 0.25)
        let mapped = rows { isWide, red, green, blue in
            // Pixels 256 to 511 are entirely within the gamut, so they must stay unchanged.
            for place in 256..<512 { (red[place], green[place], blue[place]) = (0.2, 0.9, 0.4) }
            let kernel = unsafe isWide ? KernelsV3.mapGamut : KernelsBaseline.mapGamut
            unsafe kernel(&red, &green, &blue, weights, 1, count)
        }
        #expect((256..<512).allSatisfy { mapped[0][$0] == 0.2 && mapped[1][$0] == 0.9 && mapped[2][$0] == 0.4 })
        for place in 0..<256 {
            let color = SIMD3((1...3).map { light($0)[place] })
            let grey = min(max((color * weights).sum(), 0), 1)
            let (below, above) = (max(grey - color.min(), 1e-9), max(color.max() - grey, 1e-9))
            let share = max(min(1, (1 + min(grey / below, (1 - grey) / above)) / 2), 0.93)
            for plane in 0..<3 {
                #expect(isNear(mapped[plane][place], min(max(grey + (color[plane] - grey) * share, 0), 1)))
            }
        }
    }
}
