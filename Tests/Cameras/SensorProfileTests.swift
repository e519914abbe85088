import Errors
import GStreamer
import RawImage
import Testing

@testable import Cameras

/// Profiles of sensors.
@Suite struct SensorProfileTests {
    private func profile(_ lines: String) throws -> SensorProfile {
        let file = try KeyFile(text: "[sensor]\n" + lines, place: "text")
        return try SensorProfile(try #require(file.groups.first), place: "text")
    }

    @Test(arguments: SensorProfiles.builtInNames)
    func theProjectsProfilesCanBeRead(_ name: String) throws {
        let profile = try #require(try SensorProfiles.profile(of: name))
        #expect(profile.name == name)
        #expect(profile.gain != nil && profile.blackLevel != nil && profile.exposureDelay != nil)
    }

    @Test func allKeysAreRead() throws {
        let profile = try profile(
            """
            make = Maker
            model = Model
            gain = 1 0 0 16
            black-level = 64@1 68@8 of 10 bits
            white-level = 1000 of 10 bits
            exposure-delay = 2
            gain-delay = 1
            exposure-margin = 4
            base-iso = 125
            color-matrix-a = 1 0 0 0 1 0 0 0 1
            color-matrix-d65 = 2 0 0 0 2 0 0 0 2
            noise = 0.0001 0.000002
            """)
        #expect(profile.make == "Maker" && profile.model == "Model")
        #expect(profile.gain == .ratio(a: 1, b: 0, c: 0, d: 16))
        #expect(profile.blackLevel?.code(gain: 1, bitDepth: 12) == 256)
        #expect(profile.blackLevel?.code(gain: 7.9, bitDepth: 10) == 64)
        #expect(profile.blackLevel?.code(gain: 8, bitDepth: 10) == 68)
        #expect(profile.whiteLevel?.code(gain: 1, bitDepth: 10) == 1000)
        #expect(profile.exposureDelay == 2 && profile.gainDelay == 1 && profile.exposureMargin == 4)
        #expect(profile.baseISO == 125)
        #expect(profile.calibrations.map(\.illuminant) == [.standardA, .d65])
        #expect(profile.noise == NoiseProfile(shot: 0.0001, read: 0.000002))
    }

    @Test(arguments: [
        "gain = fast", "gain = 256/(code-256)", "black-level = 64", "black-level = 64 of 17 bits",
        "black-level = 2000 of 10 bits", "exposure-delay = -1", "exposure-delay = 1.5", "base-iso = 0",
        "noise = 1", "color-matrix-a = 1 2 3", "colour = red",
    ])
    func aMistakeIsNamedWithItsKey(_ line: String) throws {
        let error = try #require(throws: GscapError.self) { try profile(line) }
        #expect(error.message.contains(line.prefix { $0 != " " }) && error.place == "text")
    }

    @Test func gainsAndCodesAreInverseToEachOther() throws {
        for text in ["code/16", "256/(256-code)", "0.3 dB", "1 0 0 100"] {
            let gain = try #require(try profile("gain = \(text)").gain)
            for code in stride(from: 16.0, through: 200, by: 23) {
                #expect(abs(gain.code(factor: gain.factor(code: code)) - code) < 1e-6)
            }
        }
        #expect(GainModel("256/(256-code)")?.factor(code: 128) == 2)
        #expect(GainModel("0.3 dB")?.factor(code: 20).rounded(.down) == 1)
        #expect(GainModel("code/16")?.factor(code: 40) == 2.5)
    }

    @Test func aProfileIsFoundByTheEntitysNameWithoutItsBusAndAddress() {
        #expect(SensorProfiles.sensorName(entity: "imx219 10-0010") == "imx219")
        #expect(SensorProfiles.sensorName(entity: "m00_b_imx477 1-001a") == "imx477")
        #expect(SensorProfiles.sensorName(entity: "Sensor A") == "sensor-a")
        #expect(SensorProfiles.sensorName(entity: "ov5647 2-0036") == "ov5647")
    }
}
