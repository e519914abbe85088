import DNG
import RawImage
import TemporaryFolders

/// A small raw file as a camera makes it: a DNG of a model that LibRaw knows, without the tags that make it a DNG.
struct TestCameraRaw {
    var time = 0.0
    var exposureTime = 0.01

    func bytes(seed: Int = 0) throws -> [UInt8] {
        var metadata = FrameMetadata(bitDepth: 14)
        metadata.blackLevel = [512, 512, 512, 512]
        metadata.whiteLevel = 15_360
        (metadata.make, metadata.model) = ("SONY", "ILCE-7M2")
        (metadata.exposureTime, metadata.iso) = (exposureTime, 400)
        metadata.wallClock = 1_790_000_000_000_000 + Int64((time * 1e6).rounded())
        let format = MosaicFormat(width: 128, height: 96, pattern: .rggb, bitDepth: 14)
        var writer = DNGWriter()
        writer.storage = .uncompressed
        let codes = scene(seed: seed, format)
        let data = try writer.encode(mosaic: codes.span, format: format, metadata: metadata)
        var bytes = data.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
        hideVersions(&bytes)
        return bytes
    }

    private func scene(seed: Int, _ format: MosaicFormat) -> [UInt16] {
        var noise = UInt32(truncatingIfNeeded: seed &* 2_654_435 &+ 1)
        return (0..<format.codeCount).map { index in
            noise = noise &* 1_664_525 &+ 1_013_904_223
            let (row, column) = (index / format.width, index % format.width)
            let light = 2000 + (row / 12 + column / 12) % 5 * 1800
            // Green is the brightest colour in daylight.
            let isGreen = (row + column) % 2 == 1
            return UInt16((isGreen ? light : light / 2) + Int(noise >> 26))
        }
    }

    /// Gives DNGVersion and DNGBackwardVersion (50706 and 50707) numbers that no specification uses.
    private func hideVersions(_ bytes: inout [UInt8]) {
        func number(_ offset: Int, _ size: Int) -> Int { bytes[offset..<offset + size].reduce(0) { $0 << 8 | Int($1) } }
        let start = number(4, 4)
        for entry in 0..<number(start, 2) {
            let offset = start + 2 + 12 * entry
            let tag = number(offset, 2)
            if tag == 50_706 || tag == 50_707 { bytes[offset + 1] -= 2 }
        }
    }
}

extension TemporaryFolder {
    /// Writes a camera's raw file to the folder and returns its path.
    @discardableResult
    func write(_ raw: TestCameraRaw, to name: String, seed: Int = 0) throws -> String {
        try write(bytes: try raw.bytes(seed: seed), to: name)
        return path(name)
    }
}
