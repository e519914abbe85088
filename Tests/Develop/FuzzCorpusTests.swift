import DNG
import Develop
import Foundation
import RawImage
import Testing

/// The fuzzing corpora of camera profiles, `.cube` files and sidecars, each file unchanged and with single bits
/// flipped, are read or refused. Nothing traps.
@Suite(.timeLimit(.minutes(10))) struct FuzzCorpusTests {
    /// Calls `body` with every file of a corpus and with variants of it; returns the number of those that it accepts.
    private func replay(_ target: String, step: Int, _ body: ([UInt8]) throws -> Void) throws -> Int {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fuzz/\(target)/Corpus").standardizedFileURL
        var accepted = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted() {
            let bytes = try Array(Data(contentsOf: folder.appending(path: name)))
            for bit in stride(from: -1, to: bytes.count * 8, by: step) {
                var changed = bytes
                if bit >= 0 { changed[bit / 8] ^= 1 << UInt8(bit % 8) }
                if (try? body(changed)) != nil { accepted += 1 }
            }
        }
        return accepted
    }

    @Test func cameraProfiles() throws {
        let mosaic = try TestCamera.mosaic(16, 16) { _, _ in SIMD3(0.4, 0.3, 0.2) }
        let data = try DNGWriter().encode(
            mosaic: mosaic.codes.span, format: mosaic.format, metadata: mosaic.metadata)
        let photo = try DNGFile(data)
        let accepted = try replay("CameraProfile", step: 29) { bytes in
            let file = try photo.applying(CameraProfile(bytes: bytes))
            _ = try? RAWFilter(file: file).picture()
        }
        #expect(accepted > 50)
    }

    @Test func cubeLooks() throws {
        let accepted = try replay("CubeLook", step: 7) { bytes in
            let look = try CubeLook(text: bytes)
            for color in [SIMD3<Float>(0, 0, 0), SIMD3(1, 1, 1), SIMD3(0.1, 0.7, 0.3), SIMD3(-1, 2, 0.5)] {
                let result = look.color(for: color)
                #expect((0..<3).allSatisfy { (0...1).contains(result[$0]) })
            }
        }
        #expect(accepted > 50)
    }

    @Test func sidecars() throws {
        let photo = try RAWFilter(TestCamera.mosaic(24, 16) { _, _ in SIMD3(0.4, 0.3, 0.2) })
        let accepted = try replay("Sidecar", step: 31) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let sidecar = try DevelopSidecar(xmp: text)
            var filter = photo
            sidecar.apply(to: &filter)
            let (crop, size) = (sidecar.crop(of: filter), filter.nativeSize)
            if let crop {
                #expect(crop.left >= 0 && crop.top >= 0 && crop.width > 0 && crop.height > 0)
                #expect(crop.left + crop.width <= size.width && crop.top + crop.height <= size.height)
            }
            let written = DevelopSidecar(filter, crop: crop)
            let read = try DevelopSidecar(xmp: written.xmp())
            #expect(read.rating == written.rating)
            #expect(crop == nil || read.crop(of: filter) == crop)
            if let updated = try? written.xmp(updating: text) {
                #expect((try? DevelopSidecar(xmp: updated)) != nil)
            }
        }
        #expect(accepted > 50)
    }
}
