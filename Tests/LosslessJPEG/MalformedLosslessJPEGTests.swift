import Foundation
import LosslessJPEG
import RandomSequences
import Testing

/// Tests that damaged lossless JPEGs throw descriptive errors, without traps, hangs or out-of-bounds reads.
@Suite struct MalformedLosslessJPEGTests {
    private func samples(_ count: Int) -> [UInt16] { LosslessJPEGTests.Content.noise.samples(count, precision: 12) }

    /// Decodes a JPEG that should have `count` samples; returns the error, if any.
    private func error(_ bytes: [UInt8], count: Int) -> GscapError? {
        // Meant to drop spare capacity, in which a sanitizer would not detect reads past the array's end.
        let bytes = Array(bytes)
        var decoder = LosslessJPEGDecoder()
        var samples = [UInt16](repeating: 0, count: count)
        var span = samples.mutableSpan
        do throws(GscapError) {
            try decoder.decode(bytes.span, into: &span)
            return nil
        } catch {
            return error
        }
    }

    private func whole(_ change: (inout HandmadeLosslessJPEG) -> Void = { _ in }) -> [UInt8] {
        var jpeg = HandmadeLosslessJPEG()
        change(&jpeg)
        return jpeg.bytes(of: samples(jpeg.width * jpeg.height * jpeg.components))
    }

    @Test func everyTruncationIsAnError() {
        for rows in [0, 1, 3] {
            let whole = whole { $0.restartRows = rows }
            #expect(error(whole, count: 40) == nil)
            for count in 0..<whole.count - 2 {
                let error = error(Array(whole.prefix(count)), count: 40)
                #expect(error?.code == .malformed, "\(count) of \(whole.count) bytes")
            }
        }
    }

    @Test func everyFlippedBitIsSurvived() {
        for rows in [0, 2] {
            let whole = whole { $0.restartRows = rows }
            var refused = 0
            for bit in 0..<whole.count * 8 {
                var bytes = whole
                bytes[bit / 8] ^= 1 << UInt8(bit % 8)
                if error(bytes, count: 40) != nil { refused += 1 }
            }
            #expect(refused > 300)
            #expect(refused < whole.count * 8)
        }
    }

    @Test func randomBytesAreSurvived() {
        let whole = whole()
        var dice = SeededRandom(5)
        var refused = 0
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &dice) {
                bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
            }
            if error(bytes, count: 40) != nil { refused += 1 }
        }
        #expect(refused > 5000)
    }

    @Test func errorsSayWhatIsWrong() throws {
        func expect(_ bytes: [UInt8], _ words: String, _ code: GscapError.Code = .malformed, count: Int = 40) {
            let error = error(bytes, count: count)
            #expect(error?.code == code)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "no error")")
        }
        /// Returns the JPEG with the byte at `offset` from a marker's start changed.
        func changed(_ marker: UInt8, _ offset: Int, _ byte: UInt8) throws -> [UInt8] {
            var bytes = whole()
            let start = try #require(bytes.indices.dropLast().first { bytes[$0] == 255 && bytes[$0 + 1] == marker })
            bytes[start + offset] = byte
            return bytes
        }
        expect([], "does not start as a JPEG does")
        expect([0xFF, 0xD8, 0xFF, 0xD9], "ends before its pixels, at its byte 2")
        expect([0xFF, 0xD8, 0x12, 0x34], "no marker where one must be, at its byte 2")
        expect(whole(), "5×4 pixels of 2 samples where 41", count: 41)
        expect(try changed(0xC3, 1, 0xC0), "FF C0", .unsupported)
        expect(try changed(0xC3, 4, 17), "17 bits a sample")
        expect(try changed(0xC3, 8, 0), "0×4 pixels")
        expect(try changed(0xC3, 9, 5), "5 components")
        expect(try changed(0xC3, 11, 0x21), "sampled 2×1", .unsupported)
        expect(try changed(0xC4, 4, 0x10), "numbered 16")
        expect(whole { $0.counts = [[5] + [UInt8](repeating: 0, count: 14) + [12]] }, "more codes than there can be")
        expect(try changed(0xC4, 21, 17), "differences of more than 16 bits")
        expect(try changed(0xDA, 4, 1), "several scans", .unsupported)
        expect(try changed(0xDA, 5, 9), "another component")
        expect(try changed(0xDA, 6, 0x30), "uses Huffman table 3")
        expect(try changed(0xDA, 9, 0), "predictor 0")
        expect(try changed(0xDA, 11, 12), "drops 12 of its 12 bits")
        expect(try changed(0xE1, 2, 0xFF), "a segment of 65285 bytes, which is cut off")
        expect(whole { $0.restartRows = 2 }.replacing(0xD0, with: 0xD3), "lacks restart marker 0")
        expect(whole { $0.restartRows = 2 }.replacing([0, 4, 0, 10], with: [0, 4, 0, 9]), "restarts every 9 pixels")
    }

    /// Each JPEG of the fuzzing corpus decodes or throws, both unchanged and with each bit flipped.
    @Test func theCorpusIsSurvived() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fuzz/LosslessJPEG/Corpus").standardizedFileURL
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
        var intact = 0
        for name in names {
            let bytes = try Array(Data(contentsOf: folder.appending(path: name)))
            for bit in -1..<bytes.count * 8 {
                var bytes = bytes
                if bit >= 0 { bytes[bit / 8] ^= 1 << UInt8(bit % 8) }
                guard let frame = try? LosslessJPEGDecoder.frame(of: bytes.span), frame.sampleCount < 100_000 else {
                    continue
                }
                let error = error(bytes, count: frame.sampleCount)
                if bit < 0, error == nil { intact += 1 }
            }
        }
        #expect(intact >= 8)
    }
}

extension [UInt8] {
    fileprivate func replacing(_ byte: UInt8, with other: UInt8) -> [UInt8] {
        replacing([255, byte], with: [255, other])
    }
}
