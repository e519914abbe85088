internal import RawImage

/// How many samples a number of bytes can hold. It is asked before memory is taken.
enum SampleBound {
    /// The most samples; nothing valid has more.
    static func samples(of image: DNGImage, in bytes: Int) -> Int {
        let most: (samples: Int, bytes: Int) =
            switch image.compression {
            case .none: (8, max(image.bitsPerSample, 8))
            // Every sample takes a bit at least.
            case .jpeg where ![Photometric.gray, Photometric.rgb, Photometric.yCbCr].contains(image.photometric): (8, 1)
            // The most that zlib can do; a block of 64 samples in JPEG takes a bit and, over many blocks, hardly more.
            case .jpeg, .lossyJPEG, .deflate: (1032, 1)
            default: (16_384, 1)
            }
        let (product, overflow) = bytes.multipliedReportingOverflow(by: most.samples)
        let bound = overflow ? .max : product / most.bytes
        return image.compression == .jpegXL ? max(bound, 1 << 24) : bound
    }

    /// Throws unless `bytes` can hold `samples`.
    static func check(_ image: DNGImage, samples: Int, bytes: Int, place: String) throws(DNGError) {
        guard samples > Self.samples(of: image, in: bytes) else { return }
        throw DNGError(
            .malformed,
            "\(place) has \(samples) samples, more than the file has bytes for (\(bytes) of \(image.compression)); it may be "
                + "cut off")
    }
}
