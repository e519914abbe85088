import BurstScenes
import Demosaic
import Fusion
import Glibc
import RawImage
import Synchronization
import Testing

/// Tests of super-resolution with analytic scenes.
@Suite struct SuperResolutionFusionTests {
    /// The frames' shifts by camera shake, in pixels; together they bring every colour to every pixel of a cell.
    private static let shake: [(right: Double, down: Double)] = [
        (0, 0), (1.1, 0.2), (-0.3, 0.9), (0.8, -1.2), (-1.4, -0.6), (2.3, 1.7), (-0.7, -2.2), (3.1, 0.4),
    ]

    /// Returns a frame whose red, green and blue show different scenes, one burst of `colors` for each.
    private func frame(_ colors: [SyntheticBurst], right: Double, down: Double, seed: UInt64) -> [UInt16] {
        let frames = colors.map { $0.frame(right: right, down: down, seed: seed) }
        let format = colors[0].format
        return frames[0].indices.map { index in
            frames[format.pattern.plane(row: index / format.stride, column: index % format.stride)][index]
        }
    }

    private func shaken(_ colors: [SyntheticBurst]) -> [[UInt16]] {
        Self.shake.enumerated().map { index, shift in
            frame(colors, right: shift.right, down: shift.down, seed: UInt64(index + 1))
        }
    }

    private func fusion(
        _ burst: SyntheticBurst, _ frames: [[UInt16]], spatialDenoise: Double = 1, cores: Int? = nil,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws -> BurstFusion {
        let options = FusionOptions(spatialDenoise: spatialDenoise, reference: 0, preparesSuperResolution: true)
        let fusion = BurstFusion(options, cores: cores, isCancelled: isCancelled)
        for frame in frames {
            try fusion.add(frame.span, format: burst.format, metadata: burst.metadata)
        }
        return fusion
    }

    /// Returns the mean squared error of one colour of a photo against the signal of a scene, away from the edges.
    private func error(
        _ photo: LinearImage, _ color: Int, scale: Double = 1, rows: Range<Int>? = nil, columns: Range<Int>? = nil,
        _ scene: (Double, Double) -> Double
    ) -> Double {
        let margin = Int(24 * scale)
        let (rows, columns) = (
            rows ?? margin..<photo.format.height - margin, columns ?? margin..<photo.format.width - margin
        )
        var sum = 0.0
        for row in rows {
            for column in columns {
                let value = Double(photo.values[row * photo.format.stride + 4 * column + color]) / 65_535
                let truth = scene((Double(column) + 0.5) / scale - 0.5, (Double(row) + 0.5) / scale - 0.5)
                sum += (value - truth) * (value - truth)
            }
        }
        return sum / Double(rows.count * columns.count)
    }

    /// Returns the scenes of the three colours: red has a patch of lines above the Nyquist frequency of the red
    /// samples, which green and blue do not contain.
    private func redLines(_ pattern: BayerPattern = .rggb, bitDepth: Int = 12) -> [SyntheticBurst] {
        var colors = Array(repeating: SyntheticBurst(320, 256, pattern: pattern, bitDepth: bitDepth), count: 3)
        for color in 0..<3 { colors[color].metadata.noise = [NoiseProfile(shot: 1e-4, read: 1e-6)] }
        colors[0].scene = { x, y in
            let (across, down): (Double, Double) = (x - 160, y - 128)
            let distance: Double = (across * across + down * down) / 900
            let lines: Double = 0.1 / (1 + distance * distance) * wave((x + 0.3 * y) / 2.9)
            return SyntheticBurst.hills(x, y) + lines
        }
        return colors
    }

    @Test func textureBeyondAColoursSamplingIsRecovered() throws {
        let colors = redLines()
        let frames = shaken(colors)
        let plain = try Demosaic.linear(fusion(colors[0], frames).finish().mosaic)
        let (photo, report) = try fusion(colors[0], frames).finishLinearPhoto(.one)
        let (before, after) = (error(plain, 0, colors[0].scene), error(photo, 0, colors[0].scene))
        #expect(after < 0.75 * before, "\(before / after)")
        #expect(try #require(report.superResolvedFraction) > 0.9)
        #expect(report.seconds(of: "super-resolution") > 0)
        for color in 1..<3 {
            #expect(error(photo, color, colors[color].scene) < error(plain, color, colors[color].scene))
        }
    }

    /// Thin lines of strong colours, which demosaicing of one frame breaks into dots.
    @Test func linesOfStrongColoursAreWhole() throws {
        var colors = Array(repeating: SyntheticBurst(320, 256), count: 3)
        for color in 0..<3 {
            colors[color].metadata.noise = [NoiseProfile(shot: 1e-4, read: 1e-6)]
            colors[color].scene = { x, y in
                (0..<24).reduce(0.3) { value, line in
                    let (angle, offset) = (Double(line) * 0.7, Double(line * 53 % 220 - 110))
                    let distance = abs((x - 160) * cos(angle) + (y - 128) * sin(angle) - offset)
                    let covered = max(0, min(1, 1.3 - distance))
                    return value + ((color + line) % 3 == 0 ? 0.5 : -0.28) * covered * (value == 0.3 ? 1 : 0)
                }
            }
        }
        let frames = shaken(colors)
        let plain = try Demosaic.linear(fusion(colors[0], frames).finish().mosaic)
        let photo = try fusion(colors[0], frames).finishLinearPhoto(.one).photo
        for color in 0..<3 {
            let (before, after) = (error(plain, color, colors[color].scene), error(photo, color, colors[color].scene))
            #expect(after < 0.83 * before, "\(after / before)")
        }
    }

    @Test(arguments: BayerPattern.allCases, [8, 10, 16])
    func anyPatternAndDepth(_ pattern: BayerPattern, _ depth: Int) throws {
        let colors = redLines(pattern, bitDepth: depth)
        let photo = try fusion(colors[0], shaken(colors)).finishLinearPhoto(.one).photo
        for color in 0..<3 {
            let off = error(photo, color, colors[color].scene).squareRoot()
            #expect(off < 0.03, "\(color): \(off)")
        }
    }

    @Test(arguments: [(SuperResolutionScale.oneAndHalf, 1.5), (.two, 2)])
    func largerPhotosResolveMore(_ scale: SuperResolutionScale, _ factor: Double) throws {
        let colors = redLines()
        let frames = shaken(colors)
        let photo = try fusion(colors[0], frames).finishLinearPhoto(scale).photo
        #expect(photo.format == LinearFormat(width: Int(320 * factor), height: Int(256 * factor)))
        let plain = try Demosaic.linear(fusion(colors[0], frames).finish().mosaic)
        let before = error(plain, 0, colors[0].scene)
        let after = error(photo, 0, scale: factor, colors[0].scene)
        #expect(after < 0.75 * before, "\(before / after)")
    }

    /// Frames without shifts add no new sample positions: the result is the demosaic of the merged mosaic, with less
    /// noise.
    @Test func stillBurstsFallBack() throws {
        let burst = SyntheticBurst(320, 256)
        let frames = (0..<8).map { burst.frame(seed: UInt64($0 + 1)) }
        let plain = try Demosaic.linear(fusion(burst, frames, spatialDenoise: 0).finish().mosaic)
        let (photo, report) = try fusion(burst, frames).finishLinearPhoto()
        #expect(report.superResolvedFraction == 0 && report.superResolutionScale == 1)
        for color in 0..<3 { #expect(error(photo, color, burst.scene) < error(plain, color, burst.scene)) }
    }

    /// Noise that is coarser than the blocks of denoising is removed, too; it would show as blotches in dim areas.
    @Test(arguments: SuperResolutionScale.allCases) func dimAreasHaveNoBlotches(scale: SuperResolutionScale) throws {
        var burst = SyntheticBurst(320, 256)
        burst.scene = { _, _ in 0.05 }
        let frames = Self.shake.indices.map { burst.frame(seed: UInt64($0 + 1)) }
        let noisy = try fusion(burst, frames, spatialDenoise: 0).finishLinearPhoto(scale).photo
        let photo = try fusion(burst, frames).finishLinearPhoto(scale).photo
        let side = Int(8 * (Double(scale.rawValue) ?? 1))
        for color in 0..<3 {
            let (before, after) = (blotches(noisy, color, side), blotches(photo, color, side))
            #expect(after < 0.4 * before, "colour \(color): \(after / before)")
        }
    }

    /// Returns the variance of the means of square blocks of pixels.
    private func blotches(_ photo: LinearImage, _ color: Int, _ side: Int) -> Double {
        let (columns, rows) = (photo.format.width / side, photo.format.height / side)
        let means = (0..<columns * rows).map { block in
            let start = block / columns * side * photo.format.stride + block % columns * side * 4 + color
            let pixels = (0..<side * side).map { start + $0 / side * photo.format.stride + $0 % side * 4 }
            return pixels.reduce(0.0) { $0 + Double(photo.values[$1]) } / Double(side * side)
        }
        let mean = means.reduce(0, +) / Double(means.count)
        return means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(means.count)
    }

    /// In dim areas the regressions leave the fine noise of the guide. If it is that of few frames, because merging
    /// kept others out, it is removed all the same.
    @Test func noiseOfTheGuideIsRemoved() throws {
        var burst = SyntheticBurst(320, 256)
        burst.scene = { _, _ in 0.01 }
        burst.metadata.noise = Array(repeating: NoiseProfile(shot: 4e-3, read: 1e-4), count: 3)
        let frames = Self.shake.indices.map { burst.frame(seed: UInt64($0 + 1)) }
        func noise(strength: Double) throws -> Double {
            let options = FusionOptions(
                strength: strength, spatialDenoise: 1, reference: 0, preparesSuperResolution: true)
            let fusion = BurstFusion(options)
            for frame in frames { try fusion.add(frame.span, format: burst.format, metadata: burst.metadata) }
            return error(try fusion.finishLinearPhoto(.one).photo, 1, burst.scene).squareRoot()
        }
        let (usual, noisy) = (try noise(strength: 1), try noise(strength: 0.1))
        #expect(noisy < 3 * usual, "\(noisy / usual)")
    }

    @Test func withoutRetainedFramesThePhotoIsADemosaic() throws {
        let burst = SyntheticBurst(64, 48)
        let frame = burst.frame(seed: 1)
        let (first, second) = (BurstFusion(), BurstFusion())
        for fusion in [first, second] { try fusion.add(frame.span, format: burst.format, metadata: burst.metadata) }
        let (photo, report) = try first.finishLinearPhoto()
        let isPlain = try photo.values == Demosaic.linear(second.finish().mosaic).values
        #expect(isPlain)
        #expect(report.superResolvedFraction == nil)
    }

    /// A bright square that crosses the scene during camera shake leaves no ghost.
    @Test func movingThingsLeaveNoGhosts() throws {
        let burst = SyntheticBurst(384, 256)
        let hills = burst.scene
        let frames = Self.shake.enumerated().map { index, shift -> [UInt16] in
            var frame = burst
            let left = 60.0 + 35 * Double(index)
            frame.scene = { x, y in (left..<left + 40).contains(x) && (100..<140).contains(y) ? 0.95 : hills(x, y) }
            return frame.frame(right: shift.right, down: shift.down, seed: UInt64(index + 1))
        }
        let truth = { (x: Double, y: Double) in
            (60..<100).contains(x) && (100..<140).contains(y) ? 0.95 : hills(x, y)
        }
        let plain = try Demosaic.linear(fusion(burst, [frames[0]]).finish().mosaic)
        let photo = try fusion(burst, frames).finishLinearPhoto(.one).photo
        for color in 0..<3 {
            // The areas that the square has not reached yet or has left.
            let before = error(plain, color, rows: 104..<136, columns: 104..<350, truth)
            let after = error(photo, color, rows: 104..<136, columns: 104..<350, truth)
            #expect(after < before, "\(before / after)")
        }
    }

    /// Clipped areas are neutral in the camera's colours, without false colour at their edges.
    @Test func clippedAreasStayNeutral() throws {
        var colors = Array(repeating: SyntheticBurst(320, 256), count: 3)
        let lamp = { (x: Double, y: Double) in (x - 160) * (x - 160) + (y - 128) * (y - 128) < 1600 ? 3.0 : 0 }
        for (color, sensitivity) in [0.5, 1, 0.625].enumerated() {
            colors[color].metadata.neutral = [0.5, 1, 0.625]
            colors[color].scene = { x, y in sensitivity * (0.5 * SyntheticBurst.hills(x, y) + lamp(x, y)) }
        }
        let frames = shaken(colors)
        let plain = try Demosaic.linear(fusion(colors[0], frames).finish().mosaic)
        let photo = try fusion(colors[0], frames).finishLinearPhoto(.one).photo
        for row in stride(from: 110, to: 146, by: 5) {
            for column in stride(from: 142, to: 178, by: 5) {
                for color in 0..<3 {
                    let index = row * photo.format.stride + 4 * column + color
                    #expect(abs(Int(photo.values[index]) - Int(plain.values[index])) < 400)
                }
            }
        }
        // The lamp's edges have no more false colour than in the demosaic of the merged mosaic.
        #expect(cast(photo) < cast(plain))
    }

    /// Returns the false colour around the centre of a photo of a grey scene: the summed differences of red and green,
    /// in linear values clipped at 1.
    private func cast(_ photo: LinearImage) -> Double {
        var sum = 0.0
        for row in 80..<176 {
            for column in 112..<208 {
                let index = row * photo.format.stride + 4 * column
                let red = min(Double(photo.values[index]) / 65_535 / 0.5, 1)
                sum += abs(red - min(Double(photo.values[index + 1]) / 65_535, 1))
            }
        }
        return sum
    }

    @Test(arguments: [(2, 2), (3, 2), (5, 7), (17, 3), (37, 35), (129, 131), (257, 33)], SuperResolutionScale.allCases)
    func anySizeWorks(_ size: (Int, Int), _ scale: SuperResolutionScale) throws {
        let burst = SyntheticBurst(size.0, size.1, stride: size.0 + 3)
        let frames = Self.shake.prefix(4).enumerated().map { index, shift in
            burst.frame(right: shift.right, down: shift.down, seed: UInt64(index + 1))
        }
        let photo = try fusion(burst, frames).finishLinearPhoto(scale).photo
        let factor = scale == .one ? 2 : scale == .two ? 4 : 3
        #expect(photo.format == LinearFormat(width: size.0 * factor / 2, height: size.1 * factor / 2))
        for row in 0..<photo.format.height {
            for column in 0..<photo.format.width {
                let (x, y) = (2 * column / factor, 2 * row / factor)
                let expected = burst.scene(Double(x), Double(y)) * 65_535
                let value = Double(photo.values[row * photo.format.stride + 4 * column + 1])
                #expect(abs(value - expected) < 12_000)
            }
        }
    }

    @Test func aMosaicWithoutEveryColorIsAnError() throws {
        let burst = SyntheticBurst(1, 9)
        let fusion = try fusion(burst, [burst.frame(seed: 1)])
        #expect(throws: FusionError.self) { try fusion.finishLinearPhoto(.one) }
    }

    @Test(arguments: SuperResolutionScale.allCases)
    func theNumberOfCoresMakesNoDifference(_ scale: SuperResolutionScale) throws {
        let burst = SyntheticBurst(601, 303)
        let frames = shaken([burst, burst, burst])
        let one = try fusion(burst, frames, cores: 1).finishLinearPhoto(scale)
        let all = try fusion(burst, frames).finishLinearPhoto(scale)
        #expect(one.photo.values == all.photo.values)
        #expect(one.report.superResolvedFraction == all.report.superResolvedFraction)
    }

    @Test func framesOfAnotherExposureHelp() throws {
        let burst = SyntheticBurst(320, 256)
        let fusion = try fusion(burst, [burst.frame(seed: 1)])
        for (index, shift) in Self.shake.enumerated().dropFirst() {
            let exposure = index % 2 == 0 ? 1.5 : 0.7
            var metadata = burst.metadata
            metadata.exposureTime *= exposure
            let frame = burst.frame(right: shift.right, down: shift.down, exposure: exposure, seed: UInt64(index + 1))
            try fusion.add(frame.span, format: burst.format, metadata: metadata)
        }
        let plain = try Demosaic.linear(self.fusion(burst, [burst.frame(seed: 1)]).finish().mosaic)
        let photo = try fusion.finishLinearPhoto(.one).photo
        for color in 0..<3 { #expect(error(photo, color, burst.scene) < error(plain, color, burst.scene) / 3) }
    }

    @Test func cancelling() throws {
        let isCancelled = Atomic(false)
        let burst = SyntheticBurst(128, 96)
        try withExtendedLifetime(isCancelled) {
            let fusion = try fusion(burst, shaken([burst, burst, burst])) { isCancelled.load(ordering: .relaxed) }
            isCancelled.store(true, ordering: .relaxed)
            let failure = #expect(throws: FusionError.self) { try fusion.finishLinearPhoto(.one) }
            #expect(failure?.code == .cancelled)
        }
    }

    @Test(arguments: [[], [NoiseProfile(shot: .nan, read: 1)], [NoiseProfile(shot: 0, read: 0)]])
    func invalidNoiseProfiles(_ noise: [NoiseProfile]) throws {
        var burst = SyntheticBurst(160, 128)
        let frames = shaken([burst, burst, burst])
        burst.metadata.noise = noise
        let photo = try fusion(burst, frames).finishLinearPhoto(.one).photo
        #expect(error(photo, 1, burst.scene).squareRoot() < 0.05)
    }
}
