internal import RawImage
internal import SimulatedSensor
internal import Testing

/// Tests of camera shake, the moving object, hot pixels, and the ground truth without them.
@Suite struct SensorMovementTests {
    /// Returns an image file whose linear values increase by `right` per column and by `down` per row.
    private func slope(_ width: Int, _ height: Int, right: Double, down: Double) throws -> PictureFile {
        try PictureFile(
            .tiff(width: width, height: height, bits: 16, samples: 1) { row, column, _ in
                PictureFile.sRGB(0.1 + right * Double(column) + down * Double(row)) * 65_535
            })
    }

    /// Returns the increase of a pixel's linear value between two frames as a displacement in pixels, on a slope of
    /// 0.001 per pixel.
    private func rise(
        _ sensor: SimulatedSensor, _ frame: UInt64, _ rows: Range<Int>, _ columns: Range<Int>
    ) throws -> Double {
        let still = mean(try sensor.frame(0).signals(1, rows: rows, columns: columns))
        let moved = mean(try sensor.frame(frame).signals(1, rows: rows, columns: columns))
        return (moved - still) / (0.001 * SimulatedSensor.whiteSignal)
    }

    @Test(arguments: [UInt64(1), 2, 7, 30, 31])
    func theHandShakesBetweenPixels(number: UInt64) throws {
        for (right, down) in [(0.001, 0.0), (0, 0.001)] {
            let file = try slope(320, 240, right: right, down: down)
            let sensor = try SimulatedSensor(
                .of(320, 240) { settings in
                    settings.removeImperfections()
                    settings.bitDepth = 16
                    settings.shake = 6
                    settings.scene = .picture(path: file.path)
                })
            let shift = sensor.displacement(frame: number)
            #expect(abs(shift.right) <= 6 && abs(shift.down) <= 6)
            let found = try rise(sensor, number, 100..<140, 140..<180)
            #expect(abs(found - (right > 0 ? shift.right : shift.down)) < 0.04, "\(found), \(shift)")
            // Away from the centre, the rotation adds to the shift.
            let edge = try rise(sensor, number, right > 0 ? 200..<230 : 100..<140, right > 0 ? 140..<180 : 280..<310)
            let turned = right > 0 ? shift.right - shift.turn * 94.5 : shift.down + shift.turn * 134.5
            #expect(abs(edge - turned) < 0.04, "\(edge), \(turned)")
        }
    }

    @Test func theShakeIsSmooth() throws {
        let sensor = try SimulatedSensor(.of(320, 240) { $0.shake = 2 })
        #expect(sensor.displacement(frame: 0).right == 0)
        let path = (UInt64(0)..<300).map { sensor.displacement(frame: $0) }
        #expect(path.map(\.right).max() ?? 0 > 1)
        #expect(path.map(\.turn).max() ?? 0 > 0)
        for (one, next) in zip(path, path.dropFirst()) {
            #expect(abs(one.right - next.right) < 1)
            #expect(abs(one.down - next.down) < 1)
        }
        #expect(path.contains { abs($0.right - $0.right.rounded()) > 0.2 })
    }

    @Test func oneObjectMovesAndNothingElse() throws {
        let sensor = try SimulatedSensor(
            .of(800, 600) { settings in
                settings.removeImperfections()
                settings.motion = true
            })
        let first = try sensor.frame(0)
        var places: [Double] = []
        for number in [UInt64(20), 40] {
            let later = try sensor.frame(number)
            let changed = (0..<600 * 800).filter { first.codes[$0] != later.codes[$0] }
            let rows = changed.map { $0 / 800 }
            #expect(changed.count > 1000)
            #expect(changed.count < 80_000)
            #expect((rows.min() ?? 0) > 20 && (rows.max() ?? 600) < 250)
            places.append(Double(changed.map { $0 % 800 }.min() ?? 0))
        }
        #expect(places[0] - places[1] > 10)
    }

    @Test func hotPixelsStayAndGlowWithExposure() throws {
        let settings = SensorSettings.of(800, 600) { settings in
            settings.removeImperfections()
            settings.hotPixels = 500
        }
        var clean = settings
        clean.hotPixels = 0
        let (sensor, perfect) = (try SimulatedSensor(settings), try SimulatedSensor(clean))
        func excess(_ number: UInt64, _ controls: SensorControls) throws -> [Int: Int] {
            let (hot, cold) = (try sensor.frame(number, controls), try perfect.frame(number, controls))
            let pairs = zip(hot.codes, cold.codes).enumerated().filter { $1.0 != $1.1 }
            return Dictionary(uniqueKeysWithValues: pairs.map { ($0, Int($1.0) - Int($1.1)) })
        }
        let short = SensorControls(exposureTime: 0.0025, iso: 100)
        let base = try excess(0, short)
        #expect((200...240).contains(base.count))
        #expect(base.values.allSatisfy { $0 > 0 })
        #expect(try excess(9, short) == base)
        let doubled = try excess(0, SensorControls(exposureTime: 0.005, iso: 100))
        let faint = base.filter { $0.value < 300 && doubled[$0.key] != nil }
        #expect(faint.count > 50)
        for (place, value) in faint { #expect(abs((doubled[place] ?? 0) - 2 * value) <= 2) }
        var other = settings
        other.seed = 3
        #expect(try SimulatedSensor(other).frame(0, short).digest != sensor.frame(0, short).digest)
    }

    @Test func truthIsStillAndClean() throws {
        let truth = try SimulatedSensor(.of(400, 300) { $0.truth = true })
        let first = try truth.frame(0)
        let later = try truth.frame(77)
        #expect(first.digest == later.digest)
        #expect(later.metadata.frameNumber == 77)
        #expect(first.metadata.noise[0].shot == 0)
        // The ground truth equals frame 0 without noise and hot pixels.
        let quiet = try SimulatedSensor(
            .of(400, 300) { settings in
                settings.noise = false
                settings.hotPixels = 0
            })
        #expect(try quiet.frame(0).digest == first.digest)
        #expect(try quiet.frame(1).digest != first.digest)
        let noisy = try SimulatedSensor(.of(400, 300)).frame(0)
        let difference = mean(zip(noisy.codes, first.codes).map { Double($0) - Double($1) })
        #expect(abs(difference) < 1)
        #expect(noisy.digest != first.digest)
    }
}
