internal import Kernels
internal import PhotoMetadata
internal import RawImage

/// An encoder of a raw picture's tiles, and of the MD5 digests of the 256×256 fields of NewRawImageDigest.
///
/// *Thread-bound*: each core uses one encoder, whose scratch memory is reused from tile to tile.
@safe final class ChunkEncoder {
    private let plan: TileLayout
    private let curve: CompandingCurve?
    private let compressor: any TileCompressor
    private let bytesOfSample: Int
    /// Whether the file stores even rows before odd ones, and even columns before odd ones.
    private let isInterleaved: Bool
    private let samples: UnsafeMutablePointer<UInt16>

    init(_ coding: RawEncodingPlan) throws(GscapError) {
        plan = coding.plan
        curve = coding.curve
        compressor = try coding.compressor()
        // DNG computes NewRawImageDigest over 8-bit codes, and codes of a table with at most 256 entries, as single
        // bytes, over others as little-endian 16-bit words.
        bytesOfSample = coding.bits == 8 || coding.curve.map { $0.values.count <= 256 } ?? false ? 1 : 2
        isInterleaved = coding.isInterleaved
        unsafe samples = .allocate(capacity: coding.plan.maximumSamples)
    }

    deinit {
        unsafe samples.deallocate()
    }

    /// Encodes a tile and returns its compressed bytes; `pixels` points to the picture's first pixel.
    func encode(tile: Int, of pixels: UnsafePointer<UInt16>) throws(GscapError) -> [UInt8] {
        let area = plan.area(ofTile: tile)
        if isInterleaved { unsafe gatherInterleaved(area, pixels) } else { unsafe gather(area, pixels) }
        return try unsafe compressor.compress(
            TileSamples(
                start: samples, stride: area.width * plan.picture.samples, width: area.width, height: area.height))
    }

    /// Returns the MD5 digest of each digest field in a block, with the field's index in the picture. Fields of equal
    /// width are digested together, plane by plane and row by row, so that a row stays in a core's cache.
    func digests(ofBlock block: Int, of pixels: UnsafePointer<UInt16>) -> [(field: Int, digest: [UInt8])] {
        let area = plan.area(ofBlock: block)
        var groups = Dictionary(grouping: plan.fields(ofBlock: block), by: \.columns.count).map { width, fields in
            (
                fields: fields,
                digest: TileDigest(
                    width: width, height: area.height, stride: area.width, step: 1, bytesOfSample: bytesOfSample,
                    count: fields.count)
            )
        }
        for plane in 0..<plan.picture.samples {
            for row in 0..<area.height {
                unsafe gather(area, row: row, pixels, plane: plane)
                for index in groups.indices {
                    unsafe groups[index].digest.append(
                        row: groups[index].fields.map { unsafe UnsafePointer(samples + $0.columns.lowerBound) })
                }
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

    /// Copies an area's samples to the scratch memory `samples`, without gaps between rows, and applies the companding
    /// curve; alpha is left out.
    private func gather(_ area: PixelRectangle, _ pixels: UnsafePointer<UInt16>) {
        let picture = plan.picture
        for row in 0..<area.height {
            let (source, target) = unsafe (
                start(of: row, in: area, pixels), samples + row * area.width * picture.samples
            )
            if picture.channels == picture.samples {
                unsafe gather(source, area.width * picture.channels, step: 1, target)
            } else {
                unsafe gatherRGB(source, area.width, target)
            }
        }
    }

    /// Copies the samples of one plane in a row of an area to `samples`, and applies the companding curve.
    private func gather(_ area: PixelRectangle, row: Int, _ pixels: UnsafePointer<UInt16>, plane: Int) {
        let source = unsafe start(of: row, in: area, pixels) + plane
        unsafe gather(source, area.width, step: plan.picture.channels, samples)
    }

    /// Returns the first sample of an area's row.
    private func start(
        of row: Int, in area: PixelRectangle, _ pixels: UnsafePointer<UInt16>
    ) -> UnsafePointer<UInt16> {
        unsafe pixels + ((area.top + row) * plan.picture.stride + area.left * plan.picture.channels)
    }

    /// Copies an area's samples of a mosaic as `gather` does; the area is one of the stored picture, whose rows and
    /// columns are the even ones of the mosaic, then the odd ones.
    private func gatherInterleaved(_ area: PixelRectangle, _ pixels: UnsafePointer<UInt16>) {
        let picture = plan.picture
        let evenColumns = (picture.width + 1) / 2
        // The stored columns from the even half, and those from the odd one.
        let even = min(max(evenColumns - area.left, 0), area.width)
        let (firstEven, firstOdd) = (2 * area.left, 2 * (area.left + even - evenColumns) + 1)
        for row in 0..<area.height {
            let source = unsafe pixels + Self.interleaved(area.top + row, of: picture.height) * picture.stride
            let target = unsafe samples + row * area.width
            if even > 0 { unsafe gather(source + firstEven, even, step: 2, target) }
            if even < area.width { unsafe gather(source + firstOdd, area.width - even, step: 2, target + even) }
        }
    }

    /// Returns the row of the picture that is stored as row `index`.
    private static func interleaved(_ index: Int, of count: Int) -> Int {
        let evenRows = (count + 1) / 2
        return index < evenRows ? 2 * index : 2 * (index - evenRows) + 1
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

extension RawEncodingPlan {
    /// Creates the compressor of this picture's tiles.
    fileprivate func compressor() throws(GscapError) -> any TileCompressor {
        switch storage {
        case .uncompressed: try LosslessJPEGTileCompressor(self, predictor: 1)
        case .losslessJPEG(let predictor):
            try LosslessJPEGTileCompressor(self, predictor: max(predictor, 1))
        case .lossyJPEG(let quality): LossyJPEGTileCompressor(self, quality: quality)
        case .jpegXL(let distance, let effort): try JPEGXLTileCompressor(self, distance: distance, effort: effort)
        }
    }
}
