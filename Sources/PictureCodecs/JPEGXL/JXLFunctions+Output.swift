package import CJXL

extension JXLFunctions {
    /// Returns all output of a libjxl encoder whose input is closed; nil if encoding fails. `count` is the expected
    /// size in bytes.
    package func output(of encoder: OpaquePointer, expecting count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: max(count, 4096))
        var filled = 0
        while true {
            let (status, count) = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
                var next: UnsafeMutablePointer<UInt8>? = unsafe buffer.baseAddress.map { unsafe $0 + filled }
                var rest = buffer.count - filled
                let status = unsafe EncoderProcessOutput(encoder, &next, &rest)
                return (status, buffer.count - rest)
            }
            filled = count
            if status == JXL_ENC_SUCCESS { return Array(bytes[..<filled]) }
            guard status == JXL_ENC_NEED_MORE_OUTPUT else { return nil }
            bytes += [UInt8](repeating: 0, count: bytes.count)
        }
    }
}
