internal import RawImage

extension DepthMap {
    /// Encodes the codes as the bytes of an uncompressed big-endian strip.
    var bytes: [UInt8] {
        if bitDepth == 8 { return codes.map { UInt8(truncatingIfNeeded: $0) } }
        return codes.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }
}
