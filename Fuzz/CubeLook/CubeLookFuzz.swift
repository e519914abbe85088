// Fuzz target for .cube files: Tools/checks/fuzz CubeLook SECONDS

internal import Develop
internal import RawImage

/// Colours inside, at the edges of and outside the range of most tables.
private let colors: [SIMD3<Float>] = [
    SIMD3(0, 0, 0), SIMD3(1, 1, 1), SIMD3(0.1, 0.7, 0.3), SIMD3(0.9, 0.2, 0.21), SIMD3(-1, 2, 0.5),
]

/// A photo of 16×16 pixels.
private let photo: RAWFilter? = {
    let format = MosaicFormat(width: 16, height: 16, pattern: .rggb, bitDepth: 12)
    let codes = (0..<format.codeCount).map { UInt16($0 * 15) }
    return try? RAWFilter(Mosaic(format: format, metadata: FrameMetadata(bitDepth: 12), codes: codes))
}()

/// Entry point for libFuzzer: reads the bytes as a .cube file, maps colours with it, and renders a photo with it.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    guard let look = try? CubeLook(text: bytes) else { return 0 }
    for color in colors.map(look.color) {
        for channel in 0..<3 { precondition((0...1).contains(color[channel])) }
    }
    guard var filter = photo else { preconditionFailure("the photo is invalid") }
    filter.cubeLook = look
    let depth: Renderer.Output.Depth = count % 2 == 0 ? .eight : .sixteen
    precondition((try? filter.picture(depth: depth, cores: 1))?.samples.count == 768)
    return 0
}
