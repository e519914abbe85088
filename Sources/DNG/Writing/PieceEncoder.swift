internal import Kernels
internal import PhotoMetadata
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
        unsafe samples = .allocate(capacity: coding.plan.mostSamples)
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

    /// The digests of a block of fields, by the field's number in the picture: those of equal width at once, and plane after
    /// plane, so that little memory is needed.
    func digests(ofBlock block: Int, of pixels: UnsafePointer<UInt16>) -> [(field: Int, digest: [UInt8])] {
        let area = plan.area(ofBlock: block)
        var groups = Dictionary(grouping: plan.fields(ofBlock: block), by: \.columns.count).map { width, fields in
            (
                fields: fields,
                digest: FieldDigest(
                    width: width, height: area.height, stride: area.width, step: 1, bytesOfSample: bytesOfSample,
                    count: fields.count)
            )
        }
        for plane in 0..<plan.picture.samples {
            unsafe gather(area, pixels, plane: plane)
            for index in groups.indices {
                unsafe groups[index].digest.append(
                    groups[index].fields.map { unsafe UnsafePointer(samples + $0.columns.lowerBound) })
            }
        }
        var result: [(field: Int, digest: [UInt8])] = []
        for index in groups.indices {
            for (field, digest) in zip(groups[index].fields, groups[index].digest.finish()) {
                result.append((field.field, digest))
            }
        }
        return result
    }

    /// Brings the samples of a part of the picture side by side, as codes of the file: of one plane, or of all.
    private func gather(_ area: PixelRectangle, _ pixels: UnsafePointer<UInt16>, plane: Int? = nil) {
        let picture = plan.picture
        let channels = picture.pattern == nil ? LinearFormat.channels : 1
        let stride = area.width * (plane == nil ? picture.samples : 1)
        for row in 0..<area.height {
            let source = unsafe pixels + ((area.top + row) * picture.stride + area.left * channels)
            let target = unsafe samples + row * stride
            if channels > 1, plane == nil {
                unsafe gatherRGB(source, area.width, target)
            } else {
                unsafe gather(source + (plane ?? 0), area.width, step: channels, target)
            }
        }
    }

    private func gatherRGB(_ source: UnsafePointer<UInt16>, _ count: Int, _ target: UnsafeMutablePointer<UInt16>) {
        guard let curve else { return unsafe copyRGB(source, count: count, into: target) }
        unsafe curve.codes.withUnsafeBufferPointer { table in
            guard let table = table.baseAddress else { return }
            unsafe compandRGB(source, count: count, table: table, into: target)
        }
    }

    private func gather(
        _ source: UnsafePointer<UInt16>, _ count: Int, step: Int, _ target: UnsafeMutablePointer<UInt16>
    ) {
        guard let curve else { return unsafe copyPlane(source, step: step, count: count, into: target) }
        unsafe curve.codes.withUnsafeBufferPointer { table in
            guard let table = table.baseAddress else { return }
            unsafe compand(source, step: step, count: count, table: table, into: target)
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
