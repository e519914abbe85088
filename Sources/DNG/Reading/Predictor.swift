/// The prediction applied to rows of samples before deflate compression, from TIFF's Predictor tag (317).
struct Predictor: Sendable {
    private let isFloat: Bool
    /// The distance, in pixels, to the pixel that each pixel is stored as a difference from; 0 for no prediction.
    private let step: Int

    init(_ directory: TIFFDirectory, _ image: DNGImage) throws(GscapError) {
        let number = directory.integer(.predictor) ?? 1
        switch number {
        case 1: (isFloat, step) = (false, 0)
        case 2: (isFloat, step) = (false, 1)
        case 34892: (isFloat, step) = (false, 2)
        case 34893: (isFloat, step) = (false, 4)
        case 3: (isFloat, step) = (true, 1)
        case 34894: (isFloat, step) = (true, 2)
        case 34895: (isFloat, step) = (true, 4)
        default:
            throw GscapError(
                .unsupported, "\(TIFFTag.predictor) of \(image.place) is \(number), which is not read",
                at: TIFFLocation(directory, .predictor))
        }
        let fits = isFloat ? image.isFloatingPoint : step == 0 || [8, 16, 32].contains(image.bitsPerSample)
        guard fits else {
            throw GscapError(
                .malformed, "\(TIFFTag.predictor) of \(image.place) is \(number), which its sample type does not allow",
                at: TIFFLocation(directory, .predictor))
        }
    }

    /// Reverses the prediction in a row of `width` pixels of `samples` samples. `scratch` holds at least one row.
    func undo(
        _ row: UnsafeMutablePointer<UInt8>, width: Int, samples: Int, coding: SampleDecoder,
        scratch: UnsafeMutablePointer<UInt8>
    ) {
        guard step > 0 else { return }
        let size = coding.bits / 8
        // The row's last pixels that do not fill a whole step are stored without prediction.
        let (distance, count) = (samples * step, width / step * step * samples)
        guard isFloat else {
            return unsafe Self.sum(row, count: count, distance: distance, size: size, isBigEndian: coding.isBigEndian)
        }
        // The floating-point predictor stores the high bytes of all samples, then the next lower bytes, and so on.
        let bytes = count * size
        for i in stride(from: distance, to: bytes, by: 1) { unsafe row[i] &+= unsafe row[i - distance] }
        unsafe scratch.update(from: row, count: bytes)
        for i in 0..<count {
            for byte in 0..<size {
                let offset = coding.isBigEndian ? byte : size - 1 - byte
                unsafe row[i * size + offset] = unsafe scratch[byte * count + i]
            }
        }
    }

    private static func sum(
        _ row: UnsafeMutablePointer<UInt8>, count: Int, distance: Int, size: Int, isBigEndian: Bool
    ) {
        let bytes = UnsafeMutableRawPointer(row)
        switch size {
        case 1:
            for i in stride(from: distance, to: count, by: 1) { unsafe row[i] &+= unsafe row[i - distance] }
        case 2:
            for i in stride(from: distance, to: count, by: 1) {
                let before = unsafe bytes.loadUnaligned(fromByteOffset: (i - distance) * 2, as: UInt16.self)
                let here = unsafe bytes.loadUnaligned(fromByteOffset: i * 2, as: UInt16.self)
                let sum = isBigEndian ? (before.bigEndian &+ here.bigEndian).bigEndian : before &+ here
                unsafe bytes.storeBytes(of: sum, toByteOffset: i * 2, as: UInt16.self)
            }
        default:
            for i in stride(from: distance, to: count, by: 1) {
                let before = unsafe bytes.loadUnaligned(fromByteOffset: (i - distance) * 4, as: UInt32.self)
                let here = unsafe bytes.loadUnaligned(fromByteOffset: i * 4, as: UInt32.self)
                let sum = isBigEndian ? (before.bigEndian &+ here.bigEndian).bigEndian : before &+ here
                unsafe bytes.storeBytes(of: sum, toByteOffset: i * 4, as: UInt32.self)
            }
        }
    }
}
