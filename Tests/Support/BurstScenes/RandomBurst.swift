internal import Foundation
package import RawImage

/// A burst whose properties are chosen at random from a seed, and its truth: the noise-free frames.
package struct RandomBurst: CustomStringConvertible {
    /// A fault that makes a frame useless for fusion.
    package enum Fault: CaseIterable {
        case blurred, black, otherScene
    }

    /// The geometry of a frame: pixel (x, y) shows a shifted, rotated and sheared position of the scene.
    package struct View {
        package var right: Float
        package var down: Float
        package var turn: Float
        /// The horizontal shift in pixels per row, as a rolling shutter causes.
        package var shear: Float

        package init(right: Float = 0, down: Float = 0, turn: Float = 0, shear: Float = 0) {
            (self.right, self.down, self.turn, self.shear) = (right, down, turn, shear)
        }
    }

    package let seed: Int
    package var scene: TestScene
    package var width: Int
    package var height: Int
    package var pattern: BayerPattern
    package var bitDepth: Int
    package var iso: Double
    /// The signal of the scene's white in green; 1 is the sensor's white level.
    package var level: Float
    package var lens: Float
    package var views: [View]
    package var faults: [Fault?]
    /// The factor by which each frame is brighter than its metadata specifies.
    package var flicker: [Float]
    /// The exposure of each frame relative to 1, as its metadata specifies.
    package var exposures: [Float]
    package var objects: [MovingDisc]
    /// The number of bright dots added to each frame, at other positions in every frame.
    package var glints: Int
    /// The index of the frame requested as reference; nil to let the fusion choose.
    package var reference: Int?

    package var format: MosaicFormat {
        MosaicFormat(width: width, height: height, pattern: pattern, bitDepth: bitDepth)
    }

    /// Returns the metadata of the frame with this index.
    package func metadata(_ index: Int) -> FrameMetadata {
        var metadata = metadata
        metadata.exposureTime *= Double(exposures[index])
        return metadata
    }

    /// The metadata of a frame of relative exposure 1.
    package var metadata: FrameMetadata {
        var metadata = FrameMetadata(bitDepth: bitDepth)
        metadata.blackLevel = Array(repeating: Double(1 << (bitDepth - 4)), count: 4)
        let shot = iso / 100 / 8000
        metadata.noise = Array(repeating: NoiseProfile(shot: shot, read: 6.25 * shot * shot), count: 3)
        metadata.exposureTime = 0.01
        metadata.iso = iso
        return metadata
    }

    package var description: String {
        let wrong = faults.indices.compactMap { index in faults[index].map { "\(index) \($0)" } }
        return """
            seed \(seed): \(scene), \(width)×\(height) \(pattern) \(bitDepth) bits, ISO \(Int(iso)), \
            white at \(level), lens \(lens), \(views.count) frames, \
            shift \(views.map { max(abs($0.right), abs($0.down)) }.max() ?? 0), \
            turn \(views.map { abs($0.turn) }.max() ?? 0), shear \(views.map { abs($0.shear) }.max() ?? 0), \
            \(objects.count) objects \(objects.map(\.velocity)), \(glints) glints, \
            flicker \(flicker.max().map { $0 > 1 } == true), exposures \(exposures), wrong \(wrong), \
            reference \(reference.map(String.init) ?? "any")
            """
    }
}

// MARK: - By chance

extension RandomBurst {
    /// Creates the burst of a seed: equal seeds give equal bursts.
    package init(seed: Int) {
        var random = Random(UInt64(seed) &* 0x9E37_79B9 &+ 77)
        let count = random.whole(2...10)
        self.seed = seed
        scene = TestScene.allCases[seed % TestScene.allCases.count]
        (width, height) = (random.whole(256...400), random.whole(192...300))
        pattern = BayerPattern.allCases[random.whole(0...3)]
        bitDepth = random.whole(10...14)
        iso = [100, 200, 400, 800, 1600, 3200, 6400][random.whole(0...6)]
        level = random.percent(25) ? random.uniform(1.2, 3) : random.uniform(0.1, 1)
        lens = random.uniform(0.1, 0.25)
        views = Self.handHeld(count, &random)
        faults = (0..<count).map { index in
            index > 0 && random.percent(10) ? Fault.allCases[random.whole(0...2)] : nil
        }
        let flickers = random.percent(25)
        flicker = (0..<count).map { _ in flickers ? random.uniform(0.9, 1.1) : 1 }
        let size = SIMD2(Float(width), Float(height))
        objects = (0..<(random.percent(50) ? random.whole(1...3) : 0)).map { _ in MovingDisc(in: size, &random) }
        glints = random.percent(20) ? random.whole(1...30) : 0
        reference = random.percent(50) ? 0 : nil
        let differs = random.percent(25)
        exposures = (0..<count).map { _ in differs ? exp2f(random.uniform(-0.5, 0.5)) : 1 }
    }

    /// Returns the views of hand-held frames: frame 0 is unmoved, the others are shifted, rotated and sheared at random
    /// within limits that differ between bursts.
    private static func handHeld(_ count: Int, _ random: inout Random) -> [View] {
        let reach: Float = [0, 1, 4, 20][random.whole(0...3)]
        let turn: Float = random.percent(50) ? random.uniform(0, 0.006) : 0
        let shear: Float = random.percent(25) ? random.uniform(0, 0.01) : 0
        return (0..<count).map { index in
            guard index > 0 else { return View() }
            return View(
                right: random.uniform(-reach, reach), down: random.uniform(-reach, reach),
                turn: random.uniform(-turn, turn), shear: random.uniform(-shear, shear))
        }
    }
}

// MARK: - Frames

extension RandomBurst {
    /// Returns the noise-free, unclipped signals of all frames, each pixel by pixel: in the colour that the pixel
    /// samples, or in `color` at all pixels.
    package func signals(color: Int? = nil) -> [[Float]] {
        var random = Random(UInt64(seed) &+ 1 << 32)
        let canvas = scene.canvas(width, height, lens: lens, level: level, &random)
        let others = TestScene.allCases
        let other = others[(seed + 1) % others.count].canvas(width, height, lens: lens, level: level, &random)
        return views.indices.map { index in
            var picture =
                faults[index] == .black ? black : frame(index, of: faults[index] == .otherScene ? other : canvas, color)
            if faults[index] == nil {
                for object in objects { draw(object, textured: other, index, color, over: &picture) }
                for _ in 0..<glints { addGlint(to: &picture, &random) }
            }
            return picture.map { $0 * flicker[index] * exposures[index] }
        }
    }

    /// Converts signals to codes, with noise as the noise profile describes.
    package func codes(_ signals: [Float], noise seed: UInt64) -> [UInt16] {
        var random = Random(seed &* 1_000_003 &+ UInt64(self.seed))
        let metadata = metadata
        let (black, white) = (Float(metadata.blackLevel[0]), Float(metadata.whiteLevel))
        let (shot, read) = (Float(metadata.noise[0].shot), Float(metadata.noise[0].read))
        return signals.map { signal in
            let noisy = signal + (shot * signal + read).squareRoot() * random.quickNormal()
            return UInt16(min(max((noisy * (white - black) + black).rounded(), 0), white))
        }
    }

    private var black: [Float] { [Float](repeating: 0, count: width * height) }

    /// Renders a frame of the canvas without moving objects; a frame with the fault `blurred` is the mean along a path.
    private func frame(_ index: Int, of canvas: Canvas, _ color: Int?) -> [Float] {
        let steps = faults[index] == .blurred ? 7 : 1
        var picture = black
        for step in 0..<steps {
            var view = views[index]
            view.right += 1.7 * Float(step - steps / 2)
            view.down += 0.8 * Float(step - steps / 2)
            for row in 0..<height {
                for column in 0..<width {
                    let position = look(column, row, view)
                    let light = canvas.light(position.x, position.y)[color ?? pattern.plane(row: row, column: column)]
                    picture[row * width + column] += max(light, 0) / Float(steps)
                }
            }
        }
        return picture
    }

    /// Returns the position in the scene, in pixels, that a pixel of a frame shows.
    private func look(_ column: Int, _ row: Int, _ view: View) -> SIMD2<Float> {
        let (x, y) = (Float(column) - Float(width) / 2, Float(row) - Float(height) / 2)
        return SIMD2(
            Float(column) + view.right - view.turn * y + view.shear * y, Float(row) + view.down + view.turn * x)
    }

    private func draw(
        _ object: MovingDisc, textured canvas: Canvas, _ index: Int, _ color: Int?, over picture: inout [Float]
    ) {
        let centre = object.centre + object.velocity * Float(index)
        for row in 0..<height {
            for column in 0..<width {
                let inside = look(column, row, views[index]) - centre
                let distance = (inside * inside).sum().squareRoot()
                let cover = min(max(object.radius - distance, 0), 1)
                guard cover > 0 else { continue }
                let own = inside + object.centre
                let seen = canvas.light(own.x, own.y)
                let light = max(seen[color ?? pattern.plane(row: row, column: column)], 0)
                picture[row * width + column] += cover * (light * object.brightness - picture[row * width + column])
            }
        }
    }

    private func addGlint(to picture: inout [Float], _ random: inout Random) {
        let (x, y) = (random.whole(0...width - 1), random.whole(0...height - 1))
        let (radius, light) = (random.whole(1...4), random.uniform(0.3, 4))
        for row in max(0, y - radius)...min(height - 1, y + radius) {
            for column in max(0, x - radius)...min(width - 1, x + radius)
            where (row - y) * (row - y) + (column - x) * (column - x) <= radius * radius {
                picture[row * width + column] += light
            }
        }
    }
}

/// A textured disc that moves across the scene.
package struct MovingDisc {
    package var centre: SIMD2<Float>
    package var radius: Float
    /// The velocity in pixels per frame.
    package var velocity: SIMD2<Float>
    package var brightness: Float

    package init(in size: SIMD2<Float>, _ random: inout Random) {
        centre = size * SIMD2(random.uniform(0, 1), random.uniform(0, 1))
        radius = random.uniform(4, 50)
        let speed: Float = [0.3, 2, 10, 40][random.whole(0...3)]
        velocity = SIMD2(random.uniform(-speed, speed), random.uniform(-speed, speed))
        brightness = random.uniform(0.3, 1.5)
    }
}

extension Random {
    /// Returns an approximately normal number of mean 0 and standard deviation 1: the sum of four random 16-bit
    /// numbers.
    package mutating func quickNormal() -> Float {
        let bits = next()
        let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + bits >> 48
        return (Float(sum) - 131_070) / 37_837.2
    }
}
