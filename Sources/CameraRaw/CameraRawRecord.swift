internal import CCameraRaw
internal import Glibc

/// The record of a raw file that the program `gscap-libraw` wrote, with checked access to its texts and parts.
///
/// Its memory is that of the program's output: nothing is copied, and the output is sealed, so that it never changes.
// @unchecked Sendable: the mapped memory is sealed against writing and released by deinit alone.
@safe package final class CameraRawRecord: @unchecked Sendable {
    /// The fixed part, as the program wrote it: each value is untrusted.
    let values: GscapRawRecord
    private let memory: UnsafeRawPointer
    private let size: Int

    /// Takes the output of the program for a file. Throws if the program reports an error, or the output is invalid.
    convenience init(
        _ output: borrowing Descriptor, fileSize: Int, limits: CameraRawLimits
    ) throws(GscapError) {
        try self.init(output)
        try checkOutcome(fileSize: fileSize, limits)
    }

    /// Maps an output. Throws if it is invalid.
    init(_ output: borrowing Descriptor) throws(GscapError) {
        // A process that still had the output could otherwise shrink it, so that reading it would end this process.
        var information = stat()
        guard gscap_raw_seal(output.number) == 0, unsafe fstat(output.number, &information) == 0 else {
            throw Self.invalid("it is still written")
        }
        let size = Int(information.st_size)
        guard size >= MemoryLayout<GscapRawRecord>.size else { throw Self.invalid("it has \(size) bytes") }
        let memory = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, output.number, 0)
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
            throw CameraRawProgram.failure("memory for the result")
        }
        unsafe self.memory = UnsafeRawPointer(memory)
        self.size = size
        values = unsafe memory.load(as: GscapRawRecord.self)
        try checkParts()
    }

    deinit { unsafe munmap(UnsafeMutableRawPointer(mutating: memory), size) }

    // MARK: Values

    /// Returns the text in a field without spaces at its ends; empty if it is not UTF-8.
    func text<Field>(_ field: KeyPath<GscapRawRecord, Field>) -> String {
        let bytes: [UInt8] = numbers(field)
        guard let text = String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self) else { return "" }
        var trimmed = Substring(text)
        while trimmed.first == " " { trimmed.removeFirst() }
        while trimmed.last == " " { trimmed.removeLast() }
        return String(trimmed)
    }

    /// Returns the numbers of an array.
    func numbers<Field, Number: BitwiseCopyable>(_ field: KeyPath<GscapRawRecord, Field>) -> [Number] {
        unsafe withUnsafeBytes(of: values[keyPath: field]) { bytes in
            (0..<bytes.count / MemoryLayout<Number>.stride).map {
                unsafe bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Number>.stride, as: Number.self)
            }
        }
    }

    // MARK: Parts

    /// Calls `body` with the codes of the visible area, one for each pixel, or of a linear picture four: red, green,
    /// blue and 65535. They are empty if the file has none.
    package func withCodes<Result, Failure: Error>(
        _ body: (Span<UInt16>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let codes = unsafe part(values.codes).bindMemory(to: UInt16.self)
        return try body(unsafe Span(_unsafeElements: codes))
    }

    /// The largest JPEG in the file; empty if there is none.
    var preview: [UInt8] { unsafe Array(part(values.preview)) }

    /// The numbers of the cell of black levels, by rows.
    var blackCell: [UInt32] {
        let bytes = unsafe part(values.blackCell)
        return (0..<bytes.count / 4).map { unsafe bytes.load(fromByteOffset: 4 * $0, as: UInt32.self) }
    }

    /// Returns the bytes of a checked part.
    private func part(_ part: GscapRawPart) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: memory + Int(part.offset), count: Int(part.size))
    }

    // MARK: Checks

    private func checkParts() throws(GscapError) {
        let header = MemoryLayout<GscapRawRecord>.size
        guard values.magic == GSCAP_RAW_MAGIC, values.version == GSCAP_RAW_VERSION, values.size == header else {
            throw Self.invalid("it has another version; install gscap completely")
        }
        for part in [values.codes, values.preview, values.blackCell] where part.size > 0 {
            let isInside = part.offset >= header && part.offset <= size && part.size <= size - Int(part.offset)
            guard isInside, part.offset % 64 == 0 else { throw Self.invalid("a part lies outside it") }
        }
        let sides = [values.width, values.height, values.rawWidth, values.rawHeight, values.left, values.top]
        guard sides.allSatisfy({ $0 <= UInt16.max }), values.blackRows <= 64, values.blackColumns <= 64,
            values.blackCell.size == 4 * UInt64(values.blackRows) * UInt64(values.blackColumns),
            values.codes.size == 0 || (values.samples == 1 || values.samples == 4),
            values.codes.size == 0
                || values.codes.size == 2 * UInt64(values.samples) * UInt64(values.width) * UInt64(values.height)
        else { throw Self.invalid("a part has another size than the record states") }
    }

    private func checkOutcome(fileSize: Int, _ limits: CameraRawLimits) throws(GscapError) {
        switch GscapRawOutcome(values.outcome) {
        case GscapRawOutcomeDone: return
        case GscapRawOutcomeTooManyPixels:
            throw GscapError(
                .malformed,
                "the file is damaged: it states a raw picture of \(values.rawWidth)×\(values.rawHeight) pixels, for "
                    + "which its \(fileSize) bytes are too few; use another copy of it")
        case GscapRawOutcomeLibRawError: throw error(limits)
        default: throw Self.invalid("it is not complete")
        }
    }

    /// Returns LibRaw's error.
    private func error(_ limits: CameraRawLimits) -> GscapError {
        let reason = text(\.message)
        switch LibRawStatus(rawValue: values.error) {
        case .unsupported, .noPicture, .notImplemented:
            return GscapError(
                .unsupported,
                "LibRaw \(version) does not support this file (\(reason)): it may be damaged or of a newer camera; "
                    + "convert it to DNG with Adobe DNG Converter")
        case .noMemory, .tooBig: return CameraRawProcess.Ending.tooMuchMemory(limits)
        case nil:
            return GscapError(
                .malformed, "the file is damaged: LibRaw cannot read it (\(reason)); use another copy of it")
        }
    }

    /// LibRaw's version, such as `0.20.2`.
    var version: String { String(text(\.reader).prefix { $0 != "-" }) }

    private static func invalid(_ reason: String) -> GscapError {
        GscapError(.malformed, "the program gscap-libraw returned an invalid record: \(reason)")
    }
}

/// The status numbers of LibRaw that are distinguished.
private enum LibRawStatus: Int32 {
    case unsupported = -2
    case noPicture = -3
    case notImplemented = -8
    case noMemory = -100_007
    case tooBig = -100_012
}
