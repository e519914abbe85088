internal import DNG
internal import Glibc
internal import LosslessJPEG

/// Measures the lossless JPEG codec for Benchmarks/lossless_jpeg.py, which generates the pictures, runs the peers and
/// prints the ratios.
enum LosslessJPEGBenchmark {
    /// The width and height of the tiles in pixels. They divide the picture's size, so that edge tiles need no padding.
    private static let tile = (width: 576, height: 432)

    /// Runs one of the commands:
    ///
    /// - `encode SAMPLES HEIGHT COMPONENTS OUTPUT` encodes a file of samples as 12-bit tiles, then as a single JPEG;
    /// - `decode JPEG` decodes a JPEG.
    ///
    /// Prints the minimum processor time in seconds and, for `encode`, the size of all tiles in bytes.
    static func run(_ arguments: [String]) throws {
        if arguments.count == 5, arguments[0] == "encode", let height = Int(arguments[2]),
            let components = Int(arguments[3])
        {
            try encode(arguments[1], height: height, components: components, to: arguments[4])
        } else if arguments.count == 2, arguments[0] == "decode" {
            try decode(arguments[1])
        } else {
            throw DNGError(.badPicture, "invalid arguments: LosslessJPEGBenchmark.swift describes the commands")
        }
    }

    private static func encode(_ path: String, height: Int, components: Int, to output: String) throws {
        let bytes = try contents(of: path)
        let samples = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
        // A tile of a Bayer picture has as many samples per row as pixels, coded as two components at half the width.
        let samplesInTile = components == 2 ? tile.width : tile.width * components
        let frame = LosslessJPEGFrame(
            width: samplesInTile / components, height: tile.height, components: components, precision: 12)
        let stride = samples.count / height
        var encoder = try LosslessJPEGEncoder(frame)
        var encoded: [UInt8] = []
        try printLeast {
            encoded.removeAll(keepingCapacity: true)
            for top in Swift.stride(from: 0, to: height, by: tile.height) {
                for left in Swift.stride(from: 0, to: stride, by: samplesInTile) {
                    try encoder.encode(
                        samples.span.extracting((top * stride + left)...), stride: stride,
                        columns: min(samplesInTile, stride - left), rows: min(tile.height, height - top), into: &encoded
                    )
                }
            }
        }
        print(encoded.count)
        var whole = try LosslessJPEGEncoder(
            LosslessJPEGFrame(width: stride / components, height: height, components: components, precision: 12))
        encoded.removeAll(keepingCapacity: true)
        try whole.encode(samples.span, stride: stride, into: &encoded)
        try write(encoded, to: output)
    }

    private static func decode(_ path: String) throws {
        let bytes = try contents(of: path)
        var samples = [UInt16](repeating: 0, count: try LosslessJPEGDecoder.frame(of: bytes.span).sampleCount)
        var decoder = LosslessJPEGDecoder()
        try printLeast {
            var span = samples.mutableSpan
            try decoder.decode(bytes.span, into: &span)
        }
    }

    /// Runs `work` several times and prints its minimum processor time in seconds.
    private static func printLeast(_ work: () throws -> Void) throws {
        print(try (0..<5).map { _ in try Cost.of(work).processor }.min() ?? 0)
    }

    private static func contents(of path: String) throws -> [UInt8] {
        guard let file = unsafe fopen(path, "rb") else { throw DNGError(.cannotRead, "Cannot open \(path).") }
        defer { unsafe fclose(file) }
        unsafe fseek(file, 0, SEEK_END)
        var bytes = [UInt8](repeating: 0, count: unsafe ftell(file))
        unsafe rewind(file)
        guard unsafe fread(&bytes, 1, bytes.count, file) == bytes.count else {
            throw DNGError(.cannotRead, "Cannot read \(path).")
        }
        return bytes
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        guard let file = unsafe fopen(path, "wb") else { throw DNGError(.cannotRead, "Cannot create \(path).") }
        defer { unsafe fclose(file) }
        guard unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count else {
            throw DNGError(.cannotRead, "Cannot write \(path).")
        }
    }
}
