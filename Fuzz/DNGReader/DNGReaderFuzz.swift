// Fuzz target for the DNG reader: Tools/checks/fuzz DNGReader SECONDS

internal import DNG

/// Entry point for libFuzzer: opens the bytes as a DNG file, decodes all its contents, and writes it again.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    guard let file = try? DNGFile(bytes: bytes) else { return 0 }
    _ = (DNGSummary(file), file.xmp, file.unsupportedProfileTags)
    // Skip large pictures: they take long and reach no code that small ones do not.
    guard file.images.allSatisfy({ $0.width * $0.height <= 1 << 14 }) else { return 0 }
    for image in file.images {
        _ = try? file.storedSamples(image)
        _ = try? file.mosaic(image)
        _ = try? file.xTransMosaic(image)
        _ = try? file.linearImage(image)
        _ = try? file.preview(image)
        _ = try? file.previewJPEG(image)
    }
    _ = try? file.mattes()
    _ = try? file.depthMap()
    _ = try? file.originalRawFile()
    for profile in file.profiles { _ = try? file.applying(profile) }
    _ = file.verify()
    var transcoder = DNGTranscoder()
    _ = try? transcoder.encode(file)
    (transcoder.storage, transcoder.isStripped) = (.uncompressed, true)
    _ = try? transcoder.encode(file)
    return 0
}
