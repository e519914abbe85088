import DNG
import Develop
import RawImage
import Testing

/// Tests of the choice among a file's camera profiles, and of DCP files.
@Suite(.timeLimit(.minutes(10))) struct CameraProfileTests {
    /// The tags of a camera profile: a matrix, a tone curve, a table, an exposure offset and no black rendering.
    private func profileTags(_ name: String, camera: String? = nil) -> [UInt16: HandmadeDNG.Values] {
        var tags: [UInt16: HandmadeDNG.Values] = [
            50_721: .signedRationals([9, 10, -3, 10, 0, 1, -4, 10, 12, 10, 2, 10, 0, 1, 2, 10, 6, 10]),
            50_778: .shorts([21]), 50_936: .text(name), 50_940: .floats([0, 0, 0.25, 0.5, 1, 1]),
            50_937: .longs([1, 2, 1]), 50_938: .floats([0, 1, 1, 0, 0.8, 1]), 51_109: .signedRationals([1, 2]),
            51_110: .longs([1]),
        ]
        if let camera { tags[50_708] = .text(camera) }
        return tags
    }

    private func dcp(_ name: String, camera: String? = nil, isBigEndian: Bool = false) -> [UInt8] {
        var bytes = HandmadeDNG(isBigEndian: isBigEndian, tags: profileTags(name, camera: camera)).file
        bytes[2...3] = isBigEndian ? [0x43, 0x52] : [0x52, 0x43]
        return bytes
    }

    private func photo(_ change: (inout HandmadeDNG) -> Void = { _ in }) -> HandmadeDNG {
        var dng = HandmadeDNG.bayer(width: 16, height: 16, bits: 16)
        dng.parts = [dng.bytes((0..<256).map { UInt16($0 * 200) })]
        dng.tags[50_708] = .text("Maker Camera")
        dng.tags[50_721] = .signedRationals([1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1])
        dng.tags[50_728] = .rationals([1, 2, 1, 1, 2, 3])
        dng.tags[50_936] = .text("Main")
        change(&dng)
        return dng
    }

    /// Returns a file with profiles in ExtraCameraProfiles, which follow the directories.
    private func photo(with profiles: [[UInt8]]) -> [UInt8] {
        let size = photo { $0.tags[50_933] = .longs(profiles.map { _ in 0 }) }.file.count
        var offsets: [UInt32] = []
        var end = size
        for profile in profiles {
            offsets.append(UInt32(end))
            end += profile.count
        }
        return photo { $0.tags[50_933] = .longs(offsets) }.file + profiles.flatMap(\.self)
    }

    private func bytes(_ file: DNGFile) throws -> [UInt8] {
        guard case .bytes(let bytes) = try RAWFilter(file: file).picture().samples else { return [] }
        return bytes
    }

    @Test("a DCP renders as the same profile in the file", arguments: [false, true])
    func fileAndTags(isBigEndian: Bool) throws {
        let embedded = photo {
            for (tag, values) in profileTags("Other") { $0.tags[tag] = values }
        }
        let profile = try CameraProfile(bytes: dcp("Other", camera: "maker camera", isBigEndian: isBigEndian))
        let expected = try DNGFile(bytes: embedded.file)
        let plain = try DNGFile(bytes: photo().file)
        let file = try plain.applying(profile)
        #expect(file.recipe == expected.recipe && file.metadata == expected.metadata)
        #expect(file.recipe.exposure == 0.5 && file.recipe.shadowBias == 0 && file.recipe.hueSatMaps.count == 1)
        #expect(try bytes(file) == bytes(expected))
        #expect(try bytes(file) != bytes(plain))
    }

    @Test func extraProfilesAreListedAndApplied() throws {
        let file = try DNGFile(bytes: photo(with: [dcp("Warm"), dcp("Cold", isBigEndian: true), Array("IIRC".utf8)]))
        #expect(file.profiles.map(\.name) == ["Main", "Warm", "Cold"])
        let cold = try #require(file.profiles.last)
        #expect(try file.applying(cold).recipe.name == "Cold")
        #expect(try file.applying(cold).applying(file.profiles[0]).recipe == file.recipe)
        #expect(DNGSummary(file).fields.contains { $0.label == "profiles" && $0.text == "Main, Warm, Cold" })
    }

    @Test func aProfileOfAnotherCameraIsRefused() throws {
        let file = try DNGFile(bytes: photo().file)
        let error = try #require(throws: DNGError.self) {
            try file.applying(CameraProfile(bytes: dcp("Other", camera: "Another Camera")))
        }
        #expect(error.code == .unsupported && error.message.contains("\"Another Camera\""))
    }

    /// A profile with any byte changed, or cut off anywhere, is refused or applied; nothing traps.
    @Test func damagedProfilesDoNotTrap() throws {
        let file = try DNGFile(bytes: photo().file)
        let whole = dcp("Other")
        for index in whole.indices {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var bytes = whole
                bytes[index] = value
                if let profile = try? CameraProfile(bytes: bytes), let file = try? file.applying(profile) {
                    _ = try? RAWFilter(file: file).picture()
                }
            }
            _ = try? CameraProfile(bytes: Array(whole[..<index]))
        }
    }
}
