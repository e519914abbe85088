import DNG
import RawImage

/// A deterministic random number generator (xorshift).
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed | 1
    }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }
}

/// Synthetic pictures: mosaics of a gradient with noise, and linear photos of noise in every bit.
enum TestPictures {
    static func mosaic(
        _ width: Int, _ height: Int, pattern: BayerPattern = .rggb, bitDepth: Int = 12, stride: Int? = nil
    ) throws -> Mosaic {
        let format = MosaicFormat(width: width, height: height, pattern: pattern, bitDepth: bitDepth, stride: stride)
        var dice = Dice(seed: UInt64(width * 65_536 + height))
        let limit = UInt32(1) << UInt32(bitDepth)
        let codes = (0..<format.codeCount).map { i -> UInt16 in
            let ramp = UInt32(i % format.stride) * limit / UInt32(format.stride)
            return UInt16(min(limit - 1, (ramp + UInt32(truncatingIfNeeded: dice.next()) % (limit / 8))))
        }
        return try Mosaic(format: format, metadata: metadata(bitDepth: bitDepth), codes: codes)
    }

    static func linear(_ width: Int, _ height: Int, stride: Int? = nil) throws -> LinearImage {
        let format = LinearFormat(width: width, height: height, stride: stride)
        var dice = Dice(seed: UInt64(width * 65_536 + height))
        var values = (0..<format.valueCount).map { _ in UInt16(truncatingIfNeeded: dice.next()) }
        for row in 0..<height {
            for column in 0..<width { values[row * format.stride + column * 4 + 3] = .max }
        }
        var metadata = metadata(bitDepth: 16)
        metadata.blackLevel = [1024, 1024, 1024, 1024]
        return try LinearImage(format: format, metadata: metadata, values: values)
    }

    /// Metadata with a non-default value in every field.
    static func metadata(bitDepth: Int) -> FrameMetadata {
        var metadata = FrameMetadata(bitDepth: bitDepth)
        let scale = Double(1 << (bitDepth - 8))
        metadata.exposureTime = 1.0 / 60
        metadata.iso = 400
        metadata.blackLevel = [4 * scale, 4.25 * scale, 4.5 * scale, 4.75 * scale]
        metadata.whiteLevel = 250 * scale
        metadata.neutral = SIMD3(0.5, 1, 0.625)
        metadata.calibrations = [
            ColorCalibration(
                illuminant: .standardA,
                colorMatrix: Matrix3(SIMD3(0.9, -0.3, -0.1), SIMD3(-0.4, 1.2, 0.2), SIMD3(-0.1, 0.2, 0.6)),
                forwardMatrix: Matrix3(
                    SIMD3(0.6, 0.3, 0.0642), SIMD3(0.25, 0.85, -0.1), SIMD3(0.05, -0.1, 0.8751))),
            ColorCalibration(
                illuminant: .d65,
                colorMatrix: Matrix3(SIMD3(0.8, -0.25, -0.1), SIMD3(-0.45, 1.25, 0.2), SIMD3(-0.1, 0.25, 0.5)),
                forwardMatrix: Matrix3(
                    SIMD3(0.55, 0.35, 0.0642), SIMD3(0.2, 0.9, -0.1), SIMD3(0.05, -0.15, 0.9251))),
        ]
        metadata.noise = [
            NoiseProfile(shot: 0.0004, read: 0.000_002), NoiseProfile(shot: 0.0003, read: 0.000_001),
            NoiseProfile(shot: 0.0005, read: 0.000_003),
        ]
        metadata.isNoiseEstimated = true
        metadata.wallClock = 1_790_000_000_123_456
        metadata.orientation = 6
        metadata.make = "gscap"
        metadata.model = "Test Camera"
        return metadata
    }
}

extension DNGWriter {
    /// Encodes a mosaic as a DNG and returns the file's bytes.
    func encode(_ mosaic: Mosaic) throws -> [UInt8] {
        try encode(mosaic: mosaic.codes.span, format: mosaic.format, metadata: mosaic.metadata).bytes
    }

    /// Encodes a linear photo as a DNG and returns the file's bytes.
    func encode(_ image: LinearImage) throws -> [UInt8] {
        try encode(linear: image.values.span, format: image.format, metadata: image.metadata).bytes
    }
}

extension DNGData {
    /// A copy of the file's bytes.
    var bytes: [UInt8] {
        withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
    }
}
