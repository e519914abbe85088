internal import PixelMemory
internal import RawImage

/// Chooses the reference frame among the first frames of a burst.
enum ReferenceChoice {
    /// The ratio of sharpness to the first frame that a later frame must exceed to become the reference: the first
    /// frame is preferred because it shows the moment of the press.
    private static let margin = 1.1

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
        var best = (index: 0, ratio: margin)
        for index in energies.indices.dropFirst() {
            let ratio = ratio(energies[index], energies[0])
            if ratio > best.ratio { best = (index, ratio) }
        }
        return best.index
    }

    /// Returns the median ratio of gradient energy of another frame to the first, over the half of the fields with the
    /// most energy.
    private static func ratio(_ other: [Double], _ first: [Double]) -> Double {
        let pairs = zip(other, first).filter { $0 > 0 && $1 > 0 }.sorted { $0.0 + $0.1 > $1.0 + $1.1 }
        let ratios = pairs.prefix((pairs.count + 1) / 2).map { $0.0 / $0.1 }.sorted()
        return ratios.isEmpty ? 1 : ratios[ratios.count / 2]
    }
}
