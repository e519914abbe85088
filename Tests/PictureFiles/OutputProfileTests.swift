import Foundation
import PictureFiles
import RawImage
import Testing

/// Tests of pictures that are converted to an ICC profile.
@Suite(.timeLimit(.minutes(10))) struct OutputProfileTests {
    /// Returns the ICC profile in the APP2 segments of a JPEG.
    private func profile(in file: [UInt8]) throws -> [UInt8] {
        let name = Array("ICC_PROFILE".utf8) + [0]
        return try FileBytes(file).segments().filter { segment in
            segment.marker == 0xE2 && file[segment.start...].starts(with: name)
        }.flatMap { file[($0.start + name.count + 2)..<$0.start + $0.count] }
    }

    private func displayP3() throws -> OutputProfile {
        let picture = try TestScene.bytes(width: 16, height: 16)
        let own = try Picture(width: 16, height: 16, color: .displayP3, samples: picture.samples)
        return try OutputProfile(bytes: profile(in: PictureEncoding(.jpeg).encode(own)))
    }

    @Test("red of sRGB becomes its equal in Display P3, and the file has the profile")
    func converts() throws {
        let red = try Picture(
            width: 16, height: 16, color: .sRGB, samples: .bytes((0..<768).map { $0 % 3 == 0 ? 255 : 0 }))
        var encoding = PictureEncoding(.tiff)
        encoding.compression = .none
        encoding.outputProfile = try displayP3()
        let file = try encoding.encode(red)
        // The pixels are last in the file. 234, 51, 35 is sRGB's red in Display P3.
        let pixel = file.suffix(3).map(Int.init)
        #expect(zip(pixel, [234, 51, 35]).allSatisfy { abs($0 - $1) <= 1 }, "\(pixel)")
        encoding.format = .jpeg
        #expect(try profile(in: encoding.encode(red)) == encoding.outputProfile?.bytes)
    }

    @Test("a long profile takes several segments of a JPEG")
    func longProfile() throws {
        var bytes = try displayP3().bytes
        bytes += [UInt8](repeating: 0, count: 150_000 - bytes.count)
        bytes.replaceSubrange(0..<4, with: [0, 2, 0x49, 0xF0])
        var encoding = PictureEncoding(.jpeg)
        encoding.outputProfile = try OutputProfile(bytes: bytes)
        #expect(try profile(in: encoding.encode(TestScene.bytes(width: 16, height: 16))) == bytes)
    }

    @Test func whatCannotBeConvertedIsRefused() throws {
        let profile = try displayP3()
        var exr = PictureEncoding(.exr)
        exr.outputProfile = profile
        let linear = try TestScene.linear(width: 16, height: 16)
        #expect(throws: PictureFileError.self) { try exr.encode(linear) }
        var png = PictureEncoding(.png)
        png.outputProfile = profile
        let bright = try TestScene.words(PictureColor(.rec2020, .pq), width: 16, height: 16)
        #expect(throws: PictureFileError.self) { try png.encode(bright) }
        var grey = profile.bytes
        grey.replaceSubrange(16..<20, with: Array("GRAY".utf8))
        #expect(throws: PictureFileError.self) { try OutputProfile(bytes: grey) }
        #expect(throws: PictureFileError.self) { try OutputProfile(bytes: Array(profile.bytes.dropLast())) }
        #expect(throws: PictureFileError.self) { try OutputProfile(bytes: []) }
    }

    /// The fuzzing corpus of profiles, each unchanged and with single bits flipped, is converted to or refused.
    @Test func changedProfilesAreConvertedToOrRefused() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fuzz/OutputProfile/Corpus").standardizedFileURL
        let picture = try TestScene.bytes(width: 16, height: 16)
        var encoded = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted() {
            let bytes = try Array(Data(contentsOf: folder.appending(path: name)))
            for bit in stride(from: -1, to: bytes.count * 8, by: 37) {
                var changed = bytes
                if bit >= 0 { changed[bit / 8] ^= 1 << UInt8(bit % 8) }
                var encoding = PictureEncoding(.png)
                encoding.outputProfile = try? OutputProfile(bytes: changed)
                guard encoding.outputProfile != nil, let file = try? encoding.encode(picture) else { continue }
                #expect(!file.isEmpty)
                encoded += 1
            }
        }
        #expect(encoded > 50)
    }
}
