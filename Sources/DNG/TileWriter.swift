internal import RawImage
internal import Synchronization

/// Encodes the tiles of a picture on all cores and writes them in order, each as soon as those before it are written: so
/// only few wait in memory.
final class TileWriter {
    private let coding: PixelCoding
    private let output: TIFFOutput
    /// Whoever holds it may touch what follows, and write.
    private let lock = Mutex(())
    private var encoders: [BlockEncoder] = []
    private var waiting: [Int: BlockEncoder.Result] = [:]
    private var nextBlock = 0
    private var nextTile = 0
    private var fields: [UInt8]
    private var failure: DNGError?

    init(_ coding: PixelCoding, _ output: TIFFOutput) {
        self.coding = coding
        self.output = output
        fields = [UInt8](repeating: 0, count: coding.plan.fieldCount * 16)
    }

    /// Writes all tiles. Gives the digest of their codes; nil for a storage that keeps them not exactly.
    func write(_ pixels: UnsafePointer<UInt16>) throws(DNGError) -> RawDigest? {
        // Pixels are only read, and what changes is behind the lock.
        nonisolated(unsafe) let (pixels, writer) = unsafe (pixels, self)
        concurrentBands(rows: coding.plan.blockCount, of: 1) { band in
            unsafe writer.encode(block: band.lowerBound, of: pixels)
        }
        if let failure { throw failure }
        return coding.storage.hasDigest ? RawDigest(fields: fields) : nil
    }

    private func encode(block: Int, of pixels: UnsafePointer<UInt16>) {
        var (encoder, hasFailed) = (BlockEncoder?.none, false)
        locked { (encoder, hasFailed) = (encoders.popLast(), failure != nil) }
        if hasFailed { return }
        do throws(DNGError) {
            let busy = if let encoder { encoder } else { try BlockEncoder(coding) }
            let result = try unsafe busy.encode(block: block, of: pixels)
            locked {
                encoders.append(busy)
                waiting[block] = result
                do throws(DNGError) { try writeFinished() } catch { failure = error }
            }
        } catch {
            locked { failure = error }
        }
    }

    private func locked(_ body: () -> Void) {
        lock.withLock { _ in body() }
    }

    private func writeFinished() throws(DNGError) {
        while let result = waiting.removeValue(forKey: nextBlock) {
            for tile in result.tiles {
                try output.write(tile: nextTile, tile)
                nextTile += 1
            }
            for (field, digest) in result.digests {
                fields.replaceSubrange(field * 16..<field * 16 + 16, with: digest)
            }
            nextBlock += 1
        }
    }
}
