import Demosaic
import Foundation
import Fusion
import RandomSequences
import RawImage
import SimulatedSensor
import Testing

/// Tests of the fusion of a wide and a tele photo, with sensors that see one scene, compared with the noise-free scene.
@Suite(.serialized) struct WideTeleTests {
    /// The settings of two lenses in front of one scene.
    struct Setup: Sendable, CustomTestStringConvertible {
        var seed: UInt64 = 1
        var iso = 100.0
        var teleISO = 100.0
        var tele = SensorLens()
        var wideLens = SensorLens()
        var width = 2016
        /// The number of frames whose mean is a photo, as after the fusion of a burst.
        var frames: UInt64 = 1
        var motion = false
        /// The frame of the tele, when the wide's is 0.
        var teleFrame: UInt64 = 0

        var testDescription: String { "seed \(seed), ISO \(iso), \(tele)" }

        func settings(_ lens: SensorLens, iso: Double) -> SensorSettings {
            var settings = SensorSettings()
            (settings.width, settings.height, settings.hotPixels) = (width, width / 4 * 3, 0)
            (settings.shake, settings.motion, settings.seed) = (0, motion, seed)
            settings.lens = lens
            settings.statesCalibration = true
            settings.controls = SensorControls(exposureTime: 0.5 / iso, iso: iso)
            return settings
        }

        var wide: LinearImage { get throws { try mean(settings(wideLens, iso: iso), 0) } }
        var far: LinearImage { get throws { try mean(settings(tele, iso: teleISO), teleFrame) } }
        /// The scene at twice the size, without noise.
        var truth: LinearImage {
            get throws {
                var settings = settings(wideLens, iso: iso)
                (settings.width, settings.height, settings.noise) = (2 * settings.width, 2 * settings.height, false)
                return try photo(settings, 0)
            }
        }

        /// Returns the mean of the frames from the first one on.
        private func mean(_ settings: SensorSettings, _ first: UInt64) throws -> LinearImage {
            var result = try photo(settings, first)
            if frames == 1 { return result }
            var sums = result.values.map(UInt32.init)
            for frame in 1..<frames {
                let other = try photo(settings, first + frame)
                for index in sums.indices { sums[index] += UInt32(other.values[index]) }
            }
            for index in sums.indices { result.values[index] = UInt16(sums[index] / UInt32(frames)) }
            let part = 1 / Double(frames)
            result.metadata.noise = result.metadata.noise.map {
                NoiseProfile(shot: $0.shot * part, read: $0.read * part)
            }
            return result
        }

        private func photo(_ settings: SensorSettings, _ frame: UInt64) throws -> LinearImage {
            let sensor = try SimulatedSensor(settings)
            let format = settings.format()
            var codes = [UInt16](repeating: 0, count: format.codeCount)
            var span = codes.mutableSpan
            let metadata = try sensor.read(
                frame: frame, controls: settings.controls, into: &span, stride: format.stride)
            return try Demosaic.linear(Mosaic(format: format, metadata: metadata, codes: codes))
        }
    }

    private static func lens(_ change: (inout SensorLens) -> Void) -> SensorLens {
        var lens = SensorLens()
        lens.zoom = 2
        change(&lens)
        return lens
    }

    static let setups = [
        Setup(tele: lens { $0.right = 10 }),
        Setup(seed: 2, iso: 800, teleISO: 800, tele: lens { $0.right = 10 }),
        Setup(
            seed: 3, iso: 400, teleISO: 400,
            tele: lens {
                ($0.right, $0.down, $0.yaw, $0.roll, $0.distortion) = (15, -6, 1, 1, -0.1)
            }),
        Setup(
            seed: 4, iso: 200, teleISO: 400,
            tele: lens {
                ($0.zoom, $0.right, $0.pitch) = (2.5, -12, 0.5)
            }),
    ]

    /// Lenses that are turned further, at other distances. In these scenes tiles lost 2.0 to 6.9 dB at straight edges
    /// when each tile was searched alone.
    static let turnedSetups = [
        Setup(
            seed: 4314, iso: 400, teleISO: 800,
            tele: lens {
                ($0.zoom, $0.right, $0.down, $0.yaw) = (2.04, -3.59, 5.3, 0.76)
                ($0.pitch, $0.roll, $0.distortion) = (0.94, -0.33, 0.01)
            }),
        Setup(
            seed: 3386,
            tele: lens {
                ($0.zoom, $0.right, $0.down, $0.yaw) = (2.09, -9.71, 6.27, 0.75)
                ($0.pitch, $0.roll) = (0.64, -0.9)
            }),
        Setup(
            seed: 1768, iso: 200,
            tele: lens {
                ($0.zoom, $0.right, $0.down, $0.yaw) = (1.86, -8.82, -6.48, 0.63)
                ($0.pitch, $0.roll, $0.distortion) = (0.75, 0.95, -0.09)
            }, motion: true, teleFrame: 67),
    ]

    /// Scenes with long edges between two wide pixels, where tiles lost 2.2 and 1.1 dB when rows of tele samples began
    /// at the first point of the flow's grid, a quarter of a wide pixel late.
    static let edgeSetups = [
        Setup(
            seed: 1669, teleISO: 200,
            tele: lens {
                ($0.zoom, $0.right, $0.down, $0.yaw) = (1.88, -11.01, -5.95, -0.49)
                ($0.pitch, $0.roll, $0.distortion) = (-0.82, -0.48, 0.04)
            }, motion: true, teleFrame: 86),
        Setup(
            seed: 960,
            tele: lens {
                ($0.zoom, $0.right, $0.down, $0.yaw) = (3.55, 4.97, -1.74, 1.48)
                ($0.pitch, $0.roll, $0.distortion) = (-1.07, 0.87, -0.1)
            }, motion: true, teleFrame: 23),
    ]

    /// Scenes in which a tile lost .8 and .5 dB along the outline of something near, at the shift of what is behind it.
    static let outlineSetups = [
        Setup(
            seed: 382, iso: 800,
            tele: lens {
                ($0.zoom, $0.right, $0.down, $0.yaw) = (2.06, -3.38, 5.96, -0.88)
                ($0.pitch, $0.roll) = (1.07, 0.22)
            }, motion: true, teleFrame: 68),
        Setup(
            seed: 2833, iso: 400, teleISO: 400,
            tele: lens {
                ($0.zoom, $0.right, $0.down, $0.yaw) = (2.08, -9.2, 0.29, -0.32)
                ($0.pitch, $0.roll, $0.distortion) = (0.09, -0.66, 0.03)
            }),
    ]

    /// The gains in dB over the enlarged wide photo: in the tele's field, and in the worst tile of the whole photo.
    private func gains(
        _ photo: LinearImage, _ plain: LinearImage, _ setup: Setup
    ) throws -> (field: Double, worst: Double) {
        let truth = try setup.truth
        let errors = [photo, plain].map { Errors($0, truth) }
        let worst = zip(errors[0].tiles, errors[1].tiles).map { 10 * log10($0.1 / $0.0) }.min() ?? 0
        let field = SharedView(setup.tele, wide: setup.wideLens)
        return (10 * log10(errors[1].sum(in: field) / errors[0].sum(in: field)), worst)
    }

    /// Returns the photo and the enlarged wide one.
    private func fuse(_ wide: LinearImage, _ tele: LinearImage) throws -> (
        photo: LinearImage, plain: LinearImage, report: WideTeleFusion.Report
    ) {
        let (photo, report) = try WideTeleFusion(wide: wide, tele: tele).photo()
        let plain = try WideTeleFusion(wide: wide, tele: tele, options: .init(strength: 0)).photo().photo
        return (photo, plain, report)
    }

    @Test(
        arguments: TestExtent.cases(setups, every: 4) + TestExtent.cases(turnedSetups, every: 3)
            + TestExtent.cases(edgeSetups, every: 2) + TestExtent.cases(outlineSetups, every: 2))
    func theTelesFieldGainsAndNothingLoses(setup: Setup) throws {
        let (photo, plain, report) = try fuse(setup.wide, setup.far)
        #expect(photo.format.width == 4032 && photo.format.height == 3024)
        let (field, worst) = try gains(photo, plain, setup)
        #expect(field >= 2, "\(field) dB in the tele's field")
        #expect(worst >= -0.5, "\(worst) dB in the worst tile")
        #expect(report.usedFraction > 0.5 * report.seenFraction)
        #expect(abs(report.seenFraction - 1 / (setup.tele.zoom * setup.tele.zoom)) < 0.03)
    }

    /// With little noise, smooth areas lost up to 2 dB: the lenses render the same light by part of a percent
    /// differently, which was more than the noise of the wide photo.
    @Test(arguments: TestExtent.cases(setups, every: 4))
    func photosWithLittleNoiseLoseNothing(setup: Setup) throws {
        var setup = setup
        setup.frames = 8
        let (photo, plain, report) = try fuse(setup.wide, setup.far)
        let (field, worst) = try gains(photo, plain, setup)
        #expect(field >= 2, "\(field) dB in the tele's field")
        #expect(worst >= -0.5, "\(worst) dB in the worst tile")
        #expect(report.usedFraction > 0.4 * report.seenFraction)
    }

    /// The wide photo is enlarged about as well as a converter enlarges the picture that it developed. Interpolated as
    /// linear values, it lost 1.8 dB and 6.6 dB in the worst tile: edges of clipped white had dark, coloured outlines.
    @Test func theEnlargementIsAsGoodAsThatOfADevelopedPicture() throws {
        let setup = Setup(tele: Self.lens { $0.right = 10 })
        let (wide, truth) = (try setup.wide, DisplayedPhoto(try setup.truth))
        let options = WideTeleFusion.Options(strength: 0)
        let plain = try WideTeleFusion(wide: wide, tele: setup.far, options: options).photo().photo
        let errors = [DisplayedPhoto(plain), DisplayedPhoto(wide).twiceAsLarge].map { $0.errors(truth) }
        let (sum, reference) = (errors[0].reduce(0, +), errors[1].reduce(0, +))
        #expect(10 * log10(reference / sum) > 0.2)
        // Errors below half a step of 8 bits are invisible.
        let losses = zip(errors[0], errors[1]).map { 10 * log10(($0 + 0.25) / ($1 + 0.25)) }
        #expect(losses.count { $0 > 0.5 } <= losses.count / 50, "\(losses.count { $0 > 0.5 }) of \(losses.count)")
        #expect(losses.max() ?? 0 < 3.5, "\(losses.max() ?? 0) dB")
    }

    /// Smooth tiles differed by up to 1.8 % between the channels, and an orange patch lost three quarters of its blue
    /// in the developed picture.
    @Test func theColorsInTheFieldAreThoseOfTheScene() throws {
        let setup = Setup(
            seed: 2, iso: 400, teleISO: 400,
            tele: Self.lens { ($0.zoom, $0.right, $0.down, $0.roll, $0.distortion) = (2.57, -8.2, -1.7, -0.66, 0.05) })
        let (photo, _, _) = try fuse(setup.wide, setup.far)
        let deviations = try ColorTiles(photo).deviations(from: ColorTiles(setup.truth), SharedView(setup.tele))
        #expect(deviations.count > 100)
        let most = deviations.map(abs).max() ?? 1
        #expect(most < 0.01, "\(most) of \(deviations.count)")
    }

    @Test(arguments: TestExtent.cases([(1, 30), (6, 30), (7, 60), (10, 45), (11, 60), (25, 90)], every: 3))
    func whatMovedBetweenThePhotosIsTheWides(seed: UInt64, frame: UInt64) throws {
        let setup = Setup(
            seed: seed, iso: 400, teleISO: 400, tele: Self.lens { $0.right = 5 }, motion: true, teleFrame: frame)
        let (photo, plain, _) = try fuse(setup.wide, setup.far)
        let (field, worst) = try gains(photo, plain, setup)
        #expect(field >= 2, "\(field) dB")
        #expect(worst >= -0.5, "\(worst) dB in the worst tile, at the moved object")
    }

    @Test func aTeleOutOfFocusDoesNoHarm() throws {
        let setup = Setup(tele: Self.lens { $0.right = 10 })
        let (photo, plain, report) = try fuse(setup.wide, setup.far.blurred(reach: 8))
        let (_, worst) = try gains(photo, plain, setup)
        #expect(worst >= -0.5, "\(worst) dB in the worst tile")
        #expect(report.usedFraction < 0.15, "\(report.usedFraction)")
    }

    /// Smooth areas agree with a tele that is a little out of focus, and edges lost up to 2 dB.
    @Test(arguments: [(100, 640), (100, 1008), (800, 1008)]) func aTeleNearlyInFocusDoesNoHarm(iso: Double, width: Int)
        throws
    {
        let setup = Setup(iso: iso, teleISO: iso, tele: Self.lens { $0.right = 10 }, width: width)
        let (photo, plain, report) = try fuse(setup.wide, setup.far.blurred(reach: 2))
        let (_, worst) = try gains(photo, plain, setup)
        #expect(worst >= -0.5, "\(worst) dB in the worst tile")
        #expect(report.usedFraction == 0)
    }

    /// Two lenses 18 mm apart see the scene so differently behind the near things of a small photo that it agrees in
    /// 30 % of what the tele sees. They were never fused.
    @Test(arguments: [(640, 8), (1008, 8), (640, 1)] as [(Int, UInt64)])
    func lensesFarApartAreFused(width: Int, frames: UInt64) throws {
        let setup = Setup(
            tele: Self.lens { ($0.zoom, $0.right) = (4, 18) }, wideLens: Self.lens { $0.zoom = 1.7 }, width: width,
            frames: frames)
        let (photo, plain, report) = try fuse(setup.wide, setup.far)
        let (field, worst) = try gains(photo, plain, setup)
        #expect(field >= 0.7, "\(field) dB in the tele's field")
        #expect(worst >= -0.5, "\(worst) dB in the worst tile")
        #expect(report.usedFraction > 0.2 * report.seenFraction)
    }

    @Test func otherScenesAreNotUsed() throws {
        let setup = Setup(tele: Self.lens { $0.right = 10 })
        var tele = try setup.far
        // The picture upside down.
        tele.values.reverse()
        for start in stride(from: 0, to: tele.values.count, by: 4) {
            tele.values[start..<start + 4].reverse()
        }
        let (photo, plain, report) = try fuse(setup.wide, tele)
        #expect(report.usedFraction == 0)
        let worst = try gains(photo, plain, setup).worst
        #expect(worst >= -0.5, "\(worst) dB")
    }

    @Test func theOriginalSizeIsTheWidesOutsideTheField() throws {
        let setup = Setup(tele: Self.lens { $0.right = 10 })
        let wide = try setup.wide
        let photo = try WideTeleFusion(wide: wide, tele: setup.far, options: .init(scale: .one)).photo().photo
        #expect(photo.format == wide.format)
        #expect((0..<2016 * 100 * 4).allSatisfy { abs(Int(photo.values[$0]) - Int(wide.values[$0])) <= 1 })
        #expect(
            (2016 * 1400 * 4..<2016 * 1512 * 4).allSatisfy { abs(Int(photo.values[$0]) - Int(wide.values[$0])) <= 1 })
        #expect(photo.metadata.calibration == wide.metadata.calibration)
    }

    /// Beside small lights, tele samples and means that overshoot left black outlines: thousands of pixels at a zoom
    /// factor below the enlargement.
    @Test(arguments: [1.6, 2]) func lightsHaveNoBlackOutlines(zoom: Double) throws {
        let setup = Setup(tele: Self.lens { ($0.zoom, $0.right) = (zoom, 5) })
        let (wide, tele) = (try setup.wide.withLights(97, 101), try setup.far.withLights(97 * zoom, 101 * zoom))
        let photo = try WideTeleFusion(wide: wide, tele: tele).photo().photo
        let black = photo.metadata.blackLevel[0]
        let least = stride(from: 1, to: photo.values.count, by: 4).lazy.map { Double(photo.values[$0]) - black }.min()
        let floor = Double(LinearImage.night) - wide.metadata.blackLevel[0]
        #expect(least ?? 0 > 0.8 * floor, "\(least ?? 0) of \(floor)")
    }

    /// The noise near black is as large as the light; interpolated as roots, it became darker by up to 15 %.
    @Test(arguments: [SuperResolutionScale.one, .oneAndHalf, .two])
    func noisyShadowsKeepTheirBrightness(scale: SuperResolutionScale) throws {
        let setup = Setup(tele: Self.lens { $0.right = 10 })
        let format = LinearFormat(width: 504, height: 378)
        var wide = try LinearImage(
            format: format, metadata: setup.wide.metadata, values: Array(repeating: 0, count: format.valueCount))
        let (black, deviation) = (wide.metadata.blackLevel[0], 0.004)
        let unit = wide.metadata.whiteLevel - black
        wide.metadata.noise = [NoiseProfile(shot: 0, read: deviation * deviation)]
        var generator = SystemRandomNumberGenerator()
        let range = 0...2 * deviation * 3.0.squareRoot()
        for index in wide.values.indices {
            wide.values[index] = UInt16(black + unit * Double.random(in: range, using: &generator))
        }
        let options = WideTeleFusion.Options(scale: scale, strength: 0)
        let photo = try WideTeleFusion(wide: wide, tele: setup.far, options: options).photo().photo
        for color in 0..<3 {
            let means = [wide, photo].map { photo in
                let codes = stride(from: color, to: photo.values.count, by: 4).map { Double(photo.values[$0]) - black }
                return codes.reduce(0, +) / Double(codes.count)
            }
            #expect(abs(means[1] / means[0] - 1) < 0.02, "\(means)")
        }
    }

    @Test func theFocalLengthStandsInForACalibration() throws {
        let setup = Setup(tele: Self.lens { _ in })
        var (wide, tele) = (try setup.wide, try setup.far)
        (wide.metadata.calibration, tele.metadata.calibration) = (nil, nil)
        let (photo, plain, _) = try fuse(wide, tele)
        #expect(try gains(photo, plain, setup).field >= 2)
        wide.metadata.details.focalLengthIn35mm = 0
        #expect(throws: FusionError.self) { try WideTeleFusion(wide: wide, tele: tele) }
    }

    /// The calibrations of two photos need not be of one device.
    @Test(arguments: [89.9, 90, 90.1, 180]) func photosOfDifferentDirectionsAreNotFused(_ yaw: Double) throws {
        let setup = Setup(tele: Self.lens { $0.yaw = 1 })
        let (wide, tele) = (try setup.wide, try setup.far)
        var other = tele
        let (sine, cosine) = (sin(yaw * .pi / 180), cos(yaw * .pi / 180))
        other.metadata.calibration?.rotation = try #require(Matrix3([cosine, 0, sine, 0, 1, 0, -sine, 0, cosine]))
        other.metadata.calibration?.radialDistortion = SIMD3(0.1, 0.1, 0.1)
        #expect(try WideTeleFusion(wide: wide, tele: other).photo().report.seenFraction == 0)
    }

    @Test func photosOfTheSameFieldAreRefused() throws {
        let setup = Setup(tele: SensorLens())
        let (wide, tele) = (try setup.wide, try setup.far)
        #expect(throws: FusionError.self) { try WideTeleFusion(wide: wide, tele: tele) }
        #expect(throws: FusionError.self) {
            try WideTeleFusion(wide: wide, tele: Setup(tele: Self.lens { _ in }).far, options: .init(strength: 5))
        }
    }
}

extension LinearImage {
    /// The code of the night around the lights.
    fileprivate static let night: UInt16 = 3000

    /// Returns a night of this photo's size, with bright squares at multiples of a distance from the centre, of an
    /// eighth of it.
    fileprivate func withLights(_ across: Double, _ down: Double) -> LinearImage {
        var result = self
        func isLight(_ place: Double, _ distance: Double) -> Bool {
            abs(place / distance - (place / distance).rounded()) < 1.0 / 16
        }
        for row in 0..<format.height {
            let isRow = isLight(Double(row) + 0.5 - Double(format.height) / 2, down)
            for column in 0..<format.width {
                let isBright = isRow && isLight(Double(column) + 0.5 - Double(format.width) / 2, across)
                for color in 0..<3 {
                    result.values[row * format.stride + 4 * column + color] = isBright ? 45_000 : Self.night
                }
            }
        }
        return result
    }

    /// Returns the photo blurred horizontally and vertically by means of 2·`reach` + 1 pixels.
    fileprivate func blurred(reach: Int) -> LinearImage {
        var result = self
        for step in [4, format.stride] {
            let source = result.values
            let count = source.count
            for index in source.indices {
                var sum = 0
                for offset in -reach...reach {
                    let place = index + offset * step
                    sum += Int(source[place < 0 || place >= count ? index : place])
                }
                result.values[index] = UInt16(sum / (2 * reach + 1))
            }
        }
        return result
    }
}
