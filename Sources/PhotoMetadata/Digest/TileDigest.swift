internal import RawImage

/// Computes the MD5 digests of up to sixteen image tiles of equal size at once. Samples are appended plane by plane and
/// digested in little-endian order.
package struct TileDigest {
    private let width: Int
    private let height: Int
    private let stride: Int
    private let step: Int
    private let count: Int
    private var md5: MD5
    /// The bytes of each tile collected so far, if its codes have 8 bits; nil for 16-bit codes, which are digested when
    /// they are appended.
    private var bytes: [[UInt8]]?

    /// Creates a digest of `count` tiles of `width`×`height` pixels, with rows `stride` samples apart and pixels `step`
    /// samples apart. `bytesOfSample` is 1 for 8-bit codes and 2 for all others.
    package init(width: Int, height: Int, stride: Int, step: Int, bytesOfSample: Int, count: Int) {
        self.width = width
        self.height = height
        self.stride = stride
        self.step = step
        self.count = count
        md5 = MD5(run: width)
        bytes = bytesOfSample == 1 ? Array(repeating: [], count: count) : nil
    }

    /// Appends one colour plane of each tile; `starts` points to the plane's first sample in each tile.
    package mutating func append(_ starts: [UnsafePointer<UInt16>]) {
        for row in 0..<height { unsafe append(row: starts, offset: row * stride) }
    }

    /// Appends a row of a colour plane of each tile, which begins `offset` samples behind each of `starts`.
    package mutating func append(row starts: [UnsafePointer<UInt16>], offset: Int = 0) {
        if bytes != nil { return unsafe appendBytes(starts, offset) }
        unsafe md5.append(count: width, step: step) { tile in
            // The kernel always digests sixteen messages: unused ones repeat the first tile.
            unsafe starts[tile < starts.count ? tile : 0] + offset
        }
    }

    private mutating func appendBytes(_ starts: [UnsafePointer<UInt16>], _ offset: Int) {
        for tile in unsafe starts.indices {
            let start = unsafe starts[tile] + offset
            for column in 0..<width {
                bytes?[tile].append(UInt8(truncatingIfNeeded: unsafe start[column * step]))
            }
        }
    }

    /// Returns the 16-byte digest of each tile.
    package mutating func finish() -> [[UInt8]] {
        bytes?.map { MD5.digest($0) } ?? Array(md5.finish().prefix(count))
    }
}
