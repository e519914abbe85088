// Fuzz target for camera profiles (DCP files): Tools/checks/fuzz CameraProfile SECONDS

internal import DNG
internal import Develop
internal import RawImage

/// The photo that profiles are applied to: a mosaic of 16×16 pixels.
private let photo: DNGFile? = {
    let format = MosaicFormat(width: 16, height: 16, pattern: .rggb, bitDepth: 12)
    let codes = (0..<format.codeCount).map { UInt16($0 * 15) }
    var writer = DNGWriter()
    (writer.storage, writer.previewSide) = (.uncompressed, 16)
    let data = try? writer.encode(mosaic: codes.span, format: format, metadata: FrameMetadata(bitDepth: 12))
    return data.flatMap { try? DNGFile($0) }
}()

/// Entry point for libFuzzer: opens the bytes as a DCP file and renders a photo with it.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    guard let photo else { preconditionFailure("the photo cannot be encoded") }
    guard let profile = try? CameraProfile(bytes: bytes), let file = try? photo.applying(profile) else { return 0 }
    precondition(file.metadata.problem == nil)
    guard let filter = try? RAWFilter(file: file) else { return 0 }
    precondition((try? filter.picture(cores: 1))?.samples.count != 0)
    return 0
}
