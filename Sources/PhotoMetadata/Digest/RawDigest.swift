public import RawImage

/// The digest of a picture's stored codes, as DNG's NewRawImageDigest has it: equal digests mean equal pixels.
///
/// The codes are cut into tiles of 256×256; each tile is digested plane after plane, and the digests of the tiles
/// are digested in reading order. So several tiles can be digested at once.
public struct RawDigest: Sendable, Hashable, CustomStringConvertible {
    /// The 16 bytes.
    public let bytes: [UInt8]

    /// The digest that a file holds; nil when there are not 16 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// The digest of a mosaic.
    public init(mosaic codes: Span<UInt16>, format: MosaicFormat) throws(RawImageError) {
        try format.check(count: codes.count)
        self.init(Grid(width: format.width, height: format.height, stride: format.stride, planes: 1, step: 1), codes)
    }

    /// The digest of a linear photo's red, green and blue.
    public init(linear values: Span<UInt16>, format: LinearFormat) throws(RawImageError) {
        try format.check(count: values.count)
        self.init(
            Grid(
                width: format.width, height: format.height, stride: format.stride, planes: 3,
                step: LinearFormat.channels), values)
    }

    /// The digest of a picture whose fields have these digests, one behind the other in reading order.
    package init(fields digests: [UInt8]) {
        bytes = MD5.digest(digests)
    }

    /// The digest of samples that follow each other pixel by pixel. `inBytes` tells that they are 8-bit codes, which are
    /// digested as bytes.
    package init(samples: [UInt16], width: Int, height: Int, planes: Int, inBytes: Bool) {
        var grid = Grid(width: width, height: height, stride: width * planes, planes: planes, step: planes)
        grid.bytesOfSample = inBytes ? 1 : 2
        self.init(grid, samples.span)
    }

    /// 32 hexadecimal digits.
    public var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private init(_ grid: Grid, _ codes: Span<UInt16>) {
        var digests = [UInt8](repeating: 0, count: grid.tileCount * 16)
        let batches = grid.batches
        unsafe digests.withUnsafeMutableBufferPointer { digests in
            // Each batch writes the digests of its own tiles only, all of them inside the array.
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

/// How a picture is cut into tiles, and where its codes lie.
private struct Grid: Sendable {
    let width: Int
    let height: Int
    let stride: Int
    let planes: Int
    /// Codes from a pixel to the next.
    let step: Int
    /// 1 for codes of 8 bits, 2 for all others.
    var bytesOfSample = 2

    private static let side = 256

    private var columns: Int { (width + Self.side - 1) / Self.side }
    private var rows: Int { (height + Self.side - 1) / Self.side }
    var tileCount: Int { columns * rows }

    /// The tiles by eights of equal size.
    var batches: [[Int]] {
        let classes = [Int: [Int]](grouping: 0..<tileCount) { size(of: $0).width << 16 | size(of: $0).height }
        return classes.keys.sorted(by: >).flatMap { key -> [[Int]] in
            let tiles = classes[key, default: []]
            return Swift.stride(from: 0, to: tiles.count, by: 8).map { Array(tiles[$0..<min($0 + 8, tiles.count)]) }
        }
    }

    func digests(of tiles: [Int], in codes: UnsafePointer<UInt16>) -> [(tile: Int, digest: [UInt8])] {
        let size = size(of: tiles[0])
        var digest = FieldDigest(
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
