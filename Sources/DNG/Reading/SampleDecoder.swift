internal import Kernels

/// The format of uncompressed or inflated samples (BitsPerSample, SampleFormat, byte order), and their conversion to
/// 16-bit codes.
struct SampleDecoder: Sendable {
    /// Whether samples are floating-point numbers rather than unsigned integers.
    let isFloat: Bool
    let bits: Int
    let isBigEndian: Bool
    /// The factor for each plane that scales a floating-point sample, or one of more than 16 bits, to a 16-bit code;
    /// empty for other samples.
    let scales: [Double]

    init(_ directory: TIFFDirectory, _ image: DNGImage, scales: [Double]) throws(GscapError) {
        isFloat = image.isFloatingPoint
        bits = image.bitsPerSample
        isBigEndian = directory.container.isBigEndian
        self.scales = scales
        let depths = directory.integers(.bitsPerSample)
        guard depths.allSatisfy({ $0 == bits }) else {
            throw GscapError(
                .unsupported, "the planes of \(image.place) have different depths: \(depths)",
                at: TIFFLocation(directory, .bitsPerSample))
        }
        let format = directory.integer(.sampleFormat) ?? 1
        // SampleFormat 1 is unsigned integer, 3 floating point, 4 undefined; 0 occurs in some files.
        guard [0, 1, 3, 4].contains(format) else {
            throw GscapError(
                .unsupported, "\(TIFFTag.sampleFormat) of \(image.place) is \(format), not 1 or 3",
                at: TIFFLocation(directory, .sampleFormat))
        }
        guard isFloat ? [16, 24, 32].contains(bits) : (8...16).contains(bits) || bits == 24 || bits == 32 else {
            throw GscapError(
                .unsupported,
                "\(image.place) has samples of \(bits) bits; integers of 8 to 16, 24 or 32 bits and "
                    + "floating-point numbers of 16, 24 or 32 are supported",
                at: TIFFLocation(directory, .bitsPerSample))
        }
        // `BitOrder` reads reversed bits of other samples.
        guard directory.integer(.fillOrder) ?? 1 == 1 || image.compression != .none || !isFloat && bits <= 16 else {
            throw GscapError(
                .unsupported, "\(image.place) has its bits in reverse order (\(TIFFTag.fillOrder) is 2)",
                at: TIFFLocation(directory, .fillOrder))
        }
    }

    /// Whether stored samples are 16-bit integers in this machine's byte order.
    var isNative: Bool { !isFloat && bits == UInt16.bitWidth && isBigEndian == (UInt16(1).bigEndian == 1) }

    /// Returns the number of bytes of a row, which starts at a byte boundary.
    func bytesInRow(samples: Int) -> Int { (samples * bits + 7) / 8 }

    /// Unpacks a row of stored samples to 16-bit codes. Floating-point samples are scaled by their plane's factor and
    /// clipped at white.
    func codes(_ bytes: UnsafeRawPointer, _ codes: UnsafeMutablePointer<UInt16>, count: Int, plane: Int, planes: Int) {
        if isFloat { return unsafe floats(bytes, codes, count: count, plane: plane, planes: planes) }
        switch bits {
        case 8: _ = unsafe unpackBytes(bytes.assumingMemoryBound(to: UInt8.self), codes, count)
        case 24, 32: unsafe wide(bytes, codes, count: count, plane: plane, planes: planes)
        case 16: _ = unsafe isBigEndian ? unpackBig(bytes, codes, count) : unpackLittle(bytes, codes, count)
        default: unsafe packed(bytes.assumingMemoryBound(to: UInt8.self), codes, count: count)
        }
    }

    /// Unpacks samples of 9 to 15 bits, packed high bits first regardless of the file's byte order.
    private func packed(_ bytes: UnsafePointer<UInt8>, _ codes: UnsafeMutablePointer<UInt16>, count: Int) {
        var position = 0
        var bitBuffer: UInt32 = 0
        var bufferedBits = 0
        let mask = UInt32(1) << UInt32(bits) - 1
        for i in 0..<count {
            while bufferedBits < bits {
                bitBuffer = bitBuffer << 8 | UInt32(unsafe bytes[position])
                position += 1
                bufferedBits += 8
            }
            bufferedBits -= bits
            unsafe codes[i] = UInt16(truncatingIfNeeded: bitBuffer >> UInt32(bufferedBits) & mask)
        }
    }

    private func floats(
        _ bytes: UnsafeRawPointer, _ codes: UnsafeMutablePointer<UInt16>, count: Int, plane: Int, planes: Int
    ) {
        let size = bits / 8
        for i in 0..<count {
            let pattern = unsafe number(bytes + i * size, size: size)
            let value: Float =
                switch size {
                case 2: Float(Float16(bitPattern: UInt16(truncatingIfNeeded: pattern)))
                case 3: Float(bits24: pattern)
                default: Float(bitPattern: pattern)
                }
            unsafe codes[i] = code(value, plane: plane + i % planes)
        }
    }

    /// Returns the code of a floating-point sample: white and brighter is 65535; negative values and NaN are 0.
    func code(_ value: Float, plane: Int) -> UInt16 {
        let code = value * Float(scales[plane % scales.count])
        return code > 0 ? UInt16(min(code, 65_535).rounded()) : 0
    }

    /// Whether the bytes of a sample are in big-endian order. As DNG specifies, integers of other sizes than 8, 16 and
    /// 32 bits are packed with their high bits first in every file.
    private var hasHighBytesFirst: Bool { isBigEndian || bits == 24 && !isFloat }

    /// Scales integers of 24 or 32 bits to 16-bit codes.
    private func wide(
        _ bytes: UnsafeRawPointer, _ codes: UnsafeMutablePointer<UInt16>, count: Int, plane: Int, planes: Int
    ) {
        let size = bits / 8
        for i in 0..<count {
            let scale = scales.isEmpty ? 1 : scales[(plane + i % planes) % scales.count]
            let code = Double(unsafe number(bytes + i * size, size: size)) * scale
            unsafe codes[i] = UInt16(min(code, 65_535).rounded())
        }
    }

    private func number(_ bytes: UnsafeRawPointer, size: Int) -> UInt32 {
        var number: UInt32 = 0
        for i in 0..<size {
            let byte = unsafe bytes.load(fromByteOffset: hasHighBytesFirst ? i : size - 1 - i, as: UInt8.self)
            number = number << 8 | UInt32(byte)
        }
        return number
    }
}

extension Float {
    /// Decodes a 24-bit float (DNG specification, floating-point data): sign, 7 exponent bits, 16 mantissa bits.
    init(bits24 pattern: UInt32) {
        let (sign, exponent, mantissa) = (pattern >> 23 & 1, Int(pattern >> 16 & 127), pattern & 0xFFFF)
        let magnitude: Float =
            switch exponent {
            case 0: Float(mantissa) * 0x1p-78
            case 127: mantissa == 0 ? .infinity : .nan
            default: Float(bitPattern: UInt32(exponent + 64) << 23 | mantissa << 7)
            }
        self = sign == 1 ? -magnitude : magnitude
    }
}
