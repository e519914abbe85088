internal import Kernels
public import RawImage

/// The MD5 digest of an image's stored codes (DNG's NewRawImageDigest): equal digests mean equal samples.
///
/// The image is divided into tiles of 256×256 pixels. Each tile is digested plane by plane, and the tiles' digests are
/// digested in reading order; therefore several tiles can be processed at the same time.
public struct RawDigest: Sendable, Hashable, CustomStringConvertible {
    /// The 16 bytes of the digest.
    public let bytes: [UInt8]

    /// Creates a digest from its bytes; nil unless there are 16.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Computes the digest of a mosaic; throws when there are too few codes for the format.
    public init(mosaic codes: Span<UInt16>, format: MosaicFormat) throws(GscapError) {
        try format.check(count: codes.count)
        self.init(Grid(width: format.width, height: format.height, stride: format.stride, planes: 1, step: 1), codes)
    }

    /// Computes the digest of a linear photo's red, green and blue samples; throws when there are too few for the
    /// format.
    public init(linear values: Span<UInt16>, format: LinearFormat) throws(GscapError) {
        try format.check(count: values.count)
        self.init(
            Grid(
                width: format.width, height: format.height, stride: format.stride, planes: 3,
                step: LinearFormat.channels), values)
    }

    /// Computes the digest of an image from the concatenated digests of its tiles in reading order.
    package init(fields digests: [UInt8]) {
        bytes = MD5.digest(digests)
    }

    /// Computes the digest of interleaved samples without row padding. With `inBytes` they are 8-bit codes, which are
    /// digested as single bytes.
    package init(samples: [UInt16], width: Int, height: Int, planes: Int, inBytes: Bool) {
        var grid = Grid(width: width, height: height, stride: width * planes, planes: planes, step: planes)
        grid.bytesOfSample = inBytes ? 1 : 2
        self.init(grid, samples.span)
    }

    /// The digest as 32 lower-case hexadecimal digits.
    public var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private init(_ grid: Grid, _ codes: Span<UInt16>) {
        var digests = [UInt8](repeating: 0, count: grid.tileCount * 16)
        let batches = grid.batches
        unsafe digests.withUnsafeMutableBufferPointer { digests in
            // Safe: each batch writes only the digests of its own tiles, all within the array.
            nonisolated(unsafe) let digests = unsafe digests
            unsafe codes.withUnsafeBufferPointer { codes in
                guard let base = codes.baseAddress else { return }
                nonisolated(unsafe) let pixels = unsafe base
                concurrentBands(rows: batches.count, of: 1) { band in
                    for (tile, digest) in unsafe grid.digests(of: batches[band.lowerBound], in: pixels) {
                        for i in 0..<16 { unsafe digests[tile * 16 + i] = digest[i] }
                    }
                }
            }
        }
        self.init(fields: digests)
    }
}

/// The division of an image into tiles for its digest, and the layout of the image's samples in memory.
private struct Grid: Sendable {
    let width: Int
    let height: Int
    let stride: Int
    let planes: Int
    /// Distance between neighbouring pixels, in samples.
    let step: Int
    /// Number of bytes digested per sample: 1 for 8-bit codes, 2 for all others.
    var bytesOfSample = 2

    private static let side = 256

    private var columns: Int { (width + Self.side - 1) / Self.side }
    private var rows: Int { (height + Self.side - 1) / Self.side }
    var tileCount: Int { columns * rows }

    /// The tile indices in groups of up to sixteen tiles of equal size, which TileDigest processes together.
    var batches: [[Int]] {
        let classes = [Int: [Int]](grouping: 0..<tileCount) { size(of: $0).width << 16 | size(of: $0).height }
        return classes.keys.sorted(by: >).flatMap { key -> [[Int]] in
            let tiles = classes[key, default: []]
            return Swift.stride(from: 0, to: tiles.count, by: digestMessageCount).map {
                Array(tiles[$0..<min($0 + digestMessageCount, tiles.count)])
            }
        }
    }

    func digests(of tiles: [Int], in codes: UnsafePointer<UInt16>) -> [(tile: Int, digest: [UInt8])] {
        let size = size(of: tiles[0])
        var digest = TileDigest(
            width: size.width, height: size.height, stride: stride, step: step, bytesOfSample: bytesOfSample,
            count: tiles.count)
        for plane in 0..<planes { unsafe digest.append(tiles.map { unsafe codes + (offset(of: $0) + plane) }) }
        return zip(tiles, digest.finish()).map { (tile: $0, digest: $1) }
    }

    private func size(of tile: Int) -> (width: Int, height: Int) {
        (
            min(Self.side, width - tile % columns * Self.side),
            min(Self.side, height - tile / columns * Self.side)
        )
    }

    private func offset(of tile: Int) -> Int {
        tile / columns * Self.side * stride + tile % columns * Self.side * step
    }
}
