internal import RawImage

/// An upper bound on the samples that compressed bytes can hold, checked before memory is allocated, so that a small
/// malicious file cannot demand gigabytes.
enum SampleLimit {
    /// Returns the maximum number of samples that `bytes` bytes of the picture's compression can decode to.
    static func samples(of image: DNGImage, in bytes: Int) -> Int {
        let most: (samples: Int, bytes: Int) =
            switch image.compression {
            case .none: (8, max(image.bitsPerSample, 8))
            // Lossless JPEG: a Huffman code has at least one bit per sample.
            case .jpeg where ![Photometric.gray, Photometric.rgb, Photometric.yCbCr].contains(image.photometric): (8, 1)
            // 1032 is zlib's highest ratio; baseline JPEG needs at least about a bit for each block of 64 samples.
            case .jpeg, .lossyJPEG, .deflate: (1032, 1)
            default: (16_384, 1)
            }
        let (product, overflow) = bytes.multipliedReportingOverflow(by: most.samples)
        let bound = overflow ? .max : product / most.bytes
        return image.compression == .jpegXL ? max(bound, 1 << 24) : bound
    }

    /// Throws unless `bytes` bytes can decode to `samples` samples; `place` names the data in the error.
    static func check(_ image: DNGImage, samples: Int, bytes: Int, place: String) throws(GscapError) {
        guard samples > Self.samples(of: image, in: bytes) else { return }
        throw GscapError(
            .malformed,
            "\(place) has \(samples) samples, more than the file has bytes for (\(bytes) of \(image.compression)); "
                + "it may be cut off")
    }
}
