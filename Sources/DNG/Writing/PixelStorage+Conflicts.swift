extension PixelStorage {
    /// The error message for options that contradict this storage, so that one of them would have no effect; nil if all
    /// apply. Options that were not given are nil.
    ///
    /// Lossless JPEG with a quality below 1 stands for lossy JPEG, as in `DNGWriter.customize(_:)`.
    package func conflict(bitDepth: Int? = nil, quality: Double? = nil, predictor: Int? = nil) -> String? {
        let isLossy = quality.map { $0 < 1 } ?? false
        switch self {
        case .uncompressed:
            if isLossy {
                return "uncompressed samples have no quality: leave it out, or use jpeg-xl or lossless, then lossy JPEG"
            }
            if predictor != nil { return "uncompressed samples have no predictor: leave it out, or use lossless" }
            return depthConflict(bitDepth, 16, "uncompressed samples have")
        case .jpegXL:
            if predictor != nil { return "JPEG XL takes no predictor: leave it out, or use lossless" }
            return depthConflict(bitDepth, 16, "JPEG XL samples have")
        case .losslessJPEG, .lossyJPEG:
            guard isLossy || compression == .lossyJPEG else { return nil }
            if predictor != nil {
                return "a quality below 1 stores lossy JPEG, which has no predictor: leave out one of them"
            }
            return depthConflict(bitDepth, 8, "a quality below 1 stores lossy JPEG, whose samples have")
        }
    }

    private func depthConflict(_ bitDepth: Int?, _ bits: Int, _ subject: String) -> String? {
        guard let bitDepth, bitDepth != bits else { return nil }
        let remedy = bits == 8 ? "leave out one of them" : "leave it out, or use lossless"
        return "\(subject) \(bits) bits, so a bit depth of \(bitDepth) is not possible: \(remedy)"
    }
}

extension DNGCustomization {
    /// A warning that some readers show the file wrongly; nil if none is known to. `bits` are those of the picture's
    /// values: 16 for a linear photo.
    ///
    /// dcraw and RawTherapee 5.9 read the first 4096 entries of a LinearizationTable only, enough for 12 bits.
    package func readerWarning(bits: Int) -> String? {
        guard quality == 1, let bitDepth, (13...15).contains(bitDepth), bitDepth < bits else { return nil }
        return "RawTherapee 5.9 and dcraw show files of \(bitDepth) bits in wrong colours; 12 bits or fewer, and 16, "
            + "open everywhere"
    }
}
