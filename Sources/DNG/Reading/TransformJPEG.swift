internal import CTurboJPEG

/// Decodes JPEG that is coded by cosine transform: previews, and raw pictures of 8 bits.
enum TransformJPEG {
    /// Decoded samples, pixel by pixel.
    struct Picture {
        let width: Int
        let height: Int
        let samples: [UInt8]
    }

    /// Decodes a stream of 1 or 3 samples a pixel that shows at least `width` by `height` and at most `most` samples.
    static func decode(
        _ bytes: [UInt8], samples: Int, width: Int, height: Int, most: Int
    ) throws(DNGError) -> Picture {
        guard samples == 1 || samples == 3 else {
            throw DNGError(.unsupported, "JPEG with \(samples) samples a pixel is not read, only 1 or 3")
        }
        guard let decoder = unsafe tjInitDecompress() else {
            throw DNGError(.noMemory, "there is no memory for a JPEG decoder")
        }
        defer { unsafe tjDestroy(decoder) }
        var (given, rows, subsampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        guard
            unsafe tjDecompressHeader3(
                decoder, bytes, UInt(bytes.count), &given, &rows, &subsampling, &colors) == 0
        else { throw DNGError(.malformed, "its JPEG header is broken: \(unsafe message(decoder))") }
        let (fullWidth, fullHeight) = (Int(given), Int(rows))
        let isGray = colors == Int32(TJCS_GRAY.rawValue)
        let isColor = colors == Int32(TJCS_RGB.rawValue) || colors == Int32(TJCS_YCbCr.rawValue)
        guard samples == 1 ? isGray : isColor else {
            throw DNGError(.malformed, "its JPEG stream does not have \(samples) samples a pixel")
        }
        guard fullWidth >= width, fullHeight >= height, fullWidth * fullHeight * samples <= most else {
            throw DNGError(
                .malformed,
                "its JPEG stream is of \(fullWidth)×\(fullHeight) pixels where \(width)×\(height) are wanted")
        }
        let format = samples == 1 ? TJPF_GRAY : TJPF_RGB
        let flags = TJFLAG_LIMITSCANS | TJFLAG_STOPONWARNING
        var pixels = [UInt8](repeating: 0, count: fullWidth * fullHeight * samples)
        let result = unsafe tjDecompress2(
            decoder, bytes, UInt(bytes.count), &pixels, given, 0, rows, Int32(format.rawValue), flags)
        guard result == 0 else { throw DNGError(.malformed, "its JPEG stream is broken: \(unsafe message(decoder))") }
        return Picture(width: fullWidth, height: fullHeight, samples: pixels)
    }

    private static func message(_ decoder: tjhandle) -> String {
        unsafe tjGetErrorStr2(decoder).map { unsafe String(cString: $0) } ?? "libjpeg gives no reason"
    }
}
