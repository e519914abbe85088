// Exported, so that the members of the error are visible in all files and wherever the module is imported.
@_exported public import Errors
internal import Kernels

/// A decoder of lossless JPEGs (SOF3).
///
/// Use one decoder per thread: it reuses its scratch memory from tile to tile. That memory is bounded by the size of
/// the largest JPEG plus 4 bytes per sample of a row, whatever the JPEG contains.
package struct LosslessJPEGDecoder: ~Copyable {
    private var unstuffed = ScratchMemory<UInt8>(count: 0)
    private var lookups = ScratchMemory<UInt32>(count: 4 * HuffmanCode.lookupCount)
    private var grey = ScratchMemory<UInt16>(count: 4)

    /// Creates a decoder.
    package init() {}

    /// Parses a JPEG's frame header without decoding samples.
    package static func frame(of bytes: Span<UInt8>) throws(GscapError) -> LosslessJPEGFrame {
        try unsafe bytes.withUnsafeBufferPointer { buffer throws(GscapError) in
            var parser = unsafe LosslessJPEGParser(buffer)
            return try parser.scan().frame
        }
    }

    /// Decodes all samples of a JPEG, row by row, and returns its frame header; throws unless `samples` has exactly
    /// their number.
    ///
    /// The components of a pixel are adjacent; in a Bayer tile, two components are two neighbouring columns. A damaged
    /// JPEG can decode to samples wider than its precision.
    @discardableResult
    @_lifetime(samples: copy samples)
    package mutating func decode(
        _ bytes: Span<UInt8>, into samples: inout MutableSpan<UInt16>
    ) throws(GscapError) -> LosslessJPEGFrame {
        try unsafe bytes.withUnsafeBufferPointer { bytes throws(GscapError) in
            var parser = unsafe LosslessJPEGParser(bytes)
            let scan = try parser.scan()
            guard scan.frame.sampleCount == samples.count else {
                throw GscapError(
                    .malformed,
                    "A lossless JPEG has \(scan.frame.width)×\(scan.frame.height) pixels of \(scan.frame.components) "
                        + "samples where \(samples.count) samples are needed.")
            }
            try unsafe samples.withUnsafeMutableBufferPointer { samples throws(GscapError) in
                guard let base = samples.baseAddress else { return }
                try unsafe decode(bytes, scan, into: base)
            }
            return scan.frame
        }
    }
}

extension LosslessJPEGDecoder {
    private mutating func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ scan: LosslessJPEGScan, into samples: UnsafeMutablePointer<UInt16>
    ) throws(GscapError) {
        guard let start = bytes.baseAddress else { return }
        prepare(scan, byteCount: bytes.count)
        let height = scan.frame.height
        var (position, interval, row) = (scan.start, 0, 0)
        while row < height {
            if row > 0 {
                try unsafe checkRestart(interval, bytes, at: position, row: row, of: height)
                position += 2
                interval += 1
            }
            let (read, written) = unsafe unstuffBytes(start + position, bytes.count - position, unstuffed.base)
            position += read
            let rows = row..<min(height, row + (scan.restartRows ?? height))
            try unsafe decode(rows, of: scan, bitCount: 8 * written, into: samples)
            row = rows.upperBound
        }
        if scan.pointTransform > 0 {
            unsafe scaleRow(samples, scan.frame.sampleCount, bits: UInt16(scan.pointTransform))
        }
    }

    /// Allocates scratch memory and fills in the Huffman tables and initial predictions of the scan.
    private mutating func prepare(_ scan: LosslessJPEGScan, byteCount: Int) {
        // The kernels check for the end of the data only after each row, so they may read a row's worth past it.
        unstuffed.reserve(byteCount + 4 * scan.frame.samplesInRow + 16)
        for (index, code) in scan.codes.enumerated() {
            unsafe code.fillLookup(lookups.base + index * HuffmanCode.lookupCount)
        }
        for component in 0..<4 {
            unsafe grey.base[component] = 1 << UInt16(scan.frame.precision - scan.pointTransform - 1)
        }
    }

    private func checkRestart(
        _ interval: Int, _ bytes: UnsafeBufferPointer<UInt8>, at position: Int, row: Int, of height: Int
    ) throws(GscapError) {
        let marker = JPEGMarker.restart(interval)
        guard bytes.count - position >= 2, unsafe bytes[position + 1] == marker.rawValue else {
            throw GscapError(
                .malformed,
                "A lossless JPEG lacks restart marker \(interval & 7) at its byte \(position), before row \(row) of "
                    + "\(height).")
        }
    }

    /// Decodes the rows between two restart markers. In the first row, the first pixel is predicted from mid grey, the
    /// others from the sample to the left.
    private mutating func decode(
        _ rows: Range<Int>, of scan: LosslessJPEGScan, bitCount: Int, into samples: UnsafeMutablePointer<UInt16>
    ) throws(GscapError) {
        let (frame, width) = (scan.frame, scan.frame.samplesInRow)
        let tables = unsafe scan.codeOfComponent.map {
            unsafe UnsafePointer(lookups.base + $0 * HuffmanCode.lookupCount)
        }
        var position = 0
        for row in rows {
            let target = unsafe samples + row * width
            let above = unsafe UnsafePointer(row == rows.lowerBound ? grey.base : target - width)
            position = unsafe decodeRow(
                unstuffed.base, position, tables, above, target, pixels: frame.width, step: frame.components,
                predictor: row == rows.lowerBound ? 1 : frame.predictor)
            guard 0...bitCount ~= position else {
                throw GscapError(
                    .malformed,
                    "A lossless JPEG \(position < 0 ? "has an invalid Huffman code" : "is cut off") in row \(row) of "
                        + "\(frame.height).")
            }
        }
    }
}
