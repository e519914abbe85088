import DNG
import RawImage
import Testing

/// Tests of every pixel storage: decoded pixels and tags.
@Suite struct StorageTests {
    /// Returns a horizontal gradient from black (level 0, as in fused photos) to white, with the noise that its noise
    /// profile describes.
    static func photo(_ width: Int, _ height: Int, iso: Double = 400) throws -> LinearImage {
        let format = LinearFormat(width: width, height: height)
        let noise = NoiseProfile(shot: iso * 1e-7, read: iso * iso * 1e-14)
        var dice = Dice(seed: 7)
        var values = [UInt16](repeating: .max, count: format.valueCount)
        for row in 0..<height {
            for column in 0..<width {
                // A cubic ramp, so that the columns cover fourteen stops or more.
                let light = Double(column + 1) / Double(width)
                let signal = light * light * light
                for channel in 0..<3 {
                    let sum = (0..<12).reduce(-6.0) { sum, _ in sum + Double(dice.next() >> 11) / 0x1p53 }
                    let value = signal + sum * noise.variance(at: signal).squareRoot()
                    values[row * format.stride + column * 4 + channel] = UInt16(min(max(value, 0), 1) * 65_535)
                }
            }
        }
        var metadata = TestPictures.metadata(bitDepth: 16)
        metadata.blackLevel = [0, 0, 0, 0]
        metadata.whiteLevel = 65_535
        metadata.noise = [noise, noise, noise]
        return try LinearImage(format: format, metadata: metadata, values: values)
    }

    private func writer(_ storage: PixelStorage, bits: Int? = nil) -> DNGWriter {
        var writer = DNGWriter()
        writer.storage = storage
        writer.bitDepth = bits
        return writer
    }

    @Test(arguments: 1...7, [(1, 1), (2, 3), (511, 255), (512, 256), (513, 257), (2049, 33)])
    func predictorsKeepEveryCode(predictor: Int, size: (Int, Int)) throws {
        let mosaic = try TestPictures.mosaic(size.0, size.1, pattern: .gbrg)
        let file = try DNGFile(bytes: writer(.losslessJPEG(predictor: predictor)).encode(mosaic))
        let same = try file.mosaic().codes == mosaic.codes
        #expect(same)
        #expect(file.verify().isEmpty, "\(file.verify())")
        let linear = try TestPictures.linear(size.0, size.1)
        let linearFile = try DNGFile(bytes: writer(.losslessJPEG(predictor: predictor), bits: 16).encode(linear))
        let sameValues = try linearFile.linearImage().values == linear.values
        #expect(sameValues)
        #expect(linearFile.verify().isEmpty, "\(linearFile.verify())")
    }

    /// Full-range 16-bit noise is incompressible, and overflowed libjxl's buffer at effort 1.
    @Test(arguments: 1...3) func noiseInAllBitsGoesThroughJPEGXL(effort: Int) throws {
        let format = MosaicFormat(width: 300, height: 280, pattern: .rggb, bitDepth: 16, stride: 300)
        var dice = Dice(seed: 3)
        let codes = (0..<format.stride * format.height).map { _ in UInt16(truncatingIfNeeded: dice.next()) }
        let mosaic = try Mosaic(format: format, metadata: TestPictures.metadata(bitDepth: 16), codes: codes)
        let file = try DNGFile(bytes: writer(.jpegXL(effort: effort)).encode(mosaic))
        let same = try file.mosaic().codes == codes
        #expect(same)
    }

    @Test(arguments: [PixelStorage.losslessJPEG(), .jpegXL()])
    func encodingIsCancelled(storage: PixelStorage) throws {
        var writer = writer(storage)
        writer.shouldContinue = { false }
        let mosaic = try TestPictures.mosaic(61, 43)
        let error = #expect(throws: DNGError.self) { try writer.encode(mosaic) }
        #expect(error?.code == .cancelled)
    }

    @Test(arguments: [PixelStorage.uncompressed, .jpegXL()])
    func otherLosslessStoragesKeepEveryCode(storage: PixelStorage) throws {
        for (width, height) in [(16, 16), (61, 43), (513, 257)] {
            let mosaic = try TestPictures.mosaic(width, height, bitDepth: 14)
            let file = try DNGFile(bytes: writer(storage).encode(mosaic))
            let same = try file.mosaic().codes == mosaic.codes
            #expect(same)
            let linear = try TestPictures.linear(width, height)
            let linearFile = try DNGFile(bytes: writer(storage).encode(linear))
            let sameValues = try linearFile.linearImage().values == linear.values
            #expect(sameValues)
            #expect(file.verify().isEmpty && linearFile.verify().isEmpty)
        }
    }

    @Test func codesBeyondTheBitDepthAreStored() throws {
        var mosaic = try TestPictures.mosaic(64, 48, bitDepth: 12)
        mosaic.codes[5] = 40_000
        let file = try DNGFile(bytes: DNGWriter().encode(mosaic))
        #expect(try file.mosaic().codes[5] == 40_000)
        #expect(file.main?.bitsPerSample == 16)
    }

    /// A bracket's shadows may have less noise than the darkest step of 12 bits.
    @Test(arguments: [(0.0, 1e-12, 12), (3, 1e-12, 16), (3, 1e-6, 12)])
    func aBracketHasTheBitsOfItsShadows(_ headroom: Double, _ read: Double, _ bits: Int) throws {
        var photo = try TestPictures.linear(64, 48)
        photo.metadata.noise = [NoiseProfile(shot: 1e-5, read: read)]
        photo.metadata.fusion = FusionReport()
        photo.metadata.fusion?.headroom = headroom
        let file = try DNGFile(bytes: DNGWriter().encode(photo))
        #expect(file.main?.bitsPerSample == bits)
        let isExact = try file.linearImage().values == photo.values
        #expect(isExact == (bits == 16))
    }

    @Test(arguments: [8, 9, 10, 11, 12, 13, 14, 15], [50.0, 400, 6400])
    func compandingErrorIsBelowTheNoise(bits: Int, iso: Double) throws {
        let photo = try Self.photo(512, 64, iso: iso)
        let file = try DNGFile(bytes: writer(.losslessJPEG(), bits: bits).encode(photo))
        #expect(file.main?.bitsPerSample == max(bits, 9))
        #expect(file.verify().isEmpty, "\(file.verify())")
        let stored = try file.storedSamples()
        let table = stored.linearizationTable
        #expect(table.count == 1 << bits)
        #expect(table.first == 0 && table.last == 65_535)
        #expect(zip(table, table.dropFirst()).allSatisfy { $0 < $1 })
        let back = try file.linearImage()
        let noise = photo.metadata.noise[0]
        var worst = 0.0
        for column in stride(from: 0, to: 512, by: 8) {
            var square = 0.0
            for row in 0..<64 {
                let index = row * back.format.stride + column * 4
                square += pow2(Double(back.values[index]) - Double(photo.values[index]))
            }
            let light = Double(column + 1) / 512
            let deviation = noise.variance(at: light * light * light).squareRoot() * 65_535
            // The noise counts as 0.5 codes at least, since rounding to integers alone gives an error of up to half a
            // code.
            worst = max(worst, (square / 64).squareRoot() / max(deviation, 0.5))
        }
        // With 12 bits or more the companding error is below half the noise; each bit less doubles that limit.
        #expect(worst < (bits >= 12 ? 0.5 : 0.5 * Double(1 << (12 - bits))), "\(worst)")
    }

    private func pow2(_ value: Double) -> Double { value * value }

    @Test func twelveBitsReachFourteenStopsDown() throws {
        for iso in [25.0, 400, 25_600] {
            let file = try DNGFile(bytes: DNGWriter().encode(Self.photo(64, 16, iso: iso)))
            let table = try file.storedSamples().linearizationTable
            #expect(table.count == 4096)
            #expect(table[1] <= 65_535 >> 14)
        }
    }

    @Test func theCurveFollowsTheNoise() throws {
        let noisy = try DNGFile(bytes: DNGWriter().encode(Self.photo(64, 16, iso: 12_800))).storedSamples()
        let clean = try DNGFile(bytes: DNGWriter().encode(Self.photo(64, 16, iso: 25))).storedSamples()
        #expect(noisy.linearizationTable != clean.linearizationTable)
    }

    @Test func qualityBelowOneIsSmallAndNear() throws {
        let photo = try Self.photo(640, 480)
        var lossy = DNGWriter()
        lossy.customize(DNGCustomization(quality: 0.9))
        let file = try DNGFile(bytes: lossy.encode(photo))
        #expect(file.main?.compression == .lossyJPEG)
        #expect(file.main?.bitsPerSample == 8)
        #expect(file.statedDigest == nil)
        #expect(try file.byteCount < DNGWriter().encode(photo).count / 2)
        #expect(file.verify().isEmpty, "\(file.verify())")
        let back = try file.linearImage()
        let pairs = zip(back.values, photo.values).map { (Double($0), Double($1)) }
        let mean = pairs.map { $0.1 }.reduce(0, +) / Double(pairs.count)
        #expect(pairs.map { abs($0.0 - $0.1) }.reduce(0, +) / Double(pairs.count) < mean * 0.02)
    }

    @Test func ignoredBitDepthIsReported() {
        #expect(DNGCustomization(bitDepth: 10, quality: 0.95).warning?.contains("ignored") == true)
        #expect(DNGCustomization(bitDepth: 10).warning == nil)
        #expect(DNGCustomization(quality: 0.95).warning == nil)
    }

    @Test func impossibleStoragesAreRefused() throws {
        let mosaic = try TestPictures.mosaic(20, 20)
        for writer in [
            writer(.losslessJPEG(predictor: 8)), writer(.losslessJPEG(), bits: 17), writer(.lossyJPEG(quality: 0.9)),
            writer(.jpegXL(distance: 99)), writer(.losslessJPEG(), bits: 7),
        ] {
            let error = #expect(throws: DNGError.self) { try writer.encode(mosaic) }
            #expect(error?.code == .badPicture)
        }
    }
}
