internal import RawImage

/// MD5 of fields of equal size, up to eight at once: plane after plane, low byte first.
struct FieldDigest {
    let width: Int
    let height: Int
    /// Samples from a row to the next.
    let stride: Int
    let planes: Int
    /// Samples from a pixel to the next.
    let step: Int
    /// 1 for codes of 8 bits, 2 for all others.
    let bytesOfSample: Int

    /// The digests of the fields that begin at the given samples.
    func digests(of starts: [UnsafePointer<UInt16>]) -> [[UInt8]] {
        if bytesOfSample == 1 { return unsafe starts.map { unsafe MD5.digest(bytes($0)) } }
        var result: [[UInt8]] = []
        for eight in unsafe Swift.stride(from: 0, to: starts.count, by: 8) {
            let lanes = unsafe Array(starts[eight..<min(eight + 8, starts.count)])
            var md5 = MD5(run: width)
            for plane in 0..<planes {
                for row in 0..<height {
                    unsafe md5.append(count: width, step: step) { lane in
                        // Lanes without a field repeat the first one.
                        unsafe lanes[lane < lanes.count ? lane : 0] + (row * stride + plane)
                    }
                }
            }
            unsafe result += md5.finish().prefix(lanes.count)
        }
        return result
    }

    private func bytes(_ start: UnsafePointer<UInt16>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * planes)
        for plane in 0..<planes {
            for row in 0..<height {
                for column in 0..<width {
                    bytes.append(UInt8(truncatingIfNeeded: unsafe start[row * stride + column * step + plane]))
                }
            }
        }
        return bytes
    }
}
