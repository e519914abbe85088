// Fuzz target for ICC output profiles: Tools/checks/fuzz OutputProfile SECONDS

internal import PictureFiles
internal import RawImage

/// A picture of 8×8 pixels.
private let picture: Picture? = {
    let samples = (0..<192).map { UInt8($0) }
    return try? Picture(width: 8, height: 8, color: .sRGB, samples: .bytes(samples))
}()

/// Entry point for libFuzzer: reads the bytes as an ICC profile, converts a picture to it, and encodes that.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    guard let profile = try? OutputProfile(bytes: bytes), let picture else { return 0 }
    var encoding = PictureEncoding(count % 2 == 0 ? .png : .tiff)
    encoding.outputProfile = profile
    precondition((try? encoding.encode(picture))?.isEmpty != true)
    return 0
}
