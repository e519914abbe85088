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

    /// Bytes that a row of so many codes fills; the last group of a packed row is whole.
    public func rowBytes(width: Int) -> Int {
        switch self {
        case .bytes: width
        case .littleEndian, .bigEndian: 2 * width
        case .mipi10: (width + 3) / 4 * 5
        case .mipi12: (width + 1) / 2 * 3
        case .mipi14: (width + 3) / 4 * 7
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

    /// Bytes that a frame needs: the last row may be shorter than the stride.
    public var byteCount: Int { height == 0 ? 0 : stride * (height - 1) + layout.rowBytes(width: width) }

    /// The canonical shape of the same mosaic.
    public func canonical(stride: Int? = nil) -> MosaicFormat {
        MosaicFormat(width: width, height: height, pattern: pattern, bitDepth: bitDepth, stride: stride)
    }

    /// Writes the codes in canonical form. Codes that have bits beyond the depth become the highest code; gives how many.
    public func unpack(
        _ bytes: RawSpan, into codes: inout MutableSpan<UInt16>, stride codeStride: Int
    ) throws(RawImageError) -> Int {
        try canonical(stride: codeStride).check(count: codes.count)
        guard stride >= layout.rowBytes(width: width), stride <= 1 << 24 else {
            throw RawImageError(.badFormat, "a stride of \(stride) bytes does not suit a width of \(width)")
        }
        guard bytes.byteCount >= byteCount else {
            throw RawImageError(
                .tooShort,
                "\(bytes.byteCount) bytes given, a \(width)×\(height) frame of this layout needs \(byteCount)")
        }
        return unsafe bytes.withUnsafeBytes { source in
            unsafe codes.withUnsafeMutableBufferPointer { target in
                // The checks above found room for every row on both sides.
                guard let source = source.baseAddress, let target = target.baseAddress else { return 0 }
                return unsafe unpackRows(source, target, codeStride)
            }
        }
    }

    private func unpackRows(_ source: UnsafeRawPointer, _ target: UnsafeMutablePointer<UInt16>, _ codeStride: Int)
        -> Int
    {
        let highest = UInt16(truncatingIfNeeded: (1 << bitDepth) - 1)
        var clamped = 0
        for row in 0..<height {
            let codes = unsafe target + row * codeStride
            guard unsafe unpackRow(source + row * stride, codes) & ~highest != 0 else { continue }
            for column in 0..<width where unsafe codes[column] > highest {
                unsafe codes[column] = highest
                clamped += 1
            }
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
}
