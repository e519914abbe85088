internal import RawImage
internal import SimulatedSensor
internal import Testing

/// Tests of several lenses in front of one scene: field of view, parallax, distortion and rotation.
@Suite struct SensorLensTests {
    /// Returns a sensor without imperfections.
    private func sensor(
        _ width: Int = 320, _ height: Int = 240, scene: SensorScene = .chart, _ change: (inout SensorLens) -> Void
    ) throws -> SimulatedSensor {
        try SimulatedSensor(
            .of(width, height) { settings in
                settings.removeImperfections()
                settings.scene = scene
                settings.bitDepth = 16
                settings.statesCalibration = true
                change(&settings.lens)
            })
    }

    /// Returns an image whose linear values increase to the right and down.
    private func slope() throws -> PictureFile {
        try PictureFile(
            .tiff(width: 640, height: 480, bits: 16, samples: 1) { row, column, _ in
                PictureFile.sRGB(0.1 + 0.001 * Double(column) + 0.0003 * Double(row)) * 65_535
            })
    }

    @Test func aTeleShowsTheCentreOfTheWide() throws {
        let wide = try sensor(640, 480) { _ in }.frame()
        let tele = try sensor { $0.zoom = 2 }.frame()
        // The same mosaic pattern, so the middle of the large frame is the frame of the small one with twice the zoom.
        var differences = 0
        for row in 0..<240 {
            for column in 0..<320
            where abs(wide.signal(row + 120, column + 160) - tele.signal(row, column)) > 0.002 { differences += 1 }
        }
        // Edges that lie exactly between pixels may be rounded to either side.
        #expect(differences < 320 * 240 / 500, "\(differences)")
    }

    /// Straight lenses are painted row by row, turned ones pixel by pixel.
    @Test(arguments: [(640, 480), (2016, 1512)])
    func aLensThatIsHardlyTurnedShowsTheSameEdges(width: Int, height: Int) throws {
        let straight = try sensor(width, height) { _ in }.frame()
        let turned = try sensor(width, height) { $0.roll = 1e-7 }.frame()
        let differences = (0..<height).reduce(0) { count, row in
            count + (0..<width).count { abs(straight.signal(row, $0) - turned.signal(row, $0)) > 0.01 }
        }
        #expect(differences < width / 100, "\(differences) pixels differ")
    }

    @Test func theCalibrationSaysWhereEachPixelLooks() throws {
        let file = try slope()
        let reference = try sensor(scene: .picture(path: file.path)) { _ in }
        for lens in Self.lenses {
            let other = try sensor(scene: .picture(path: file.path)) { $0 = lens }
            let (one, two) = (try reference.frame(), try other.frame())
            let from = try #require(two.metadata.calibration)
            let to = try #require(one.metadata.calibration)
            let depth = SensorLens.sceneDistance
            for (row, column) in [(60, 70), (120, 160), (180, 250), (100, 240)] {
                let ray = from.ray(ofPixel: SIMD2(Double(column) + 0.5, Double(row) + 0.5))
                // The ray meets the picture, which stands at the distance of the still life.
                let direction = from.rotation.transposed * SIMD3(ray.x, ray.y, 1)
                let distance = (depth - from.position.z) / direction.z
                let point = from.position + direction * distance
                let pixel = to.pixel(ofRay: SIMD2(point.x, point.y) / point.z)
                let expected = 0.1 + 0.002 * (pixel.x - 0.25) + 0.0006 * (pixel.y - 0.25)
                let found = two.signal(row, column) / one.camera(row, column)
                #expect(abs(found - expected) < 0.0004, "\(lens) at \(row), \(column): \(found) for \(expected)")
            }
        }
    }

    private static var lenses: [SensorLens] {
        var all = Array(repeating: SensorLens(), count: 5)
        all[1].zoom = 2
        (all[2].right, all[2].down, all[2].zoom) = (12, -8, 1.5)
        (all[3].yaw, all[3].pitch, all[3].roll, all[3].zoom) = (1.5, -1, 2, 2)
        all[4] = all[3]
        (all[4].distortion, all[4].right, all[4].zoom) = (-0.12, 20, 1)
        return all
    }

    @Test func theNearShiftsMoreThanTheFar() throws {
        let left = try sensor(640, 480) { _ in }.frame()
        let right = try sensor(640, 480) { $0.right = 12.5 }.frame()
        /// Returns the shift to the left, in pairs of pixels, that fits best.
        func shift(rows: Range<Int>, columns: Range<Int>) -> Int {
            let errors = (0...6).map { shift in
                rows.reduce(0.0) { sum, row in
                    columns.reduce(sum) {
                        $0 + abs(left.signal(row, $1) - right.signal(row, $1 - 2 * shift))
                    }
                }
            }
            return errors.indices.min { errors[$0] < errors[$1] } ?? 0
        }
        // 12.5 mm are a fortieth of the width of a scene unit, which is 160 pixels.
        #expect(shift(rows: 250..<380, columns: 60..<260) == 2)
        #expect(shift(rows: 20..<180, columns: 200..<420) == 0)
    }

    @Test func lensesOfOneDeviceHaveTheirOwnNoiseAndTheSameShake() throws {
        func settings(_ zoom: Double) -> SensorSettings {
            .of(320, 240) { settings in
                settings.lens.zoom = zoom
                settings.shake = 3
            }
        }
        let (wide, tele) = (try SimulatedSensor(settings(1)), try SimulatedSensor(settings(2)))
        let (one, two) = (wide.displacement(frame: 7), tele.displacement(frame: 7))
        #expect(two.right == 2 * one.right && two.down == 2 * one.down && two.turn == one.turn)
        #expect(try wide.frame().digest != tele.frame().digest)
    }

    @Test func theMomentOfTheSceneCanBeSet() throws {
        let sensor = try SimulatedSensor(.of(320, 240) { $0.noise = false })
        var codes = [UInt16](repeating: 0, count: 320 * 240)
        var span = codes.mutableSpan
        _ = try sensor.read(
            frame: 2, controls: sensor.settings.controls, into: &span, stride: 320, sceneTime: 9 / 30)
        #expect(try codes == sensor.frame(9).codes)
    }

    @Test func lensesOutOfRangeAreRefused() {
        for change in [
            { $0.zoom = 11 }, { $0.right = 101 }, { $0.down = -101 }, { $0.yaw = 6 }, { $0.pitch = -6 },
            { $0.roll = .nan }, { $0.distortion = 0.21 },
        ] as [(inout SensorLens) -> Void] {
            #expect(throws: SensorError.self) { try sensor(320, 240, scene: .chart, change) }
        }
    }

    /// At 16:9 the corners are farther from the axis than at 4:3. The calibration of such a lens was left out of the
    /// frames without a word.
    @Test func distortionsThatFoldTheCornersAreRefused() throws {
        let error = #expect(throws: SensorError.self) { try sensor(320, 180) { $0.distortion = -0.2 } }
        #expect(error?.code == .badSetting)
        let message = error?.message ?? ""
        #expect(message.contains("320×180") && message.contains("choose -0.142 or nearer to 0"), "\(message)")
        for lens in [
            try sensor(320, 180) { $0.distortion = -0.142 }, try sensor { $0.distortion = -0.2 },
            try sensor(320, 180) { ($0.distortion, $0.zoom) = (-0.2, 1.3) },
        ] {
            let calibration = try #require(try lens.frame().metadata.calibration)
            #expect(calibration.problem == nil)
        }
    }
}

extension Frame {
    /// Returns the linear value that a white of 1 has at a pixel.
    fileprivate func camera(_ row: Int, _ column: Int) -> Double {
        let plane = settings.pattern.plane(row: row, column: column)
        return metadata.neutral[plane] * SimulatedSensor.whiteSignal
    }
}
