internal import Kernels

/// An encoder of equally sized tiles as lossless JPEG (SOF3), each with its optimal Huffman code.
///
/// Use one encoder per thread: it reuses its scratch memory, a few rows, from tile to tile. A tile clipped by the
/// picture's edge takes the memory of a whole tile in addition.
package struct LosslessJPEGEncoder: ~Copyable {
    /// The frame header of every tile.
    package let frame: LosslessJPEGFrame
    /// A pixel of mid grey (2^(precision − 1)), the prediction of a tile's first pixel.
    private var grey: ScratchMemory<UInt16>
    private var differences: ScratchMemory<UInt16>
    /// A table of the code word and its length for each difference, with difference 0 in the middle.
    private var codes: ScratchMemory<UInt32>
    /// Entropy-coded bytes before byte stuffing.
    private var packed: ScratchMemory<UInt8>
    /// Two numbers: the last encoded bits, which do not fill a byte yet, and the count of these bits.
    private var pending: ScratchMemory<UInt64>
    /// Entropy-coded bytes after byte stuffing: a zero byte follows each 0xFF.
    private var stuffed: ScratchMemory<UInt8>
    /// A copy of a tile clipped by the picture's edge, padded to the full size.
    private var paddedTile: ScratchMemory<UInt16>

    /// Creates an encoder for tiles of this frame header; throws if it is invalid.
    package init(_ frame: LosslessJPEGFrame) throws(GscapError) {
        if let complaint = frame.complaint {
            throw GscapError(.badPicture, "A lossless JPEG cannot have \(complaint).")
        }
        self.frame = frame
        // Not as initial values of the properties: with those the compiler of Swift 6.2.3 crashes at the throw above.
        codes = ScratchMemory(count: 0)
        pending = ScratchMemory(count: 2)
        paddedTile = ScratchMemory(count: 0)
        grey = ScratchMemory(count: frame.components)
        for component in 0..<frame.components { unsafe grey.base[component] = 1 << UInt16(frame.precision - 1) }
        differences = ScratchMemory(count: frame.samplesInRow)
        packed = ScratchMemory(count: Self.batch + 4 * frame.samplesInRow + 16)
        stuffed = ScratchMemory(count: 2 * packed.count + 8)
    }

    /// The number of entropy-coded bytes that are collected before they are stuffed and appended to the output.
    private static let batch = 16_384

    /// Appends the JPEG of a tile to `bytes`.
    ///
    /// `samples` starts with the tile's first sample; `stride` is the distance between rows in samples. For a tile
    /// clipped by the picture's edge, only `columns` samples in each of `rows` rows are read; the rest is padded with
    /// predicted values, which take the fewest bits.
    package mutating func encode(
        _ samples: Span<UInt16>, stride: Int, columns: Int? = nil, rows: Int? = nil, into bytes: inout [UInt8]
    ) throws(GscapError) {
        let (columns, rows) = (columns ?? frame.samplesInRow, rows ?? frame.height)
        guard 1...frame.samplesInRow ~= columns, 1...frame.height ~= rows else {
            throw GscapError(
                .badPicture,
                "\(columns)×\(rows) samples are no part of a lossless JPEG of \(frame.samplesInRow)×\(frame.height).")
        }
        let (offset, isTooFar) = stride.multipliedReportingOverflow(by: rows - 1)
        guard stride >= columns || rows == 1, !isTooFar, samples.count - columns >= offset else {
            throw GscapError(
                .badPicture, "\(samples.count) samples do not hold \(rows) rows of \(columns), \(stride) apart.")
        }
        try unsafe samples.withUnsafeBufferPointer { buffer throws(GscapError) in
            guard let base = buffer.baseAddress else { return }
            var tile = unsafe Tile(base: base, stride: stride)
            if columns < frame.samplesInRow || rows < frame.height { unsafe tile = padded(tile, columns, rows) }
            try unsafe encode(tile, into: &bytes)
        }
    }
}

/// A view of a tile's rows in memory, `stride` samples apart.
@unsafe private struct Tile {
    let base: UnsafePointer<UInt16>
    let stride: Int

    func row(_ index: Int) -> UnsafePointer<UInt16> { unsafe base + index * stride }
}

extension LosslessJPEGEncoder {
    private mutating func encode(_ tile: Tile, into bytes: inout [UInt8]) throws(GscapError) {
        let frequencies = try unsafe frequencies(of: tile)
        let maximumCategory = frequencies.lastIndex { $0 > 0 } ?? 0
        // A code and its difference bits share the 26 low bits of a table entry.
        let code = HuffmanCode(frequencies: frequencies, limit: min(16, 26 - min(maximumCategory, 15)))
        let middle = unsafe prepareCodes(code, maximumCategory: maximumCategory)
        bytes.appendLosslessJPEGHeader(frame, code)
        unsafe appendScan(of: tile, middle, to: &bytes)
        bytes += [0xFF, JPEGMarker.endOfImage.rawValue]
    }

    /// Returns the frequency of each difference category, 0 to 16 bits; throws if a sample exceeds the precision.
    private mutating func frequencies(of tile: Tile) throws(GscapError) -> [Int] {
        // totals[n] counts the differences of n or more bits.
        var totals = [Int](repeating: 0, count: 18)
        totals[0] = frame.sampleCount
        var usedBits: UInt16 = 0
        for row in 0..<frame.height {
            unsafe usedBits |= predict(tile, row)
            unsafe countMagnitudes(differences.base, frame.samplesInRow, &totals)
        }
        guard 16 - usedBits.leadingZeroBitCount <= frame.precision else {
            throw GscapError(
                .badPicture, "A sample has more bits than the \(frame.precision) that the lossless JPEG is to have.")
        }
        return (0...16).map { totals[$0] - totals[$0 + 1] }
    }

    /// Computes a row's prediction differences into `differences`; returns the bitwise OR of its samples.
    private mutating func predict(_ tile: Tile, _ row: Int) -> UInt16 {
        unsafe predictionDifferences(
            tile.row(row), row == 0 ? UnsafePointer(grey.base) : tile.row(row - 1), differences.base,
            frame.samplesInRow, step: frame.components, predictor: row == 0 ? 1 : frame.predictor)
    }

    /// Fills the table of code words for all differences; returns the address of the entry for difference 0.
    private mutating func prepareCodes(_ code: HuffmanCode, maximumCategory: Int) -> UnsafePointer<UInt32> {
        let half = 1 << min(maximumCategory, 15)
        codes.reserve(2 * half)
        let middle = unsafe codes.base + half
        for (category, code, length) in code.entries {
            unsafe fillCategory(middle, category: Int(category), code: code, length: length)
        }
        return unsafe UnsafePointer(middle)
    }

    /// Appends all rows of a tile as entropy-coded data with byte stuffing.
    private mutating func appendScan(of tile: Tile, _ codes: UnsafePointer<UInt32>, to bytes: inout [UInt8]) {
        unsafe (pending.base[0], pending.base[1]) = (0, 0)
        var count = 0
        for row in 0..<frame.height {
            _ = unsafe predict(tile, row)
            unsafe count += packDifferences(
                differences.base, frame.samplesInRow, codes, pending.base, packed.base + count)
            if count >= Self.batch {
                append(count, to: &bytes)
                count = 0
            }
        }
        let (bits, filled) = unsafe (pending.base[0], pending.base[1])
        if filled > 0 {
            // ITU-T T.81 pads the last byte with bits of value 1.
            unsafe packed.base[count] = UInt8(truncatingIfNeeded: ~(~bits << (8 - filled)))
            count += 1
        }
        append(count, to: &bytes)
    }

    private mutating func append(_ count: Int, to bytes: inout [UInt8]) {
        let written = unsafe stuffBytes(packed.base, count, stuffed.base)
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: stuffed.base, count: written))
    }

    /// Returns a copy of a clipped tile, padded to the right and below with predicted values.
    private mutating func padded(_ tile: Tile, _ columns: Int, _ rows: Int) -> Tile {
        let (width, limit) = (frame.samplesInRow, UInt16.max >> UInt16(16 - frame.precision))
        paddedTile.reserve(width * frame.height)
        for row in 0..<frame.height {
            let target = unsafe paddedTile.base + row * width
            let present = row < rows ? columns : 0
            unsafe target.update(from: tile.row(row < rows ? row : 0), count: present)
            unsafe padRowByPrediction(
                target, row == 0 ? grey.base : target - width, present: present, width, step: frame.components,
                predictor: row == 0 ? 1 : frame.predictor, limit: limit)
        }
        return unsafe Tile(base: paddedTile.base, stride: width)
    }
}
