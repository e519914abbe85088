internal import RawImage
internal import Synchronization

/// The choice of a picture's predictor of lossless JPEG: a sample of its tiles is encoded with each of the seven.
struct PredictorChoice {
    private let coding: RawEncodingPlan

    /// The number of tiles of the sample.
    private static let sampleTiles = 4
    /// The least saving, as a fraction, for which another predictor than 1 is chosen: not every reader supports others.
    private static let leastSaving = 0.005

    init(_ coding: RawEncodingPlan) {
        self.coding = coding
    }

    /// Returns the predictor with the smallest sample; 1 unless another one saves half a percent.
    func best(of pixels: UnsafePointer<UInt16>) throws(GscapError) -> Int {
        let sizes = Mutex([Int](repeating: 0, count: 8))
        let failure = Mutex<GscapError?>(nil)
        // nonisolated(unsafe): pixels are only read.
        nonisolated(unsafe) let pixels = unsafe pixels
        concurrentBands(rows: 7, of: 1) { band in
            let predictor = band.lowerBound + 1
            do throws(GscapError) {
                let size = try unsafe size(of: pixels, predictor: predictor)
                sizes.withLock { $0[predictor] = size }
            } catch {
                failure.withLock { $0 = error }
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
        let found = sizes.withLock { $0 }
        let best = (1...7).min { found[$0] < found[$1] } ?? 1
        return Double(found[best]) < Double(found[1]) * (1 - Self.leastSaving) ? best : 1
    }

    /// Returns the bytes of the sample's tiles, which are spread evenly over the picture, with a predictor.
    private func size(of pixels: UnsafePointer<UInt16>, predictor: Int) throws(GscapError) -> Int {
        let encoder = try ChunkEncoder(coding.with(predictor: predictor))
        let count = min(Self.sampleTiles, coding.plan.tileCount)
        var size = 0
        for index in 0..<count {
            guard coding.shouldContinue() else { throw GscapError(.cancelled, "encoding the file was cancelled") }
            let tile = (2 * index + 1) * coding.plan.tileCount / (2 * count)
            size += try unsafe encoder.encode(tile: tile, of: pixels).count
        }
        return size
    }
}
