internal import CTurboJPEG

/// A decoder of DCT-based JPEG (baseline, progressive): previews and lossy 8-bit raw chunks.
enum DCTJPEGDecoder {
    /// A decoded JPEG: its size in pixels and its samples, interleaved.
    struct DecodedImage {
        let width: Int
        let height: Int
        let samples: [UInt8]
    }

    /// Decodes a JPEG of 1 or 3 samples per pixel; throws unless it has at least `width`×`height` pixels and at most
    /// `limit` samples.
    static func decode(
        _ bytes: [UInt8], samples: Int, width: Int, height: Int, limit: Int
    ) throws(GscapError) -> DecodedImage {
        guard samples == 1 || samples == 3 else {
            throw GscapError(.unsupported, "JPEG with \(samples) samples a pixel is not supported; only 1 or 3 are")
        }
        guard let decoder = unsafe tjInitDecompress() else {
            throw GscapError(.noMemory, "there is no memory for a JPEG decoder")
        }
        defer { unsafe tjDestroy(decoder) }
        var (columns, rows, subsampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        guard
            unsafe tjDecompressHeader3(
                decoder, bytes, UInt(bytes.count), &columns, &rows, &subsampling, &colors) == 0
        else { throw GscapError(.malformed, "its JPEG header is damaged: \(unsafe message(decoder))") }
        let (fullWidth, fullHeight) = (Int(columns), Int(rows))
        let isGray = colors == Int32(TJCS_GRAY.rawValue)
        let isColor = colors == Int32(TJCS_RGB.rawValue) || colors == Int32(TJCS_YCbCr.rawValue)
        guard samples == 1 ? isGray : isColor else {
            throw GscapError(.malformed, "its JPEG stream does not have \(samples) samples a pixel")
        }
        guard fullWidth >= width, fullHeight >= height, fullWidth * fullHeight * samples <= limit else {
            throw GscapError(
                .malformed,
                "its JPEG stream is of \(fullWidth)×\(fullHeight) pixels where \(width)×\(height) are needed")
        }
        let format = samples == 1 ? TJPF_GRAY : TJPF_RGB
        let flags = TJFLAG_LIMITSCANS | TJFLAG_STOPONWARNING
        var pixels = [UInt8](repeating: 0, count: fullWidth * fullHeight * samples)
        let result = unsafe tjDecompress2(
            decoder, bytes, UInt(bytes.count), &pixels, columns, 0, rows, Int32(format.rawValue), flags)
        guard result == 0 else {
            throw GscapError(.malformed, "its JPEG stream is damaged: \(unsafe message(decoder))")
        }
        return DecodedImage(width: fullWidth, height: fullHeight, samples: pixels)
    }

    private static func message(_ decoder: tjhandle) -> String {
        unsafe tjGetErrorStr2(decoder).map { unsafe String(cString: $0) } ?? "libjpeg gives no reason"
    }
}
