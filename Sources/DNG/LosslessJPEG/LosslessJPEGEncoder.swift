internal import Kernels

/// Writes pictures of one shape, one after the other, as lossless JPEG (SOF3), each with the Huffman code that fits it best.
///
/// One encoder serves one thread, which may encode any number of tiles with it: its memory, a few rows, is kept. A tile that
/// reaches over the picture's edge takes as much memory as the tile besides.
package struct LosslessJPEGEncoder: ~Copyable {
    /// The shape of each picture.
    package let frame: LosslessJPEGFrame
    /// A pixel of mid grey, from which the first is predicted.
    private var grey: ScratchMemory<UInt16>
    private var differences: ScratchMemory<UInt16>
    /// What is written for each difference.
    private var codes = ScratchMemory<UInt32>(count: 0)
    /// Codes as they are, with the bits that do not fill a byte yet and their number; then with zeros after each 255.
    private var packed: ScratchMemory<UInt8>
    private var pending = ScratchMemory<UInt64>(count: 2)
    private var stuffed: ScratchMemory<UInt8>
    /// A tile at the picture's edge, completed.
    private var completed = ScratchMemory<UInt16>(count: 0)

    /// An encoder for pictures like `frame`.
    package init(_ frame: LosslessJPEGFrame) throws(DNGError) {
        if let complaint = frame.complaint {
            throw DNGError(.badPicture, "A lossless JPEG cannot have \(complaint).")
        }
        self.frame = frame
        grey = ScratchMemory(count: frame.components)
        for component in 0..<frame.components { unsafe grey.base[component] = 1 << UInt16(frame.precision - 1) }
        differences = ScratchMemory(count: frame.samplesInRow)
        packed = ScratchMemory(count: Self.batch + 4 * frame.samplesInRow + 16)
        stuffed = ScratchMemory(count: 2 * packed.count + 8)
    }

    /// So many bytes are stuffed and handed on together.
    private static let batch = 16_384

    /// Appends the JPEG of a tile to `bytes`.
    ///
    /// `samples` starts with the tile's first sample; `stride` is the number of samples from one row to the next. Of a tile that
    /// reaches over the picture's edge only `columns` samples in each of `rows` rows are there; the rest is filled with what
    /// costs fewest bits.
    package mutating func encode(
        _ samples: Span<UInt16>, stride: Int, columns: Int? = nil, rows: Int? = nil, into bytes: inout [UInt8]
    ) throws(DNGError) {
        let (columns, rows) = (columns ?? frame.samplesInRow, rows ?? frame.height)
        guard 1...frame.samplesInRow ~= columns, 1...frame.height ~= rows else {
            throw DNGError(
                .badPicture,
                "\(columns)×\(rows) samples are no part of a lossless JPEG of \(frame.samplesInRow)×\(frame.height).")
        }
        let (offset, isTooFar) = stride.multipliedReportingOverflow(by: rows - 1)
        guard stride >= columns || rows == 1, !isTooFar, samples.count - columns >= offset else {
            throw DNGError(
                .badPicture, "\(samples.count) samples do not hold \(rows) rows of \(columns), \(stride) apart.")
        }
        try unsafe samples.withUnsafeBufferPointer { buffer throws(DNGError) in
            guard let base = buffer.baseAddress else { return }
            var tile = unsafe Tile(base: base, stride: stride)
            if columns < frame.samplesInRow || rows < frame.height { unsafe tile = complete(tile, columns, rows) }
            try unsafe encode(tile, into: &bytes)
        }
    }
}

/// The rows of a picture.
@unsafe private struct Tile {
    let base: UnsafePointer<UInt16>
    let stride: Int

    func row(_ index: Int) -> UnsafePointer<UInt16> { unsafe base + index * stride }
}

extension LosslessJPEGEncoder {
    private mutating func encode(_ tile: Tile, into bytes: inout [UInt8]) throws(DNGError) {
        let frequencies = try unsafe frequencies(of: tile)
        let longest = frequencies.lastIndex { $0 > 0 } ?? 0
        // Code and difference together must fit in the 26 bits that a table's entry has for them.
        let code = HuffmanCode(frequencies: frequencies, limit: min(16, 26 - min(longest, 15)))
        let middle = unsafe prepareCodes(code, longest: longest)
        bytes.appendLosslessJPEGHeader(frame, code)
        unsafe appendScan(of: tile, middle, to: &bytes)
        bytes += [0xFF, JPEGMarker.endOfImage.rawValue]
    }

    /// How often there are differences of 0 to 16 bits.
    private mutating func frequencies(of tile: Tile) throws(DNGError) -> [Int] {
        // How many differences have so many bits or more.
        var totals = [Int](repeating: 0, count: 18)
        totals[0] = frame.sampleCount
        var seen: UInt16 = 0
        for row in 0..<frame.height {
            unsafe seen |= predict(tile, row)
            unsafe countMagnitudes(differences.base, frame.samplesInRow, &totals)
        }
        guard 16 - seen.leadingZeroBitCount <= frame.precision else {
            throw DNGError(
                .badPicture, "A sample has more bits than the \(frame.precision) that the lossless JPEG is to have.")
        }
        return (0...16).map { totals[$0] - totals[$0 + 1] }
    }

    /// Puts the differences of a row to its prediction in `differences`; gives the bits seen in its samples.
    private mutating func predict(_ tile: Tile, _ row: Int) -> UInt16 {
        unsafe predictionDifferences(
            tile.row(row), row == 0 ? UnsafePointer(grey.base) : tile.row(row - 1), differences.base,
            frame.samplesInRow, step: frame.components, predictor: row == 0 ? 1 : frame.predictor)
    }

    /// Fills in what is written for each difference; gives the place of zero.
    private mutating func prepareCodes(_ code: HuffmanCode, longest: Int) -> UnsafePointer<UInt32> {
        let half = 1 << min(longest, 15)
        codes.reserve(2 * half)
        let middle = unsafe codes.base + half
        for (category, code, length) in code.entries {
            unsafe fillCategory(middle, category: Int(category), code: code, length: length)
        }
        return unsafe UnsafePointer(middle)
    }

    /// Appends the entropy-coded rows.
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
            // Ones fill the last byte.
            unsafe packed.base[count] = UInt8(truncatingIfNeeded: ~(~bits << (8 - filled)))
            count += 1
        }
        append(count, to: &bytes)
    }

    private mutating func append(_ count: Int, to bytes: inout [UInt8]) {
        let written = unsafe stuffBytes(packed.base, count, stuffed.base)
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: stuffed.base, count: written))
    }

    /// A copy of a tile at the picture's edge, continued to the right and below.
    private mutating func complete(_ tile: Tile, _ columns: Int, _ rows: Int) -> Tile {
        let (width, limit) = (frame.samplesInRow, UInt16.max >> UInt16(16 - frame.precision))
        completed.reserve(width * frame.height)
        for row in 0..<frame.height {
            let target = unsafe completed.base + row * width
            let present = row < rows ? columns : 0
            unsafe target.update(from: tile.row(row < rows ? row : 0), count: present)
            unsafe continueRow(
                target, row == 0 ? grey.base : target - width, present: present, width, step: frame.components,
                predictor: row == 0 ? 1 : frame.predictor, limit: limit)
        }
        return unsafe Tile(base: completed.base, stride: width)
    }
}
