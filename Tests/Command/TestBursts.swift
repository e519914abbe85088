import DNG
import RawImage
import TemporaryFolders

/// A small Bayer DNG with the metadata that a test specifies.
struct TestFrame {
    var width = 64
    var height = 48
    /// The time of capture in seconds after a fixed date; nil for a file without a time.
    var time: Double? = 0
    var exposureTime = 0.01
    var iso = 400.0
    var noise = [NoiseProfile(shot: 1e-4, read: 4e-6)]
    var pattern = BayerPattern.rggb
    /// The code of every pixel; nil for a scene with texture and noise.
    var code: UInt16?

    /// Encodes the frame as a DNG. `seed` varies the noise.
    func bytes(seed: Int = 0) throws -> DNGData {
        let format = MosaicFormat(width: width, height: height, pattern: pattern, bitDepth: 12)
        var metadata = FrameMetadata(bitDepth: 12)
        metadata.blackLevel = [256, 256, 256, 256]
        metadata.whiteLevel = 4000
        metadata.exposureTime = exposureTime
        metadata.iso = iso
        metadata.noise = noise
        metadata.make = "gscap"
        metadata.model = "Test"
        if let time { metadata.wallClock = 1_790_000_000_000_000 + Int64((time * 1e6).rounded()) }
        let codes = scene(seed: seed)
        return try DNGWriter().encode(mosaic: codes.span, format: format, metadata: metadata)
    }

    private func scene(seed: Int) -> [UInt16] {
        var noise = UInt32(truncatingIfNeeded: seed &* 2_654_435 &+ 1)
        return (0..<width * height).map { index in
            noise = noise &* 1_664_525 &+ 1_013_904_223
            let scene = 600 + (index / width / 6 + index % width / 6) % 5 * 400
            return code ?? UInt16(scene + Int(noise >> 27))
        }
    }
}

extension TemporaryFolder {
    /// Writes a frame to the folder as a DNG and returns its path. The file name determines the noise.
    @discardableResult
    func write(_ frame: TestFrame, to name: String) throws -> String {
        var seed = 0
        for byte in name.utf8 { seed = (seed * 31 + Int(byte)) % 100_003 }
        let data = try frame.bytes(seed: seed)
        let bytes = data.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
        try write(bytes: bytes, to: name)
        return path(name)
    }
}
