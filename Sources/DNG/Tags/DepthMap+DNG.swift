internal import RawImage

extension DepthMap {
    /// The codes as a file stores them: high byte first.
    var bytes: [UInt8] {
        if bitDepth == 8 { return codes.map { UInt8(truncatingIfNeeded: $0) } }
        return codes.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }
}
