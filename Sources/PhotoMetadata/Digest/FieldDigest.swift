internal import RawImage

/// MD5 of up to eight fields of equal size at once, which come plane after plane; low byte first.
package struct FieldDigest {
    private let width: Int
    private let height: Int
    private let stride: Int
    private let step: Int
    private let count: Int
    private var md5: MD5
    /// What came of each field, where codes of 8 bits are digested as bytes.
    private var bytes: [[UInt8]]?

    /// A digest of `count` fields; `stride` samples lie from a row to the next, `step` from a pixel to the next.
    package init(width: Int, height: Int, stride: Int, step: Int, bytesOfSample: Int, count: Int) {
        self.width = width
        self.height = height
        self.stride = stride
        self.step = step
        self.count = count
        md5 = MD5(run: width)
        bytes = bytesOfSample == 1 ? Array(repeating: [], count: count) : nil
    }

    /// Appends a plane of each field, which begins at the given sample.
    package mutating func append(_ starts: [UnsafePointer<UInt16>]) {
        if bytes != nil { return unsafe appendBytes(starts) }
        for row in 0..<height {
            unsafe md5.append(count: width, step: step) { lane in
                // Lanes without a field repeat the first one.
                unsafe starts[lane < starts.count ? lane : 0] + row * stride
            }
        }
    }

    private mutating func appendBytes(_ starts: [UnsafePointer<UInt16>]) {
        for field in unsafe starts.indices {
            let start = unsafe starts[field]
            for row in 0..<height {
                for column in 0..<width {
                    bytes?[field].append(UInt8(truncatingIfNeeded: unsafe start[row * stride + column * step]))
                }
            }
        }
    }

    /// The digests of the fields.
    package mutating func finish() -> [[UInt8]] {
        bytes?.map { MD5.digest($0) } ?? Array(md5.finish().prefix(count))
    }
}
