internal import Glibc
package import RawImage

/// A burst of small lights in the dark, with defective pixels of the sensor, whose noise-free frames are known.
package struct NightBurst {
    /// A point of light, spread by the lens.
    package struct Light {
        package let x: Float
        package let y: Float
        /// The signals at its centre: red, green and blue.
        package let peak: SIMD3<Float>
        /// The standard deviation of the spread in pixels.
        package let spread: Float
    }

    /// A pixel whose signal is wrong by the same amount in every frame.
    package struct Defect {
        package let position: Int
        package let excess: Float
    }

    package let seed: Int
    package let width: Int
    package let height: Int
    package let iso: Double
    package let lights: [Light]
    package var defects: [Defect] = []
    /// The shift to the right and down in pixels, and the rotation, of each frame.
    package let views: [RandomBurst.View]
    /// The signal of the sky in green.
    private let sky: Float

    /// Creates a burst of frames from a tripod, or with hand shake of up to `reach` pixels, of lights whose peaks in
    /// green lie in a range of standard deviations of the sky's noise.
    package init(
        seed: Int, width: Int = 512, height: Int = 384, iso: Double, frames: Int, reach: Float,
        lights count: Int, peaks: ClosedRange<Float>
    ) {
        var random = Random(UInt64(seed) &* 7_919 &+ 13)
        (self.seed, self.width, self.height, self.iso) = (seed, width, height, iso)
        let sky = random.uniform(0.004, 0.02)
        self.sky = sky
        let deviation = Self.deviation(sky, iso)
        // One light in each of the cells that are chosen, so that no two lights overlap.
        let (columns, rows) = (width / 20, height / 20)
        var cells = Array(0..<columns * rows)
        for index in cells.indices { cells.swapAt(index, random.whole(index...cells.count - 1)) }
        lights = cells.prefix(count).map { cell in
            let tint = SIMD3(random.uniform(0.6, 1.4), 1, random.uniform(0.6, 1.4))
            let size = expf(random.uniform(logf(peaks.lowerBound), logf(peaks.upperBound))) * deviation
            return Light(
                x: Float(20 * (cell % columns)) + random.uniform(7, 13),
                y: Float(20 * (cell / columns)) + random.uniform(7, 13),
                peak: TestScene.neutral * tint * size, spread: random.uniform(0.5, 0.8))
        }
        views = (0..<frames).map { index in
            let (reach, turn): (Float, Float) = index == 0 ? (0, 0) : (reach, reach > 0 ? 0.0017 : 0)
            return RandomBurst.View(
                right: random.uniform(-reach, reach), down: random.uniform(-reach, reach),
                turn: random.uniform(-turn, turn))
        }
    }

    package var format: MosaicFormat { MosaicFormat(width: width, height: height, pattern: .rggb, bitDepth: 12) }

    package var metadata: FrameMetadata {
        var metadata = FrameMetadata(bitDepth: 12)
        metadata.blackLevel = Array(repeating: Double(Self.black), count: 4)
        metadata.noise = Array(repeating: Self.noise(iso), count: 3)
        metadata.neutral = SIMD3<Double>(TestScene.neutral)
        (metadata.exposureTime, metadata.iso) = (0.1, iso)
        return metadata
    }

    private static var black: Float { 528 }

    private static func noise(_ iso: Double) -> NoiseProfile {
        let shot = iso / 100 / 8000
        return NoiseProfile(shot: shot, read: 6.25 * shot * shot)
    }

    /// Returns the standard deviation of the noise at a signal.
    private static func deviation(_ signal: Float, _ iso: Double) -> Float {
        Float(noise(iso).variance(at: Double(signal)).squareRoot())
    }

    /// Adds bright defective pixels, apart from each other, from the edges and from the lights of the reference, whose
    /// excesses lie in a range of standard deviations of the sky's noise.
    package mutating func addDefects(_ count: Int, deviations: ClosedRange<Float>) {
        var random = Random(UInt64(seed) &* 104_729 &+ 5)
        let (columns, rows) = (width / 20 - 2, height / 20 - 2)
        var cells = Array(0..<columns * rows)
        for index in cells.indices { cells.swapAt(index, random.whole(index...cells.count - 1)) }
        for cell in cells.prefix(count) {
            // The lights of the reference lie in the middle of their cells, and defects at the cells' corners.
            let column = 20 * (cell % columns + 1) + random.whole(0...1)
            let row = 20 * (cell / columns + 1) + random.whole(0...1)
            let size = expf(random.uniform(logf(deviations.lowerBound), logf(deviations.upperBound)))
            let plane = BayerPattern.rggb.plane(row: row, column: column)
            defects.append(
                Defect(
                    position: row * width + column,
                    excess: size * Self.deviation(sky * TestScene.neutral[plane], iso)))
        }
    }

    /// Returns the noise-free signals of a frame without defects.
    package func signals(_ index: Int) -> [Float] {
        var picture = [Float](repeating: 0, count: width * height)
        let view = views[index]
        for row in 0..<height {
            for column in 0..<width {
                let plane = BayerPattern.rggb.plane(row: row, column: column)
                picture[row * width + column] = sky * TestScene.neutral[plane] * (1 + 0.5 * Float(row) / Float(height))
            }
        }
        for light in lights { add(light, view, to: &picture) }
        return picture
    }

    private func add(_ light: Light, _ view: RandomBurst.View, to picture: inout [Float]) {
        let (right, down) = (light.x - Float(width) / 2, light.y - Float(height) / 2)
        let (x, y) = (light.x - view.right + view.turn * down, light.y - view.down - view.turn * right)
        for row in Int(y) - 4...Int(y) + 5 where 0..<height ~= row {
            for column in Int(x) - 4...Int(x) + 5 where 0..<width ~= column {
                let away = SIMD2(Float(column) - x, Float(row) - y)
                let share = expf(-(away * away).sum() / (2 * light.spread * light.spread))
                picture[row * width + column] += share * light.peak[BayerPattern.rggb.plane(row: row, column: column)]
            }
        }
    }

    /// Returns the codes of a frame, with noise and defects.
    package func codes(_ index: Int) -> [UInt16] {
        var random = Random(UInt64(seed) &* 1_000_003 &+ UInt64(index))
        var signals = signals(index)
        for defect in defects { signals[defect.position] += defect.excess }
        return signals.map { signal in
            let signal = max(signal, 0)
            let noisy = signal + Self.deviation(signal, iso) * random.quickNormal()
            return UInt16(min(max((noisy * (4095 - Self.black) + Self.black).rounded(), 0), 4095))
        }
    }

    /// Returns the light of each point in a picture of codes as a fraction of the true one, fitted with the true shape
    /// over 7×7 pixels.
    package func fluxes(_ codes: [Float]) -> [Float] {
        lights.map { light in
            let (column, row) = (Int(light.x.rounded()), Int(light.y.rounded()))
            var (products, squares) = (Float(0), Float(0))
            for down in -3...3 {
                for right in -3...3 {
                    let (y, x) = (row + down, column + right)
                    let plane = BayerPattern.rggb.plane(row: y, column: x)
                    let away = SIMD2(Float(x) - light.x, Float(y) - light.y)
                    let shape =
                        light.peak[plane] * expf(-(away * away).sum() / (2 * light.spread * light.spread))
                    let ground = sky * TestScene.neutral[plane] * (1 + 0.5 * Float(y) / Float(height))
                    products += ((codes[y * width + x] - Self.black) / (4095 - Self.black) - ground) * shape
                    squares += shape * shape
                }
            }
            return products / squares
        }
    }

    /// Returns the number of defects whose pixel is wrong by less than half of their excess in a picture of codes.
    package func repairedCount(_ codes: [Float]) -> Int {
        let truth = signals(0)
        return defects.count { defect in
            let signal = (codes[defect.position] - Self.black) / (4095 - Self.black)
            return signal - truth[defect.position] < defect.excess / 2
        }
    }
}
