// Fuzz target for XMP sidecars: Tools/checks/fuzz Sidecar SECONDS

internal import Develop
internal import RawImage

/// A photo of 24×16 pixels.
private let photo: RAWFilter? = {
    let format = MosaicFormat(width: 24, height: 16, pattern: .rggb, bitDepth: 12)
    let codes = (0..<format.codeCount).map { UInt16($0 * 10) }
    return try? RAWFilter(Mosaic(format: format, metadata: FrameMetadata(bitDepth: 12), codes: codes))
}()

/// Entry point for libFuzzer: reads the bytes as a sidecar, renders a photo with its settings, and updates the sidecar.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    guard let sidecar = try? DevelopSidecar(xmp: text) else { return 0 }
    guard var filter = photo else { preconditionFailure("the photo is invalid") }
    sidecar.apply(to: &filter)
    let (crop, size) = (sidecar.crop(of: filter), filter.nativeSize)
    if let crop {
        precondition(crop.left >= 0 && crop.top >= 0 && crop.width > 0 && crop.height > 0)
        precondition(crop.left + crop.width <= size.width && crop.top + crop.height <= size.height)
    }
    precondition((try? filter.picture(crop: crop, cores: 1))?.samples.count != 0)
    let written = DevelopSidecar(filter, crop: crop)
    guard let packet = try? written.xmp(), let read = try? DevelopSidecar(xmp: packet) else {
        preconditionFailure("a new packet is not read")
    }
    precondition(read.rating == written.rating && read.orientation == written.orientation)
    precondition(crop == nil || read.crop(of: filter) == crop)
    if let updated = try? written.xmp(updating: text) { precondition((try? DevelopSidecar(xmp: updated)) != nil) }
    return 0
}
