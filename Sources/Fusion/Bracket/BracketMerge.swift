internal import PixelMemory
internal import RawImage

/// Merges the exposures of a bracket, band by band.
///
/// Other frames are demosaiced and resampled at the reference's viewpoint, so that each pixel is compared with the same
/// colour. Where they differ by no more than noise they are averaged with inverse-variance weights, so shadows come
/// from long exposures. Where the reference is clipped, shorter exposures replace it if their surroundings agree.
struct BracketMerge: Sendable {
    let reference: BracketFrame
    /// The other frames: first the shorter exposures, from the longest of them to the shortest, then the longer ones,
    /// the longest first.
    let views: [BracketView]
    let cores: Int?
    let latch: CancelLatch

    /// The range over which the reference fades from unclipped to clipped, as fractions of its code range.
    static let referenceShoulder: ClosedRange<Float> = 0.96...0.99
    /// The range over which another frame fades from unclipped to clipped, as fractions of its code range. It begins
    /// lower than the reference's, because values of other frames are interpolated from several codes.
    static let viewShoulder: ClosedRange<Float> = 0.92...0.98
    private static let bandHeight = 96

    /// Statistics of a merge.
    struct Outcome {
        /// The mean weight of each view, 0…1.
        var meanWeights: [Double]
        /// The mean remaining fraction of the reference's noise variance.
        var remainingVariance: Double
    }

    /// Stores the merged mosaic without row padding: signals times `scale`, plus `black`.
    func merge(scale: Float, black: Float, into codes: inout [UInt16]) -> Outcome {
        let format = reference.format
        let bands = (format.height + Self.bandHeight - 1) / Self.bandHeight
        let width = views.count + 1
        var tallies = [Float](repeating: 0, count: bands * width)
        codes.withMutableView { codes in
            tallies.withMutableView { tallies in
                // Concurrent bands write to different rows and tallies.
                concurrentBands(rows: format.height, of: Self.bandHeight, cores: cores) { rows in
                    if latch.isCancelled { return }
                    merge(
                        rows, scale, black, codes,
                        tallies.part(rows.lowerBound / Self.bandHeight * width, count: width))
                }
            }
        }
        let quads = Double((format.width + 1) / 2 * ((format.height + 1) / 2))
        func total(_ index: Int) -> Double {
            Swift.stride(from: index, to: tallies.count, by: width).reduce(0) { $0 + Double(tallies[$1]) } / quads
        }
        return Outcome(meanWeights: views.indices.map(total), remainingVariance: total(views.count))
    }

    private func merge(
        _ rows: Range<Int>, _ scale: Float, _ black: Float, _ codes: MutableMemoryView<UInt16>,
        _ tallies: MutableMemoryView<Float>
    ) {
        let band = BracketBand(rows, of: reference)
        reference.codes.withView { band.load(reference, $0) }
        for (index, view) in views.enumerated() {
            if latch.isCancelled { return }
            tallies[index] = view.frame.codes.withView { band.merge(view, $0) }
        }
        tallies[views.count] = band.finish(scale: scale, black: black, codes)
    }
}

extension ClosedRange<Float> {
    /// The difference between the range's upper and lower bound.
    var width: Float { upperBound - lowerBound }
}
