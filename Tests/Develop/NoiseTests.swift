import Demosaic
import Develop
import Glibc
import RawImage
import SimulatedSensor
import Testing

/// Tests that noise reduction removes noise and preserves the scene.
@Suite struct NoiseTests {
    @Test(arguments: [(800.0, 2.5, 3.5), (6400, 4, 6)]) func noisyPicturesComeNearerToTheTruth(
        _ iso: Double, _ brightnessGain: Double, _ colorGain: Double
    ) throws {
        let truth = try SensorPictures.picture(SensorPictures.frame(iso: iso) { $0.truth = true })
        let frame = try SensorPictures.frame(iso: iso) { _ in }
        let noisy = try SensorPictures.picture(frame).likeness(truth)
        let smoothed = try SensorPictures.picture(frame, isSmoothed: true).likeness(truth)
        #expect(smoothed.brightness > noisy.brightness + brightnessGain)
        #expect(smoothed.color > noisy.color + colorGain)
    }

    @Test func aCleanFrameIsLeftAlone() throws {
        var frame = try SensorPictures.frame { $0.truth = true }
        frame.metadata.noise = [NoiseProfile(shot: 1e-7, read: 1e-10)]
        let plain = try SensorPictures.picture(frame)
        let isSame = try plain.isSame(as: SensorPictures.picture(frame, isSmoothed: true))
        #expect(isSame)
    }

    /// Detail stronger than the noise profile predicts is preserved.
    @Test func detailStays() throws {
        var frame = try SensorPictures.frame { $0.truth = true }
        frame.metadata.noise = [NoiseProfile(shot: 4e-4, read: 1e-6)]
        let plain = try SensorPictures.picture(frame)
        let smoothed = try SensorPictures.picture(frame, isSmoothed: true)
        let likeness = smoothed.likeness(plain)
        #expect(likeness.brightness > 42 && likeness.color > 44)
        let isSame = plain.isSame(as: smoothed)
        #expect(!isSame)
    }

    /// A profile that states more than twice the noise is replaced, and the renderer says so.
    @Test func aWrongProfileIsReplaced() throws {
        var random = LinearCongruentialGenerator()
        var metadata = TestCamera.metadata
        metadata.noise = [NoiseProfile(shot: 0.003, read: 5e-5)]
        let scene = try TestCamera.mosaic(1024, 1024, metadata: metadata) { row, _ in
            SIMD3(repeating: 0.1 + 0.0002 * Double(row))
        }
        var frame = try withNoise(scene, &random)
        let right = try Renderer(mosaic: frame, recipe: .plain)
        #expect(right.warnings.isEmpty)
        frame.metadata.noise = [NoiseProfile(shot: 0.009, read: 1.5e-4)]
        let warnings = try Renderer(mosaic: frame, recipe: .plain).warnings
        #expect(warnings.contains { $0.contains("times less noise variance") }, "\(warnings)")
        // Less noise than stated can be seen in one picture, more noise cannot: it may be texture.
        frame.metadata.noise = [NoiseProfile(shot: 0.001, read: 1.7e-5)]
        #expect(try Renderer(mosaic: frame, recipe: .plain).warnings.isEmpty)
    }

    /// In a flat area the mean brightness and colour are unchanged and no low-frequency noise remains.
    @Test func flatPlacesStayFlat() throws {
        var random = LinearCongruentialGenerator()
        var metadata = TestCamera.metadata
        metadata.noise = [NoiseProfile(shot: 0.003, read: 5e-5)]
        let side = 256
        var frame = try TestCamera.mosaic(side, side, metadata: metadata) { _, _ in SIMD3(0.2, 0.15, 0.1) }
        let clean = try SensorPictures.picture(frame).color(100, 100)
        frame = try withNoise(frame, &random)
        let noisy = Blocks(try SensorPictures.picture(frame), 8)
        let smoothed = Blocks(try SensorPictures.picture(frame, isSmoothed: true), 8)
        for plane in 0..<3 {
            #expect(abs(linear(smoothed.mean * 255)[plane] / linear(clean * 255)[plane] - 1) < 0.03)
            #expect(smoothed.deviation[plane] < noisy.deviation[plane] * 0.5)
        }
    }

    /// Single pixels whose noise is far above the usual do not stay as dots, while a small light does.
    @Test func aFlatAreaHasNoDots() throws {
        var random = LinearCongruentialGenerator()
        var metadata = TestCamera.metadata
        metadata.noise = [NoiseProfile(shot: 0.003, read: 5e-5)]
        let side = 512
        let scene = try TestCamera.mosaic(side, side, metadata: metadata) { row, column in
            let (down, across) = (Double(row % 64 - 32), Double(column % 64 - 32))
            return SIMD3(repeating: 0.15 + 0.85 * exp(-(down * down + across * across) / 2))
        }
        let picture = try SensorPictures.picture(withNoise(scene, &random), isSmoothed: true)
        var (dots, lights) = (0, 0)
        let mean = display(0.15)
        for row in 8..<side - 8 {
            for column in 8..<side - 8 {
                let difference = picture.color(row, column)[1] * 255 - mean
                let isBesideLight = abs(row % 64 - 32) < 8 && abs(column % 64 - 32) < 8
                if !isBesideLight, abs(difference) > 8 { dots += 1 }
                if row % 64 == 32, column % 64 == 32, difference > 60 { lights += 1 }
            }
        }
        #expect(dots < 50, "\(dots)")
        #expect(lights == 64)
    }

    /// Shading correction amplifies noise, and noise reduction takes that into account.
    @Test func noiseAmplifiedByShadingCorrectionIsRemoved() throws {
        var random = LinearCongruentialGenerator()
        var metadata = TestCamera.metadata
        metadata.noise = [NoiseProfile(shot: 0.003, read: 5e-5)]
        metadata.lens.shading = [
            try ShadingMap(
                area: PixelGrid(top: 0, left: 0, bottom: 256, right: 256), rows: 1, columns: 2,
                spacing: .init(down: 1, across: 1), origin: .init(down: 0, across: 0), gains: [1, 5])
        ]
        let scene = try TestCamera.mosaic(256, 256, metadata: metadata) { _, column in
            SIMD3(repeating: 0.3 / (1 + (Double(column) + 0.5) / 64))
        }
        let frame = try withNoise(scene, &random)
        let crop = PixelRectangle(left: 160, top: 0, width: 96, height: 256)
        let before = Blocks(try SensorPictures.picture(frame, crop: crop), 1)
        let after = Blocks(try SensorPictures.picture(frame, isSmoothed: true, crop: crop), 1)
        for plane in 0..<3 { #expect(after.deviation[plane] < before.deviation[plane] * 0.4) }
    }

    /// The fusion with a tele camera enlarges the photo and its noise. Values of a file that are no enlargement count
    /// as none.
    @Test func theNoiseOfAnEnlargedPhotoIsRemoved() throws {
        var random = LinearCongruentialGenerator()
        var metadata = TestCamera.metadata
        metadata.noise = [NoiseProfile(shot: 0.003, read: 5e-5)]
        let frame = try TestCamera.mosaic(384, 384, metadata: metadata) { _, _ in SIMD3(repeating: 0.2) }
        let photo = try Demosaic.linear(withNoise(frame, &random)).twiceAsLarge()
        func deviation(_ enlargement: Double?, ofBlocks side: Int = 1) throws -> SIMD3<Double> {
            var photo = photo
            photo.metadata.fusion = FusionReport()
            photo.metadata.fusion?.teleEnlargement = enlargement
            let picture = try Renderer(linear: photo, recipe: Recipe()).picture(Renderer.Output())
            return Blocks(picture, side).deviation
        }
        let (without, with) = (try deviation(nil), try deviation(2))
        for plane in 0..<3 { #expect(with[plane] < without[plane] * 0.7, "\(with), \(without)") }
        for value in [Double.nan, 0, -1, .infinity] { #expect(try deviation(value) == without, "\(value)") }
        #expect(try deviation(100) == with)
        // Also the noise that the enlargement made twice as coarse.
        let (blotches, kept) = (try deviation(2, ofBlocks: 16), try deviation(nil, ofBlocks: 16))
        for plane in 0..<3 { #expect(blotches[plane] < kept[plane] * 0.6, "\(blotches), \(kept)") }
    }

    /// Returns a frame with the noise added that its noise profile describes.
    private func withNoise(_ frame: Mosaic, _ random: inout LinearCongruentialGenerator) throws -> Mosaic {
        let metadata = frame.metadata
        var codes = frame.codes
        for place in codes.indices {
            let black = metadata.blackLevel[2 * (place / frame.format.width & 1) + place & 1]
            let range = metadata.whiteLevel - black
            let light = (Double(codes[place]) - black) / range
            let deviation = metadata.noise[0].variance(at: light).squareRoot() * range
            codes[place] = UInt16(max(0, Double(codes[place]) + random.normal() * deviation))
        }
        return try Mosaic(format: frame.format, metadata: metadata, codes: codes)
    }

    @Test func coresAndBandsChangeNothing() throws {
        var metadata = TestCamera.metadata
        metadata.noise = [NoiseProfile(shot: 0.002, read: 1e-5)]
        let mosaic = try TestCamera.mosaic(61, 1300, .bggr, metadata: metadata) { row, column in
            SIMD3(Double(row % 90) / 90, Double(column * row % 7) / 7, 0.3)
        }
        var enlarged = try Demosaic.linear(mosaic)
        enlarged.metadata.fusion = FusionReport()
        enlarged.metadata.fusion?.teleEnlargement = 2
        try checkBands(Renderer(mosaic: mosaic, recipe: Recipe()))
        try checkBands(Renderer(linear: enlarged, recipe: Recipe()))
    }

    private func checkBands(_ renderer: Renderer) throws {
        for size in [nil, Renderer.Output.Size(width: 40, height: 621)] {
            let (one, all) = (
                try renderer.picture(.init(size: size), cores: 1), try renderer.picture(.init(size: size))
            )
            #expect(one.isSame(as: all))
            // Rows in the middle of a band of rows (a part rendered at once) do not depend on where the bands begin.
            let part = PixelRectangle(left: 0, top: 256, width: 61, height: 1044)
            guard size == nil else { continue }
            let rest = try renderer.picture(.init(crop: part), cores: 1)
            let isSame = rest.bytes[(3 * 61 * 64)...] == one.bytes[(3 * 61 * 320)...]
            #expect(isSame)
        }
    }

    @Test(arguments: [(2, 2), (3, 5), (9, 8), (17, 31), (1025, 9), (8, 70)]) func everySize(_ size: (Int, Int)) throws {
        var metadata = TestCamera.metadata
        metadata.noise = [NoiseProfile(shot: 0.002, read: 1e-5)]
        let mosaic = try TestCamera.mosaic(size.0, size.1, .gbrg, metadata: metadata) { _, _ in SIMD3(repeating: 0.35) }
        let picture = try SensorPictures.picture(mosaic, isSmoothed: true)
        let isFlat = picture.bytes.allSatisfy { abs(Double($0) - display(0.35)) <= 1 }
        #expect(isFlat)
    }

    /// A photo without a noise profile is denoised by an estimate, as well as with the camera's profile.
    @Test(arguments: [800.0, 6400]) func unknownNoiseIsEstimated(_ iso: Double) throws {
        var mosaic = try SensorPictures.frame(iso: iso) { _ in }
        let clean = try SensorPictures.picture(SensorPictures.frame(iso: iso) { $0.noise = false })
        let known = try SensorPictures.picture(mosaic, isSmoothed: true)
        mosaic.metadata.noise = []
        let renderer = try Renderer(mosaic: mosaic, recipe: .plain)
        #expect(renderer.metadata.isNoiseEstimated && renderer.metadata.noise.count == 3)
        #expect(renderer.warnings.contains { $0.contains("estimate") })
        let found = try SensorPictures.picture(mosaic, isSmoothed: true)
        func error(_ picture: Picture) -> Double {
            zip(picture.bytes, clean.bytes).reduce(0) { sum, pair in
                let difference = Double(pair.0) - Double(pair.1)
                return sum + difference * difference
            }
        }
        #expect(error(found) < 1.1 * error(known), "\(error(found) / error(known))")
    }

    /// Noise reduction with an invalid noise profile neither traps nor turns the picture black.
    @Test(arguments: [1.0, 1e-300, 1e30, .infinity, .nan, -1]) func invalidNoiseProfiles(_ shot: Double) throws {
        var metadata = TestCamera.metadata
        metadata.noise = [
            NoiseProfile(shot: shot, read: shot), NoiseProfile(shot: 1, read: 0), NoiseProfile(shot: 0, read: 1),
        ]
        let mosaic = try TestCamera.mosaic(40, 40, metadata: metadata) { _, _ in SIMD3(repeating: 0.35) }
        let picture = try SensorPictures.picture(mosaic, isSmoothed: true)
        let isFlat = picture.bytes.allSatisfy { abs(Double($0) - display(0.35)) <= 1 }
        #expect(isFlat)
    }
}

/// A linear congruential generator, for reproducible random numbers.
private struct LinearCongruentialGenerator {
    private var state: UInt64 = 1

    /// Returns a uniformly distributed number in 0...1.
    mutating func unit() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (Double(state >> 11) + 0.5) / 0x1p53
    }

    /// Returns a normally distributed number (Box-Muller).
    mutating func normal() -> Double { (-2 * log(unit())).squareRoot() * cos(2 * .pi * unit()) }
}

/// Statistics over the mean colours of square blocks of a picture.
private struct Blocks {
    let mean: SIMD3<Double>
    /// The standard deviation of the blocks' mean colours.
    let deviation: SIMD3<Double>

    init(_ picture: Picture, _ side: Int) {
        var means: [SIMD3<Double>] = []
        for top in stride(from: 16, to: picture.height - 16 - side, by: side) {
            for left in stride(from: 16, to: picture.width - 16 - side, by: side) {
                var sum = SIMD3<Double>()
                for row in top..<top + side { for column in left..<left + side { sum += picture.color(row, column) } }
                means.append(sum / Double(side * side))
            }
        }
        let count = Double(means.count)
        let mean = means.reduce(SIMD3<Double>(), +) / count
        self.mean = mean
        deviation = (means.reduce(SIMD3<Double>()) { $0 + ($1 - mean) * ($1 - mean) } / count).squareRoot()
    }
}

extension LinearImage {
    /// Returns the photo with each pixel interpolated between two by two.
    fileprivate func twiceAsLarge() throws -> LinearImage {
        let large = LinearFormat(width: 2 * format.width, height: 2 * format.height)
        var values = [UInt16](repeating: .max, count: large.valueCount)
        for row in 0..<large.height {
            for column in 0..<large.width {
                for color in 0..<3 {
                    var sum = 0.0
                    for (y, down) in [(row / 2, 0.75), (row / 2 + (row % 2 == 0 ? -1 : 1), 0.25)] {
                        for (x, across) in [(column / 2, 0.75), (column / 2 + (column % 2 == 0 ? -1 : 1), 0.25)] {
                            let (y, x) = (min(max(y, 0), format.height - 1), min(max(x, 0), format.width - 1))
                            sum += down * across * Double(self.values[y * format.stride + x * 4 + color])
                        }
                    }
                    values[row * large.stride + column * 4 + color] = UInt16(sum)
                }
            }
        }
        return try LinearImage(format: large, metadata: metadata, values: values)
    }
}
