internal import CLCMS
internal import RawImage

/// The conversion of pictures from their own colours to an ICC profile's, with Little CMS: relative colorimetric, with
/// black point compensation.
@safe struct ProfileConversion: @unchecked Sendable {
    // @unchecked Sendable: `transform` is the only field that is not Sendable. It is created without a cache
    // (cmsFLAGS_NOCACHE), so Little CMS only reads it in a conversion, and it is released after the last one.

    private let lcms: LCMSFunctions
    private let transform: Transform
    private let hasWideResult: Bool

    /// Owns the transform of the library.
    @safe private final class Transform {
        let handle: UnsafeMutableRawPointer
        private let lcms: LCMSFunctions

        init(_ handle: UnsafeMutableRawPointer, _ lcms: LCMSFunctions) {
            (unsafe self.handle, self.lcms) = unsafe (handle, lcms)
        }

        deinit { unsafe lcms.DeleteTransform(handle) }
    }

    /// Prepares the conversion; the result has 16-bit samples if `hasWideResult`, otherwise 8-bit samples.
    init(from color: PictureColor, to profile: OutputProfile, hasWideResult: Bool) throws(GscapError) {
        lcms = try LCMSLibrary.functions()
        self.hasWideResult = hasWideResult
        let source = ICCProfile(color: color).bytes
        var functions = lcms
        let handle = unsafe gscap_lcms_transform(
            &functions, source, source.count, profile.bytes, profile.bytes.count, hasWideResult)
        guard let handle = unsafe handle else {
            throw GscapError(
                .unsupported, "Little CMS cannot convert to the ICC profile: it is damaged, or has no output tables")
        }
        transform = unsafe Transform(handle, lcms)
    }

    /// Returns the picture with samples of the profile's device. Its `color` stays, and no longer describes them.
    func converted(_ picture: Picture) throws(GscapError) -> Picture {
        let samples: Picture.Samples =
            hasWideResult
            ? .words(converted(picture, zero: UInt16(0))) : .bytes(converted(picture, zero: UInt8(0)))
        return try GscapError.recoding(
            as: .badPicture,
            try Picture(width: picture.width, height: picture.height, color: picture.color, samples: samples))
    }

    private func converted<Sample: BitwiseCopyable>(_ picture: Picture, zero: Sample) -> [Sample] {
        let count = picture.width * picture.height * Picture.channels
        return unsafe [Sample](unsafeUninitializedCapacity: count) { target, filled in
            filled = count
            guard let target = target.baseAddress else { return }
            // Safe: the bands are disjoint, and all are written when concurrentBands returns.
            nonisolated(unsafe) let base = unsafe target
            concurrentBands(rows: picture.height, of: 16) { rows in
                let codes = picture.codes(rows, maximum: 65_535)
                let start = rows.lowerBound * picture.rowCount
                unsafe lcms.DoTransform(
                    transform.handle, codes, base + start, UInt32(clamping: rows.count * picture.width))
            }
        }
    }
}
