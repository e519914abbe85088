internal import RawImage

/// Merges the exposures of a bracket, band by band.
///
/// Other frames are demosaiced and seen from where the reference stood, so that each of its pixels meets its own colour.
/// Where they differ from it by no more than noise they are averaged, each at the weight of its own noise: shadows come
/// from long frames. Where the reference is clipped shorter frames replace it, if their surroundings agree.
struct BracketMerge: Sendable {
    let reference: BracketFrame
    /// The other frames: shorter ones first, the longest of them first of all.
    let views: [BracketView]
    let cores: Int?
    let latch: CancelLatch

    /// Where clipping begins and is complete, as shares of white, in codes of the sensor.
    static let referenceShoulder: ClosedRange<Float> = 0.96...0.99
    /// The same where more than one code counts.
    static let viewShoulder: ClosedRange<Float> = 0.92...0.98
    private static let bandHeight = 96

    /// What a merge gives beside the picture.
    struct Outcome {
        /// The share of each view that was merged.
        var shares: [Double]
        /// What is left of the variance of the reference's noise, on average.
        var rest: Double
    }

    /// Writes the merged mosaic, without gaps: signals times `scale` above `black`.
    func merge(scale: Float, black: Float, into codes: inout [UInt16]) -> Outcome {
        let format = reference.format
        let bands = (format.height + Self.bandHeight - 1) / Self.bandHeight
        let width = views.count + 1
        var tallies = [Float](repeating: 0, count: bands * width)
        unsafe codes.withUnsafeMutableBufferPointer { codes in
            unsafe tallies.withUnsafeMutableBufferPointer { tallies in
                // Bands write to rows and tallies of their own.
                nonisolated(unsafe) let (codes, tallies) = (codes.baseAddress, tallies.baseAddress)
                guard let codes = unsafe codes, let tallies = unsafe tallies else { return }
                concurrentBands(rows: format.height, of: Self.bandHeight, cores: cores) { rows in
                    if latch.isCancelled { return }
                    unsafe merge(
                        rows, scale, black, codes, tallies + rows.lowerBound / Self.bandHeight * width)
                }
            }
        }
        let quads = Double((format.width + 1) / 2 * ((format.height + 1) / 2))
        func total(_ index: Int) -> Double {
            Swift.stride(from: index, to: tallies.count, by: width).reduce(0) { $0 + Double(tallies[$1]) } / quads
        }
        return Outcome(shares: views.indices.map(total), rest: total(views.count))
    }

    private func merge(
        _ rows: Range<Int>, _ scale: Float, _ black: Float, _ codes: UnsafeMutablePointer<UInt16>,
        _ tallies: UnsafeMutablePointer<Float>
    ) {
        let band = unsafe BracketBand(rows, of: reference)
        defer { unsafe band.deallocate() }
        unsafe reference.codes.withUnsafeBufferPointer { codes in
            if let codes = codes.baseAddress { unsafe band.load(reference, codes) }
        }
        for (index, view) in views.enumerated() {
            if latch.isCancelled { return }
            unsafe tallies[index] = unsafe view.frame.codes.withUnsafeBufferPointer { codes in
                unsafe codes.baseAddress.map { unsafe band.merge(view, $0) } ?? 0
            }
        }
        unsafe tallies[views.count] = unsafe band.finish(scale: scale, black: black, codes)
    }
}

extension ClosedRange<Float> {
    /// From the one end to the other.
    var width: Float { upperBound - lowerBound }
}
