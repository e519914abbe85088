internal import Kernels
internal import RawImage

/// Turns pieces of a raw picture into bytes of a file, as one core does it: tiles, and the digests of fields.
///
/// *Thread-bound*, with memory of its own that serves one piece after the other.
@safe final class PieceEncoder {
    private let plan: TilePlan
    private let curve: CompandingCurve?
    private let compressor: any TileCompressor
    private let bytesOfSample: Int
    private let samples: UnsafeMutablePointer<UInt16>

    init(_ coding: PixelCoding) throws(DNGError) {
        plan = coding.plan
        curve = coding.curve
        compressor = try coding.compressor()
        // Codes of 8 bits are digested as bytes.
        bytesOfSample = coding.bits == 8 ? 1 : 2
        unsafe samples = .allocate(capacity: coding.plan.largestArea * coding.picture.samples)
    }

    deinit {
        unsafe samples.deallocate()
    }

    /// The bytes of a tile of the picture whose pixels begin at `pixels`.
    func encode(tile: Int, of pixels: UnsafePointer<UInt16>) throws(DNGError) -> [UInt8] {
        let area = plan.area(ofTile: tile)
        unsafe gather(area, pixels)
        return try unsafe compressor.compress(
            TileSamples(
                start: samples, stride: area.width * plan.picture.samples, width: area.width, height: area.height))
    }

    /// The digests of a block of fields, by the field's number in the picture: those of equal width at once.
    func digests(ofBlock block: Int, of pixels: UnsafePointer<UInt16>) -> [(field: Int, digest: [UInt8])] {
        let area = plan.area(ofBlock: block)
        unsafe gather(area, pixels)
        var result: [(field: Int, digest: [UInt8])] = []
        let step = plan.picture.samples
        for (width, fields) in Dictionary(grouping: plan.fields(ofBlock: block), by: \.columns.count) {
            let starts = unsafe fields.map { unsafe UnsafePointer(samples + $0.columns.lowerBound * step) }
            let digests = unsafe FieldDigest(
                width: width, height: area.height, stride: area.width * step, planes: step, step: step,
                bytesOfSample: bytesOfSample
            ).digests(of: starts)
            for (field, digest) in zip(fields, digests) { result.append((field.field, digest)) }
        }
        return result
    }

    /// Brings the samples of a part of the picture side by side, as codes of the file.
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
