internal import Kernels
internal import RawImage

/// Turns blocks of a raw picture into the tiles of a file and the digests of its fields, as one core does it.
///
/// *Thread-bound*, with memory of its own that serves one block after the other.
@safe final class BlockEncoder {
    /// What a block gives.
    struct Result: Sendable {
        /// The bytes of its tiles, from left to right.
        var tiles: [[UInt8]]
        /// The digest of each of its fields, by the field's number in the picture.
        var digests: [(field: Int, digest: [UInt8])]
    }

    private let plan: TilePlan
    private let curve: CompandingCurve?
    private let compressor: any TileCompressor
    private let bytesOfSample: Int?
    private let samples: UnsafeMutablePointer<UInt16>

    init(_ coding: PixelCoding) throws(DNGError) {
        self.plan = coding.plan
        curve = coding.curve
        compressor = try coding.compressor()
        // Codes of 8 bits are digested as bytes.
        bytesOfSample = coding.storage.hasDigest ? (coding.bits == 8 ? 1 : 2) : nil
        let plan = coding.plan
        let widest = (0..<plan.blockCount).map { plan.area(ofBlock: $0).width }.max() ?? 0
        unsafe samples = .allocate(capacity: max(1, widest * plan.tileHeight * plan.picture.samples))
    }

    deinit {
        unsafe samples.deallocate()
    }

    /// Encodes a block of the picture whose pixels begin at `pixels`.
    func encode(block: Int, of pixels: UnsafePointer<UInt16>) throws(DNGError) -> Result {
        let area = plan.area(ofBlock: block)
        unsafe gather(area, pixels)
        let stride = area.width * plan.picture.samples
        var tiles: [[UInt8]] = []
        for piece in plan.pieces(of: area, width: plan.tileWidth) {
            let start = unsafe samples + piece.lowerBound * plan.picture.samples
            let tile = unsafe TileSamples(start: start, stride: stride, width: piece.count, height: area.height)
            tiles.append(try unsafe compressor.compress(tile))
        }
        return Result(tiles: tiles, digests: bytesOfSample.map { digests(area, bytesOfSample: $0) } ?? [])
    }

    /// Brings the block's samples side by side, as codes of the file.
    private func gather(_ area: Area, _ pixels: UnsafePointer<UInt16>) {
        let picture = plan.picture
        let isMosaic = picture.pattern != nil
        let channels = isMosaic ? 1 : LinearFormat.channels
        for row in 0..<area.height {
            let source = unsafe pixels + ((area.top + row) * picture.stride + area.left * channels)
            let target = unsafe samples + row * area.width * picture.samples
            guard let curve else {
                if isMosaic {
                    unsafe target.update(from: source, count: area.width)
                } else {
                    unsafe copyRGB(source, count: area.width, into: target)
                }
                continue
            }
            unsafe curve.codes.withUnsafeBufferPointer { table in
                guard let table = table.baseAddress else { return }
                if isMosaic {
                    unsafe compand(source, count: area.width, table: table, into: target)
                } else {
                    unsafe compandRGB(source, count: area.width, table: table, into: target)
                }
            }
        }
    }

    /// The digests of the block's fields: those of equal width at once.
    private func digests(_ area: Area, bytesOfSample: Int) -> [(field: Int, digest: [UInt8])] {
        let pieces = plan.pieces(of: area, width: TilePlan.fieldSide)
        let first = area.top / TilePlan.fieldSide * plan.fieldColumns + area.left / TilePlan.fieldSide
        var result: [(field: Int, digest: [UInt8])] = []
        for (width, indices) in Dictionary(grouping: pieces.indices, by: { pieces[$0].count }) {
            let starts = unsafe indices.map {
                unsafe UnsafePointer(samples + pieces[$0].lowerBound * plan.picture.samples)
            }
            let digests = unsafe FieldDigest(
                width: width, height: area.height, stride: area.width * plan.picture.samples,
                planes: plan.picture.samples, step: plan.picture.samples, bytesOfSample: bytesOfSample
            ).digests(of: starts)
            for (index, digest) in zip(indices, digests) { result.append((first + index, digest)) }
        }
        return result
    }
}

/// The samples of a tile, which may be smaller than the file's tiles at the picture's edges.
@unsafe struct TileSamples {
    let start: UnsafePointer<UInt16>
    /// Samples from a row to the next.
    let stride: Int
    /// Pixels in a row.
    let width: Int
    let height: Int
}

/// Makes the bytes of tiles of one size.
protocol TileCompressor: AnyObject {
    /// The bytes of a tile, padded to the full size.
    func compress(_ tile: TileSamples) throws(DNGError) -> [UInt8]
}
