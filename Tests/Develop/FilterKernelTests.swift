import KernelTypes
import Kernels
import KernelsBaseline
import KernelsV3
import Testing

/// Tests that the noise reduction and distortion kernels give correct results, identical in the baseline and the
/// wide-vector build.
@Suite(.enabled(if: hasWideVectors)) struct FilterKernelTests {
    private let count = 512
    /// The number of values of padding before a row's first value.
    private let padding = 16

    private func light(_ seed: Int, _ length: Int = 1200) -> [Float] {
        (0..<length).map { place in
            let mixed = UInt32(truncatingIfNeeded: place &* 40_503 &+ seed &* 977) &* 2_654_435_761
            return Float(mixed >> 8) / 0x1p24 * 1.2 - 0.05
        }
    }

    /// Runs the baseline and the wide-vector build of a kernel on three rows and returns the rows, which must be
    /// identical.
    private func both(_ kernel: (Bool, inout [Float], inout [Float], inout [Float]) -> Void) -> [[Float]] {
        let results = [false, true].map { isWide in
            var (first, second, third) = (light(1), light(2), light(3))
            kernel(isWide, &first, &second, &third)
            return [first, second, third]
        }
        let isAlike = zip(results[0], results[1]).allSatisfy { $0.map(\.bitPattern) == $1.map(\.bitPattern) }
        #expect(isAlike)
        return results[1]
    }

    private func isNear(_ value: Float, _ wanted: Float) -> Bool { abs(value - wanted) < 1e-5 * max(1, abs(wanted)) }

    @Test func brightnessIsSplitAndJoined() {
        let offset: Float = 0.1
        let split = both { isWide, first, second, third in
            let kernel = unsafe isWide ? KernelsV3.splitLumaRoots : KernelsBaseline.splitLumaRoots
            unsafe kernel(&first, &second, &third, offset, count)
        }
        let roots = (1...3).map { light($0).map { ($0 + offset).squareRoot() } }
        for i in 0..<count {
            #expect(isNear(split[0][i], (roots[0][i] + 2 * roots[1][i] + roots[2][i]) / 4))
            #expect(isNear(split[1][i], roots[0][i] - roots[1][i]))
            #expect(isNear(split[2][i], roots[2][i] - roots[1][i]))
        }
        let joined = both { isWide, first, second, third in
            let kernel = unsafe isWide ? KernelsV3.joinLumaRoots : KernelsBaseline.joinLumaRoots
            unsafe kernel(split[0], split[1], split[2], offset, count, &first, &second, &third)
        }
        for plane in 0..<3 {
            let wanted = light(plane + 1)
            #expect((0..<count).allSatisfy { abs(joined[plane][$0] - wanted[$0]) < 1e-5 })
        }
    }

    @Test func rowsAreHalvedAndDrawnOut() {
        let (upper, lower) = (light(7), light(8))
        let halved = both { isWide, first, _, _ in
            let kernel = unsafe isWide ? KernelsV3.halveRows : KernelsBaseline.halveRows
            unsafe kernel(upper, lower, count - 3, &first)
        }[0]
        #expect(
            (0..<count - 3).allSatisfy {
                isNear(halved[$0], (upper[2 * $0] + upper[2 * $0 + 1] + lower[2 * $0] + lower[2 * $0 + 1]) / 4)
            })
        #expect(halved[count - 3] == light(1)[count - 3])
        let between = both { isWide, first, _, _ in
            let kernel = unsafe isWide ? KernelsV3.interpolateQuarter : KernelsBaseline.interpolateQuarter
            unsafe kernel(upper, lower, count, &first)
        }[0]
        #expect((0..<count).allSatisfy { isNear(between[$0], 0.75 * upper[$0] + 0.25 * lower[$0]) })
        let rest = both { isWide, first, _, _ in
            let kernel = unsafe isWide ? KernelsV3.subtractDoubled : KernelsBaseline.subtractDoubled
            unsafe upper.withUnsafeBufferPointer { half in
                guard let half = half.baseAddress else { return }
                unsafe kernel(half + padding, count - 3, lower, &first)
            }
        }[0]
        for i in 0..<2 * (count - 3) {
            let (near, far) = (upper[padding + i / 2], upper[padding + i / 2 + (i % 2 == 0 ? -1 : 1)])
            #expect(isNear(rest[i], lower[i] - 0.75 * near - 0.25 * far))
        }
        let inPlace = both { isWide, first, _, _ in
            let kernel = unsafe isWide ? KernelsV3.subtractDoubled : KernelsBaseline.subtractDoubled
            first = lower
            unsafe upper.withUnsafeBufferPointer { half in
                unsafe first.withUnsafeMutableBufferPointer { row in
                    guard let half = half.baseAddress, let row = row.baseAddress else { return }
                    unsafe kernel(half + padding, count - 3, row, row)
                }
            }
        }[0]
        let isSame = inPlace[..<(2 * (count - 3))] == rest[..<(2 * (count - 3))]
        #expect(isSame)
    }

    @Test func retainedFractionsFollowNoise() {
        let (upper, lower) = (light(3, 3600), light(4, 3600))
        let scales = SIMD3<Float>(3, 5, 7)
        let strengths = both { isWide, first, second, _ in
            let kernel = unsafe isWide ? KernelsV3.pyramidEnergies : KernelsBaseline.pyramidEnergies
            unsafe kernel(upper, lower, 1200, scales, count - 3, &first, &second)
        }
        for i in 0..<count - 3 {
            let sums = (0..<3).map { plane in
                [upper, lower].reduce(Float(0)) { sum, row in
                    let (even, odd) = (row[1200 * plane + 2 * i], row[1200 * plane + 2 * i + 1])
                    return sum + even * even + odd * odd
                } * scales[plane]
            }
            #expect(isNear(strengths[0][i], sums[0]) && isNear(strengths[1][i], sums[1] + sums[2]))
        }
        let rows = (0..<3).map { seed in light(seed + 10, 2400).map { max(0, $0) * 4 } }
        let shares = both { isWide, first, _, _ in
            let kernel = unsafe isWide ? KernelsV3.pyramidFactors : KernelsBaseline.pyramidFactors
            var result = first + light(2)
            unsafe rows[0].withUnsafeBufferPointer { above in
                unsafe rows[1].withUnsafeBufferPointer { here in
                    unsafe rows[2].withUnsafeBufferPointer { below in
                        guard let above = above.baseAddress, let here = here.baseAddress,
                            let below = below.baseAddress
                        else { return }
                        unsafe kernel(above + padding, here + padding, below + padding, 1200, 1.5, 2, count, &result)
                    }
                }
            }
            first = result
        }[0]
        for i in stride(from: 0, to: count, by: 3) {
            /// The nine energies around a block, with their weights.
            func around(_ start: Int) -> [(energy: Float, weight: Float)] {
                zip(rows, [1, 2, 1] as [Float]).flatMap { row, weight in
                    let at = start + padding + i
                    return [(row[at - 1], weight), (row[at], 2 * weight), (row[at + 1], weight)]
                }
            }
            func mean(_ energies: [(energy: Float, weight: Float)], limit: Float = .infinity) -> Float {
                energies.reduce(0) { $0 + min($1.energy, limit) * $1.weight } / 16
            }
            let energies = around(0).map(\.energy)
            let most = energies.max() ?? 0
            let others = (energies.reduce(0, +) - most) / 8
            let brightness = mean(around(0), limit: 3 + 8 * max(0, others - 1.5) + 3 * max(0, most - 12))
            let own = mean(around(1200))
            let color = own + 0.1 * max(0, brightness - 1)
            #expect(isNear(shares[i], max(0, brightness - 1.5) / brightness))
            #expect(isNear(shares[1200 + i], max(0, color - 2) / color))
        }
        #expect(shares[0..<count].contains(0) && shares[0..<count].contains { $0 > 0.3 })
    }

    @Test func theCoarsePictureIsSmoothed() {
        let rows = (0..<5).map { light($0 + 20, 3600) }
        let (scales, shares) = (SIMD3<Float>(3, 5, 7), SIMD2<Float>(0.5, 0.75))
        let smooth = both { isWide, first, _, _ in
            let kernel = unsafe isWide ? KernelsV3.smoothCoarse : KernelsBaseline.smoothCoarse
            var result = light(1, 3600)
            unsafe rows[0].withUnsafeBufferPointer { above2 in
                unsafe rows[1].withUnsafeBufferPointer { above in
                    unsafe rows[2].withUnsafeBufferPointer { here in
                        unsafe rows[3].withUnsafeBufferPointer { below in
                            unsafe rows[4].withUnsafeBufferPointer { below2 in
                                let bases = unsafe [above2, above, here, below, below2].compactMap(\.baseAddress)
                                guard unsafe bases.count == 5 else { return }
                                unsafe kernel(
                                    bases[0] + padding, bases[1] + padding, bases[2] + padding, bases[3] + padding,
                                    bases[4] + padding, 1200, scales, shares, count, &result, 1000)
                            }
                        }
                    }
                }
            }
            first = result
        }[0]
        for i in stride(from: 0, to: count, by: 5) {
            let own = (0..<3).map { rows[2][1200 * $0 + padding + i] }
            var (total, sums) = (Float(0), [Float](repeating: 0, count: 3))
            for row in rows {
                for place in i - 2...i + 2 {
                    let steps = (0..<3).map { (plane: Int) -> Float in row[1200 * plane + padding + place] - own[plane]
                    }
                    var distance: Float = 0
                    for plane in 0..<3 { distance += steps[plane] * steps[plane] * scales[plane] }
                    let weight = 1 / (1 + distance * distance)
                    total += weight
                    for plane in 0..<3 { sums[plane] += weight * steps[plane] }
                }
            }
            for plane in 0..<3 {
                let wanted = own[plane] + sums[plane] / total * (plane == 0 ? shares[0] : shares[1])
                #expect(isNear(smooth[1000 * plane + i], wanted))
            }
        }
    }

    @Test func detailsAreAdded() {
        let (half, shares) = (light(5), light(6))
        let added = both { isWide, first, _, _ in
            let kernel = unsafe isWide ? KernelsV3.reconstructPyramidRow : KernelsBaseline.reconstructPyramidRow
            unsafe half.withUnsafeBufferPointer { half in
                unsafe shares.withUnsafeBufferPointer { shares in
                    guard let half = half.baseAddress, let shares = shares.baseAddress else { return }
                    unsafe kernel(half + padding, shares + padding, count - 3, &first)
                }
            }
        }[0]
        for i in 0..<2 * (count - 3) {
            let (near, far) = (padding + i / 2, padding + i / 2 + (i % 2 == 0 ? -1 : 1))
            let share = 0.75 * shares[near] + 0.25 * shares[far]
            #expect(isNear(added[i], 0.75 * half[near] + 0.25 * half[far] + light(1)[i] * share))
        }
    }

    @Test func placesAreFoundAlike() {
        let (radial, tangential) = (SIMD4<Float>(1.02, -0.1, 0.03, -0.01), SIMD2<Float>(0.004, -0.003))
        let (centre, limits) = (SIMD2<Float>(300, 200), SIMD2<Float>(600, 400))
        let places = both { isWide, first, second, _ in
            let kernel = unsafe isWide ? KernelsV3.distortedPositions : KernelsBaseline.distortedPositions
            unsafe kernel(
                SIMD2(-0.8, 0.3), 1 / 360, 360, centre, radial, tangential, limits, count, &first, &second)
        }
        for i in 0..<count {
            let (x, y) = (-0.8 + Double(i) / 360, 0.3)
            let square = x * x + y * y
            let ratio = 1.02 - 0.1 * square + 0.03 * square * square - 0.01 * square * square * square
            let across = (x * ratio + 0.004 * 2 * x * y - 0.003 * (square + 2 * x * x)) * 360 + 300
            let down = (y * ratio - 0.003 * 2 * x * y + 0.004 * (square + 2 * y * y)) * 360 + 200
            #expect(abs(Double(places[0][i]) - max(-1, min(600, across))) < 1e-3)
            #expect(abs(Double(places[1][i]) - max(-1, min(400, down))) < 1e-3)
        }
    }

    @Test func placesAreFoundByATable() {
        let (steps, ratio) = (512, { (distance: Double) in 1.1 - 0.2 * distance + 0.05 * distance * distance })
        let ratios = (0...steps).map { Float(ratio(Double($0) / Double(steps))) }
        let places = both { isWide, first, second, _ in
            let kernel = unsafe isWide ? KernelsV3.distortedPositionsByTable : KernelsBaseline.distortedPositionsByTable
            unsafe ratios.withUnsafeBufferPointer { ratios in
                guard let ratios = ratios.baseAddress else { return }
                // Some source positions lie beyond the table's end, at distances above 1.
                unsafe kernel(
                    SIMD2(-1.2, 0.3), 1 / 360, 360, SIMD2(300, 200), ratios, steps, SIMD2(0.004, -0.003),
                    SIMD2(600, 400),
                    count, &first, &second)
            }
        }
        for i in 0..<count {
            let (x, y) = (-1.2 + Double(i) / 360, 0.3)
            let square = x * x + y * y
            let ratio = ratio(min(square, 1).squareRoot())
            let across = (x * ratio + 0.004 * 2 * x * y - 0.003 * (square + 2 * x * x)) * 360 + 300
            let down = (y * ratio - 0.003 * 2 * x * y + 0.004 * (square + 2 * y * y)) * 360 + 200
            #expect(abs(Double(places[0][i]) - max(-1, min(600, across))) < 1e-3)
            #expect(abs(Double(places[1][i]) - max(-1, min(400, down))) < 1e-3)
        }
    }

    /// Reads pixels along steep and gentle slopes, at positions between all neighbours, and at edges.
    @Test(arguments: [(1.0, 0.0), (0.97, 0.02), (1.11, -0.08), (1.8, 0.4), (-0.9, 0.3), (0.05, 1.2)])
    func colourBetweenPixelsIsReadAlike(_ slope: (Double, Double)) {
        let (width, height, pitch) = (70, 50, 300)
        var values = [UInt16](repeating: 9999, count: pitch * height + 16)
        for row in 0..<height {
            for column in -8..<width + 8 {
                let inside = max(0, min(width - 1, column))
                values[row * pitch + 8 + column] = UInt16(
                    truncatingIfNeeded: (row * 977 + inside * 40_503) &* 2_654_435 >> 7 & 0xFFFF)
            }
        }
        var (across, down) = ([Float](repeating: 0, count: 128), [Float](repeating: 0, count: 128))
        for i in 0..<128 {
            across[i] = Float(max(-1, min(Double(width), Double(i % 96) * slope.0 + (slope.0 < 0 ? 80 : -3))))
            down[i] = Float(max(-1, min(Double(height), Double(i) * slope.1 + 20.3)))
        }
        let read = both { isWide, first, second, third in
            let kernel = unsafe isWide ? KernelsV3.readDistorted : KernelsBaseline.readDistorted
            unsafe values.withUnsafeBufferPointer { values in
                guard let values = values.baseAddress else { return }
                // The second colour plane is the first one shifted by a row, so that one array serves both.
                let source = unsafe PaddedPlanes(
                    values + 8, planePitch: pitch, pitch: pitch, width: width, height: height - 1)
                unsafe kernel(
                    source, across, down, 100, SIMD3(0.5, 0.25, 0.5), 2, 128, &first, &second, &third)
            }
        }
        #expect(read[2] == light(3))
        func value(_ plane: Int, _ row: Int, _ column: Int) -> Double {
            Double(values[(max(0, min(height - 2, row)) + plane) * pitch + 8 + max(0, min(width - 1, column))])
        }
        func weight(_ distance: Double) -> Double {
            let d = abs(distance)
            if d < 1 { return 1.5 * d * d * d - 2.5 * d * d + 1 }
            return d < 2 ? -0.5 * d * d * d + 2.5 * d * d - 4 * d + 2 : 0
        }
        for i in 0..<128 {
            let (x, y) = (Double(across[i]), Double(down[i]))
            for plane in 0..<2 {
                var sum = 0.0
                for row in Int(y) - 3...Int(y) + 3 {
                    for column in Int(x) - 3...Int(x) + 3 {
                        sum += value(plane, row, column) * weight(x - Double(column)) * weight(y - Double(row))
                    }
                }
                #expect(abs(Double(read[plane][i]) - (sum - 100) / Double(2 << plane)) < 2, "\(i)")
            }
        }
    }

    @Test func planesAreStoredAlike() {
        let light = light(9)
        let results = [false, true].map { isWide in
            var line = [UInt16](repeating: 7, count: 600)
            let kernel = unsafe isWide ? KernelsV3.storePlane : KernelsBaseline.storePlane
            unsafe kernel(light, 64_511, 1024, 509, &line)
            return line
        }
        let isAlike = results[0] == results[1]
        #expect(isAlike)
        for i in 0..<509 {
            let wanted = min(65_535, max(0, Double(light[i]) * 64_511 + 1024))
            #expect(abs(Double(results[1][i]) - wanted) <= 1)
        }
        #expect(results[1][509] == 7)
    }
}
