internal import PhotoMetadata
internal import RawImage
internal import Synchronization

/// A file that takes encoded tiles in their order.
protocol TileSink: AnyObject {
    /// Stores an encoded tile.
    func write(tile: Int, _ bytes: [UInt8]) throws(GscapError)
}

extension TIFFOutput: TileSink {}

/// A writer that encodes tiles on all cores and writes each as soon as its predecessors are written, so that few
/// encoded tiles wait in memory.
final class TileWriter {
    private let coding: RawEncodingPlan
    private let output: any TileSink
    /// Protects the properties below, and writing to `output`, from concurrent access.
    private let lock = Mutex(())
    private var encoders: [ChunkEncoder] = []
    private var waiting: [Int: [UInt8]] = [:]
    private var nextTile = 0
    private var fields: [UInt8]
    private var failure: GscapError?

    init(_ coding: RawEncodingPlan, _ output: any TileSink) {
        self.coding = coding
        self.output = output
        fields = [UInt8](repeating: 0, count: coding.plan.fieldCount * 16)
    }

    /// Encodes and writes all tiles. Returns the digest of the stored codes; nil for compressions without a digest.
    /// `digests` false computes none.
    func write(_ pixels: UnsafePointer<UInt16>, digests: Bool = true) throws(GscapError) -> RawDigest? {
        // nonisolated(unsafe): pixels are only read, and the writer's mutable state is guarded by the lock.
        nonisolated(unsafe) let (pixels, writer) = unsafe (pixels, self)
        let tiles = coding.plan.tileCount
        let blocks = digests && coding.storage.hasDigest ? coding.plan.blockCount : 0
        concurrentBands(rows: tiles + blocks, of: 1) { band in
            let piece = band.lowerBound
            unsafe writer.withEncoder { encoder throws(GscapError) in
                if piece < tiles {
                    unsafe writer.finish(piece, try encoder.encode(tile: piece, of: pixels))
                } else {
                    unsafe writer.finish(encoder.digests(ofBlock: piece - tiles, of: pixels))
                }
            }
        }
        if let failure { throw failure }
        return blocks > 0 ? RawDigest(fields: fields) : nil
    }

    /// Runs `work` with an encoder that no other thread uses; skips it after a failure or cancellation.
    private func withEncoder(_ work: (ChunkEncoder) throws(GscapError) -> Void) {
        var (idle, hasFailed) = (ChunkEncoder?.none, false)
        locked { (idle, hasFailed) = (encoders.popLast(), failure != nil) }
        if hasFailed { return }
        do throws(GscapError) {
            guard coding.shouldContinue() else { throw GscapError(.cancelled, "encoding the file was cancelled") }
            let encoder = if let idle { idle } else { try ChunkEncoder(coding) }
            try work(encoder)
            locked { encoders.append(encoder) }
        } catch {
            locked { failure = error }
        }
    }

    private func finish(_ digests: [(field: Int, digest: [UInt8])]) {
        locked {
            for (field, digest) in digests { fields.replaceSubrange(field * 16..<field * 16 + 16, with: digest) }
        }
    }

    private func finish(_ tile: Int, _ bytes: [UInt8]) {
        locked {
            waiting[tile] = bytes
            do throws(GscapError) {
                while let bytes = waiting.removeValue(forKey: nextTile) {
                    try output.write(tile: nextTile, bytes)
                    nextTile += 1
                }
            } catch {
                failure = error
            }
        }
    }

    private func locked(_ body: () -> Void) {
        lock.withLock { _ in body() }
    }
}

extension RawEncodingPlan {
    /// Encodes all pixels into the file's current directory. Returns the digest of the stored codes; nil for lossy JPEG
    /// and JPEG XL, whose NewRawImageDigest would not be of codes.
    func write(_ pixels: UnsafePointer<UInt16>, to output: TIFFOutput) throws(GscapError) -> RawDigest? {
        guard storage == .uncompressed else { return try unsafe TileWriter(self, output).write(pixels) }
        let start = try output.reserve(strips: picture.stripSizes)
        unsafe try output.fill(from: start) { unsafe picture.store(pixels, to: $0) }
        return try unsafe picture.digest(of: pixels)
    }
}
