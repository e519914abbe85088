internal import Kernels

/// How the codes of a mosaic are packed into bytes.
public enum CodeLayout: Sendable, Hashable, CaseIterable {
    /// One byte per code.
    case bytes
    /// Little-endian 16-bit words; codes use the low bits.
    case littleEndian
    /// Big-endian 16-bit words; codes use the low bits.
    case bigEndian
    /// MIPI CSI-2 RAW10: four codes in five bytes.
    case mipi10
    /// MIPI CSI-2 RAW12: two codes in three bytes.
    case mipi12
    /// MIPI CSI-2 RAW14: four codes in seven bytes.
    case mipi14
    /// GenICam's 10p: four codes in five bytes, each from the lowest bit on.
    case lowest10
    /// GenICam's 12p: two codes in three bytes, each from the lowest bit on.
    case lowest12
    /// GigE Vision's 10Packed: two codes in three bytes, the middle one with both codes' low bits.
    case gige10
    /// GigE Vision's 12Packed: two codes in three bytes, the middle one with both codes' low bits.
    case gige12

    /// Returns the number of bytes in a row of `width` codes; the last group of a packed row is always complete.
    /// `width` is clamped to the valid range, so that the result cannot overflow.
    public func rowBytes(width: Int) -> Int {
        let width = min(max(width, 0), MosaicFormat.maximumSide)
        return switch self {
        case .bytes: width
        case .littleEndian, .bigEndian: 2 * width
        case .mipi10, .lowest10: (width + 3) / 4 * 5
        case .mipi12, .lowest12, .gige10, .gige12: (width + 1) / 2 * 3
        case .mipi14: (width + 3) / 4 * 7
        }
    }

    /// The largest number of significant bits that a code of this layout can have.
    public var codeBits: Int {
        switch self {
        case .bytes: 8
        case .littleEndian, .bigEndian: 16
        case .mipi10, .lowest10, .gige10: 10
        case .mipi12, .lowest12, .gige12: 12
        case .mipi14: 14
        }
    }
}

/// The format of a mosaic as a camera delivers it: size, Bayer pattern, bit depth, packing and row stride.
public struct PackedMosaicFormat: Sendable, Hashable {
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int
    /// The Bayer pattern at the image origin.
    public var pattern: BayerPattern
    /// Whether the camera has no colour filters, as in `MosaicFormat`.
    public var isMonochrome = false
    /// Significant bits in each code.
    public var bitDepth: Int
    /// How the codes are packed into bytes.
    public var layout: CodeLayout
    /// Distance between the starts of two rows, in bytes.
    public var stride: Int

    /// Creates a format; without a `stride` the rows have no padding.
    public init(
        width: Int, height: Int, pattern: BayerPattern, bitDepth: Int, layout: CodeLayout, stride: Int? = nil
    ) {
        self.width = width
        self.height = height
        self.pattern = pattern
        self.bitDepth = bitDepth
        self.layout = layout
        self.stride = stride ?? layout.rowBytes(width: width)
    }

    /// Creates a format without row padding from the meaning of a format name.
    public init(width: Int, height: Int, codes: BayerDialect.CodeFormat) {
        self.init(
            width: width, height: height, pattern: codes.pattern ?? .rggb, bitDepth: codes.bitDepth,
            layout: codes.layout)
        isMonochrome = codes.pattern == nil
    }

    /// The largest valid stride, in bytes.
    public static let maximumStride = 1 << 24

    /// Number of bytes in a frame; the last row needs no padding. `Int.max` on overflow, so that no buffer passes
    /// `check`.
    public var byteCount: Int {
        guard height > 0 else { return 0 }
        let (rows, overflow) = stride.multipliedReportingOverflow(by: height - 1)
        let (sum, overflowOfSum) = rows.addingReportingOverflow(layout.rowBytes(width: width))
        return overflow || overflowOfSum || sum < 0 ? .max : sum
    }

    /// Returns the stride that most likely fits a frame of `byteCount` bytes, where nothing states it.
    ///
    /// It divides the frame evenly, or rows are padded as drivers do, to a power of two of bytes, and less than a page
    /// of memory follows the last row. If none fits, the rows have no padding, and other data follow them.
    public func likelyStride(byteCount: Int) -> Int {
        let least = layout.rowBytes(width: width)
        guard height > 0, least > 0 else { return least }
        let most = byteCount / height
        if byteCount % height == 0, most >= least { return most }
        let padded = (2...9).map { exponent in
            let unit = 1 << exponent
            return (least + unit - 1) / unit * unit
        }
        let page = 4096
        return ([least] + padded).first { $0 <= most && byteCount - $0 * height < page } ?? least
    }

    /// Returns the format of the same mosaic after unpacking to 16-bit codes; `stride` is in codes, nil for rows
    /// without padding.
    public func canonical(stride: Int? = nil) -> MosaicFormat {
        var format = MosaicFormat(width: width, height: height, pattern: pattern, bitDepth: bitDepth, stride: stride)
        format.isMonochrome = isMonochrome
        return format
    }

    /// Throws unless the format is valid and a frame fits into a buffer of `count` bytes.
    public func check(byteCount count: Int) throws(GscapError) {
        try canonical().checkShape()
        guard bitDepth <= layout.codeBits else {
            throw GscapError(.badFormat, "a bit depth of \(bitDepth) exceeds the layout's \(layout.codeBits) bits")
        }
        guard stride >= layout.rowBytes(width: width), stride <= Self.maximumStride else {
            throw GscapError(
                .badFormat,
                "a stride of \(stride) bytes is not between \(layout.rowBytes(width: width)), for a width of \(width), "
                    + "and \(Self.maximumStride)")
        }
        guard count >= byteCount else {
            throw GscapError(
                .tooShort,
                "the buffer has \(count) bytes; a \(width)×\(height) frame of this layout needs \(byteCount)")
        }
    }

    /// Unpacks a frame into 16-bit codes with rows `stride` codes apart, and returns the number of clamped codes: those
    /// above the highest code of `bitDepth` bits are set to it.
    @_lifetime(codes: copy codes)
    public func unpack(
        _ bytes: RawSpan, into codes: inout MutableSpan<UInt16>, stride codeStride: Int
    ) throws(GscapError) -> Int {
        try canonical(stride: codeStride).check(count: codes.count)
        try check(byteCount: bytes.byteCount)
        return unsafe bytes.withUnsafeBytes { source in
            unsafe codes.withUnsafeMutableBufferPointer { target in
                // Safe: the checks above guarantee that all rows fit into both buffers.
                guard let source = source.baseAddress, let target = target.baseAddress else { return 0 }
                return unsafe unpackRows(source, target, codeStride)
            }
        }
    }

    /// Packs 16-bit codes with rows `stride` codes apart into this layout, and returns the number of clamped codes:
    /// those above the highest code of `bitDepth` bits are stored as it. Padding bytes between rows are not written.
    @_lifetime(bytes: copy bytes)
    public func pack(
        _ codes: Span<UInt16>, stride codeStride: Int, into bytes: inout MutableRawSpan
    ) throws(GscapError) -> Int {
        try canonical(stride: codeStride).check(count: codes.count)
        try check(byteCount: bytes.byteCount)
        return unsafe codes.withUnsafeBufferPointer { source in
            unsafe bytes.withUnsafeMutableBytes { target in
                // Safe: the checks above guarantee that all rows fit into both buffers.
                guard let source = source.baseAddress, let target = target.baseAddress else { return 0 }
                return unsafe packRows(source, codeStride, target)
            }
        }
    }

    private var highestCode: UInt16 { UInt16(truncatingIfNeeded: (1 << bitDepth) - 1) }

    private func unpackRows(_ source: UnsafeRawPointer, _ target: UnsafeMutablePointer<UInt16>, _ codeStride: Int)
        -> Int
    {
        var clamped = 0
        for row in 0..<height {
            let codes = unsafe target + row * codeStride
            guard unsafe unpackRow(source + row * stride, codes) & ~highestCode != 0 else { continue }
            unsafe clamped += clamp(codes)
        }
        return clamped
    }

    /// Clamps the codes of a row to the highest code of `bitDepth` bits, and returns how many were above it.
    private func clamp(_ codes: UnsafeMutablePointer<UInt16>) -> Int {
        let highest = highestCode
        var count = 0
        for column in 0..<width where unsafe codes[column] > highest {
            unsafe codes[column] = highest
            count += 1
        }
        return count
    }

    private func packRows(_ source: UnsafePointer<UInt16>, _ codeStride: Int, _ target: UnsafeMutableRawPointer) -> Int
    {
        var clamped = 0
        let copy = UnsafeMutablePointer<UInt16>.allocate(capacity: width)
        defer { unsafe copy.deallocate() }
        for row in 0..<height {
            // Clamping needs a copy, because the caller's codes are read-only.
            unsafe copy.update(from: source + row * codeStride, count: width)
            unsafe clamped += clamp(copy)
            unsafe packRow(copy, target + row * stride)
        }
        return clamped
    }

    /// Unpacks one row and returns the bitwise OR of its codes, which shows whether any is above the highest code.
    private func unpackRow(_ source: UnsafeRawPointer, _ target: UnsafeMutablePointer<UInt16>) -> UInt16 {
        let bytes = unsafe source.assumingMemoryBound(to: UInt8.self)
        switch layout {
        case .bytes: return unsafe unpackBytes(bytes, target, width)
        case .littleEndian: return unsafe unpackLittle(source, target, width)
        case .bigEndian: return unsafe unpackBig(source, target, width)
        case .mipi10: return unsafe unpackMIPI10(bytes, target, width)
        case .mipi12: return unsafe unpackMIPI12(bytes, target, width)
        case .mipi14: return unsafe unpackMIPI14(bytes, target, width)
        case .lowest10, .lowest12: return unsafe GenICamPacking.unpackLowest(bytes, target, width, layout.codeBits)
        case .gige10, .gige12: return unsafe GenICamPacking.unpackGigE(bytes, target, width, layout.codeBits)
        }
    }

    private func packRow(_ source: UnsafePointer<UInt16>, _ target: UnsafeMutableRawPointer) {
        let bytes = unsafe target.assumingMemoryBound(to: UInt8.self)
        switch layout {
        case .bytes: unsafe packBytes(source, bytes, width)
        case .littleEndian: unsafe packLittle(source, bytes, width)
        case .bigEndian: unsafe packBig(source, bytes, width)
        case .mipi10: unsafe packMIPI10(source, bytes, width)
        case .mipi12: unsafe packMIPI12(source, bytes, width)
        case .mipi14: unsafe packMIPI14(source, bytes, width)
        case .lowest10, .lowest12, .gige10, .gige12:
            unsafe bytes.update(repeating: 0, count: layout.rowBytes(width: width))
            if layout == .lowest10 || layout == .lowest12 {
                unsafe GenICamPacking.packLowest(source, bytes, width, layout.codeBits)
            } else {
                unsafe GenICamPacking.packGigE(source, bytes, width, layout.codeBits)
            }
        }
    }
}
