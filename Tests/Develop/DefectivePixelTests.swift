import Demosaic
import Develop
import Glibc
import PixelMemory
import RawImage
import SimulatedSensor
import Testing

/// Tests that defective pixels are repaired, and that no detail of the scene is mistaken for one.
@Suite struct DefectivePixelTests {
    /// Renders a mosaic without repairing defective pixels: it is marked as fused, and fused photos are taken to be
    /// repaired already. They are rendered with the precision of a linear photo, which differs by one level at most.
    private func unrepaired(_ mosaic: Mosaic) throws -> [UInt8] {
        var mosaic = mosaic
        mosaic.metadata.fusion = FusionReport()
        return try SensorPictures.picture(mosaic).bytes
    }

    private func repaired(_ mosaic: Mosaic) throws -> [UInt8] { try SensorPictures.picture(mosaic).bytes }

    /// Returns the number of pixels that are taken to be defective.
    private func defects(_ mosaic: Mosaic) -> Int {
        mosaic.codes.withView { IsolatedDefects(mosaic.format, mosaic.metadata).places(in: $0, cores: nil).count }
    }

    @Test(arguments: [100.0, 1600]) func hotPixelsOfASensorAreRepaired(_ iso: Double) throws {
        let sound = try SensorPictures.frame(iso: iso) { _ in }
        let hot = try SensorPictures.frame(iso: iso) { $0.hotPixels = 200 }
        let (width, height) = (sound.format.width, sound.format.height)
        let (truth, bad, good) = (try unrepaired(sound), try unrepaired(hot), try repaired(hot))
        var (before, after, count) = (0, 0, 0)
        for place in sound.codes.indices where sound.codes[place] != hot.codes[place] {
            let (row, column) = (place / width, place % width)
            guard (8..<height - 8).contains(row), (8..<width - 8).contains(column) else { continue }
            count += 1
            func isSeen(_ picture: [UInt8]) -> Bool {
                (0..<3).contains { abs(Int(picture[3 * place + $0]) - Int(truth[3 * place + $0])) > 40 }
            }
            if isSeen(bad) { before += 1 }
            if isSeen(good) { after += 1 }
        }
        #expect(before > 50)
        #expect(after * 4 < before)
    }

    @Test func deadAndHotPixelsOfEveryColourAreRepaired() throws {
        let sound = try TestCamera.mosaic(96, 64) { row, column in
            SIMD3(0.2 + Double(column) / 400, 0.2 + Double(row) / 400, 0.25)
        }
        var codes = sound.codes
        for (index, row) in stride(from: 6, to: 60, by: 9).enumerated() {
            for column in stride(from: 5 + index % 2, to: 90, by: 11) {
                codes[row * 96 + column] = column % 2 == 0 ? 15_000 : 500
            }
        }
        let broken = try Mosaic(format: sound.format, metadata: sound.metadata, codes: codes)
        let (truth, bad, good) = (try unrepaired(sound), try unrepaired(broken), try repaired(broken))
        func worst(_ picture: [UInt8]) -> Int { zip(picture, truth).map { abs(Int($0) - Int($1)) }.max() ?? 0 }
        #expect(worst(bad) > 80)
        #expect(worst(good) <= 3)
    }

    @Test func theScenesOwnDetailStays() throws {
        let chart = try SensorPictures.frame { $0.truth = true }
        #expect(defects(chart) == 0)
        let noisy = try SensorPictures.frame(iso: 1600) { _ in }
        #expect(defects(noisy) < noisy.codes.count / 100_000)
    }

    /// Repair changes no points and lines as a sharp lens draws them, at any subpixel position, and no Siemens star.
    @Test(arguments: [0.5, 0.7]) func starsAndLinesStay(_ blur: Double) throws {
        /// The fraction of a Gaussian point or line that a pixel at `distance` from it receives.
        func share(_ distance: Double) -> Double {
            (erf((distance + 0.5) / (blur * 2.0.squareRoot())) - erf((distance - 0.5) / (blur * 2.0.squareRoot()))) / 2
        }
        var metadata = TestCamera.metadata
        metadata.noise = [NoiseProfile(shot: 1e-4, read: 1e-7)]
        let sky = try TestCamera.mosaic(240, 240, metadata: metadata) { row, column in
            // A point in each 12×12 square, at varying subpixel positions and in several colours.
            let (down, across) = (row / 12, column / 12)
            let (y, x) = (Double(row % 12) - 5.5 - Double(down) / 20, Double(column % 12) - 5.5 - Double(across) / 20)
            let light = share(y) * share(x) * (down % 3 == 0 ? 2.5 : 0.8)
            let color = SIMD3(across % 2 == 0 ? 1 : 0.6, 0.8, across % 3 == 0 ? 1 : 0.5)
            return 0.02 + light * color
        }
        let lines = try TestCamera.mosaic(240, 240, metadata: metadata) { row, column in
            let place = Double(column) + Double(row) / 9
            return SIMD3(repeating: 0.05 + 0.8 * share(place - (place / 8).rounded() * 8))
        }
        let rays = try TestCamera.mosaic(240, 240, metadata: metadata) { row, column in
            let angle = atan2(Double(row) - 119.7, Double(column) - 119.4)
            return SIMD3(repeating: sin(36 * angle) > 0 ? 0.8 : 0.05)
        }
        for mosaic in [sky, lines, rays] { #expect(defects(mosaic) == 0) }
    }
}
