internal import PixelMemory
internal import RawImage

/// Chooses the reference frame among the first frames of a burst.
enum ReferenceChoice {
    /// The ratio of sharpness to the first frame that a later frame must exceed to become the reference: the first
    /// frame is preferred because it shows the moment of the press.
    private static let margin = 1.1
    /// How far the ratio must exceed that, in standard errors: in a soft scene most gradients are noise.
    private static let certainty = 3.0
    /// The fewest fields that can prove a difference.
    private static let leastFields = 5

    /// Returns the index of the sharpest frame, the one with the most gradient energy beyond noise; the first unless
    /// another is clearly sharper.
    static func sharpest(of frames: ArraySlice<Mosaic>, cores: Int?) -> Int {
        guard frames.count > 1 else { return 0 }
        var energies = [[Double]](repeating: [], count: frames.count)
        energies.withMutableView { energies in
            // Each frame is measured on a core.
            concurrently(frames.count, cores: cores) { index in
                let frame = frames[frames.startIndex + index]
                energies[index] = frame.codes.withView {
                    Sharpness($0, frame.format, frame.metadata, cores: 1).energies
                }
            }
        }
        var best = (index: 0, difference: (margin - 1) / (margin + 1))
        for index in energies.indices.dropFirst() {
            let difference = provenDifference(of: energies[index], to: energies[0])
            if difference > best.difference { best = (index, difference) }
        }
        return best.index
    }

    /// Returns by how much the gradient energy of another frame at least exceeds that of the first, as a fraction of
    /// their sum: the median over the half of the fields with the most energy, less its uncertainty.
    private static func provenDifference(of other: [Double], to first: [Double]) -> Double {
        // Noise may make one of the two energies negative; leaving that field out would favour the other frame.
        let pairs = zip(other, first).filter { $0 + $1 > 0 }.sorted { $0.0 + $0.1 > $1.0 + $1.1 }
        let differences = pairs.prefix((pairs.count + 1) / 2).map { ($0.0 - $0.1) / ($0.0 + $0.1) }
        guard differences.count >= leastFields else { return 0 }
        let median = median(differences)
        // The standard error of the median of a normal distribution, from the median deviation.
        let deviation = 1.4826 * Self.median(differences.map { abs($0 - median) })
        return median - certainty * 1.2533 * deviation / Double(differences.count).squareRoot()
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
