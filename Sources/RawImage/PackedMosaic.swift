internal import Kernels

/// How the codes of a mosaic lie in bytes.
public enum CodeLayout: Sendable, Hashable, CaseIterable {
    /// A byte a code.
    case bytes
    /// 16-bit words, low bits used, low byte first.
    case littleEndian
    /// 16-bit words, low bits used, high byte first.
    case bigEndian
    /// MIPI CSI-2 RAW10: five bytes for four codes.
    case mipi10
    /// MIPI CSI-2 RAW12: three bytes for two codes.
    case mipi12
    /// MIPI CSI-2 RAW14: seven bytes for four codes.
    case mipi14

    /// Bytes that a row of so many codes fills; the last group of a packed row is whole. Widths no mosaic can have count
    /// as the nearest one that can.
    public func rowBytes(width: Int) -> Int {
        let width = min(max(width, 0), MosaicFormat.maximumSide)
        return switch self {
        case .bytes: width
        case .littleEndian, .bigEndian: 2 * width
        case .mipi10: (width + 3) / 4 * 5
        case .mipi12: (width + 1) / 2 * 3
        case .mipi14: (width + 3) / 4 * 7
        }
    }

    /// The most bits that a code can have.
    public var codeBits: Int {
        switch self {
        case .bytes: 8
        case .littleEndian, .bigEndian: 16
        case .mipi10: 10
        case .mipi12: 12
        case .mipi14: 14
        }
    }
}

/// A mosaic as a camera delivers it: codes of some depth in some layout, rows some bytes apart.
public struct PackedMosaicFormat: Sendable, Hashable {
    /// Pixels in a row.
    public var width: Int
    /// Rows.
    public var height: Int
    /// The order of colours at the origin.
    public var pattern: BayerPattern
    /// How many bits of each code carry signal.
    public var bitDepth: Int
    /// How codes lie in bytes.
    public var layout: CodeLayout
    /// Bytes from the start of one row to the start of the next.
    public var stride: Int

    /// A mosaic whose rows follow each other without a gap unless `stride` says otherwise.
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

    /// The largest number of bytes between rows.
    public static let maximumStride = 1 << 24

    /// Bytes that a frame needs: the last row may be shorter than the stride. More than any buffer has when the numbers
    /// make no sense.
    public var byteCount: Int {
        guard height > 0 else { return 0 }
        let (rows, overflow) = stride.multipliedReportingOverflow(by: height - 1)
        let (sum, overflowOfSum) = rows.addingReportingOverflow(layout.rowBytes(width: width))
        return overflow || overflowOfSum || sum < 0 ? .max : sum
    }

    /// The canonical shape of the same mosaic.
    public func canonical(stride: Int? = nil) -> MosaicFormat {
        MosaicFormat(width: width, height: height, pattern: pattern, bitDepth: bitDepth, stride: stride)
    }

    /// Throws unless the numbers make sense and a buffer of `count` bytes holds the frame.
    public func check(byteCount count: Int) throws(RawImageError) {
        try canonical().checkShape()
        guard bitDepth <= layout.codeBits else {
            throw RawImageError(.badFormat, "codes of \(layout.codeBits) bits cannot have \(bitDepth) bits of signal")
        }
        guard stride >= layout.rowBytes(width: width), stride <= Self.maximumStride else {
            throw RawImageError(.badFormat, "a stride of \(stride) bytes does not suit a width of \(width)")
        }
        guard count >= byteCount else {
            throw RawImageError(
                .tooShort, "\(count) bytes given, a \(width)×\(height) frame of this layout needs \(byteCount)")
        }
    }

    /// Writes the codes in canonical form, rows `stride` codes apart. Codes that have bits beyond the depth become the
    /// highest code; gives how many.
    public func unpack(
        _ bytes: RawSpan, into codes: inout MutableSpan<UInt16>, stride codeStride: Int
    ) throws(RawImageError) -> Int {
        try canonical(stride: codeStride).check(count: codes.count)
        try check(byteCount: bytes.byteCount)
        return unsafe bytes.withUnsafeBytes { source in
            unsafe codes.withUnsafeMutableBufferPointer { target in
                // The checks above found room for every row on both sides.
                guard let source = source.baseAddress, let target = target.baseAddress else { return 0 }
                return unsafe unpackRows(source, target, codeStride)
            }
        }
    }

    /// Writes canonical codes, rows `stride` codes apart, in this layout; bytes between rows stay as they are. Codes that
    /// have bits beyond the depth become the highest code; gives how many.
    public func pack(
        _ codes: Span<UInt16>, stride codeStride: Int, into bytes: inout MutableRawSpan
    ) throws(RawImageError) -> Int {
        try canonical(stride: codeStride).check(count: codes.count)
        try check(byteCount: bytes.byteCount)
        return unsafe codes.withUnsafeBufferPointer { source in
            unsafe bytes.withUnsafeMutableBytes { target in
                // The checks above found room for every row on both sides.
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

    /// Cuts a row's codes to the depth; gives how many were cut.
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
            // Codes are cut in a copy: the caller's stay as they are.
            unsafe copy.update(from: source + row * codeStride, count: width)
            unsafe clamped += clamp(copy)
            unsafe packRow(copy, target + row * stride)
        }
        return clamped
    }

    /// One row; gives the bits that were seen set.
    private func unpackRow(_ source: UnsafeRawPointer, _ target: UnsafeMutablePointer<UInt16>) -> UInt16 {
        let bytes = unsafe source.assumingMemoryBound(to: UInt8.self)
        switch layout {
        case .bytes: return unsafe unpackBytes(bytes, target, width)
        case .littleEndian: return unsafe unpackLittle(source, target, width)
        case .bigEndian: return unsafe unpackBig(source, target, width)
        case .mipi10: return unsafe unpackMIPI10(bytes, target, width)
        case .mipi12: return unsafe unpackMIPI12(bytes, target, width)
        case .mipi14: return unsafe unpackMIPI14(bytes, target, width)
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
        }
    }
}
