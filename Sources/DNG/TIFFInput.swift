internal import CTIFF
internal import CTIFFShims

/// A TIFF file being read: libtiff's reading side, at one directory at a time. *Thread-bound*; make one for each use.
final class TIFFInput {
    let handle: TIFFHandle
    private let check: DirectoryCheck

    init(_ source: ByteSource, check: DirectoryCheck) throws(DNGError) {
        self.check = check
        // h: directories are read when asked for; c: strips stay as they are in the file.
        // An offset of 2 bytes in the file becomes one of 8 in memory, so 8 times the file is plenty.
        handle = try TIFFHandle(
            mode: "rhc", stream: ByteCursor(source), largestAllocation: source.count * 8 + 1_048_576)
    }

    /// Goes to the image directory at `offset`; returns where the next one of its chain lies.
    @discardableResult
    func select(_ offset: Int) throws(DNGError) -> Int {
        let next = try check.next(after: offset)
        handle.forgetMessages()
        guard unsafe TIFFSetSubDirectory(handle.tiff, UInt64(offset)) != 0 else {
            throw DNGError(.malformed, "the directory at byte \(offset) cannot be read: \(handle.message)")
        }
        return next
    }

    /// Goes to the Exif directory at `offset`.
    func selectExif(_ offset: Int) throws(DNGError) {
        _ = try check.next(after: offset)
        handle.forgetMessages()
        guard unsafe TIFFReadEXIFDirectory(handle.tiff, UInt64(offset)) != 0 else {
            throw DNGError(.malformed, "the Exif directory at byte \(offset) cannot be read: \(handle.message)")
        }
    }

    /// A number of 16 bits that libtiff itself understands, or TIFF's default for it.
    func short(_ tag: TIFFTag) -> Int {
        var value: UInt16 = 0
        return unsafe gscap_tiff_get_16(handle.tiff, tag.number, &value) != 0 ? Int(value) : 0
    }

    /// A number of 32 bits that libtiff itself understands, or TIFF's default for it.
    func long(_ tag: TIFFTag) -> Int {
        var value: UInt32 = 0
        return unsafe gscap_tiff_get_32(handle.tiff, tag.number, &value) != 0 ? Int(value) : 0
    }

    /// A text; nil when the tag is missing or is none.
    func text(_ tag: TIFFTag) -> String? {
        guard let field = TIFFField(tag, of: handle), field.isText else { return nil }
        if field.countSize == 0 {
            var pointer: UnsafePointer<CChar>?
            guard unsafe gscap_tiff_get_any(handle.tiff, tag.number, &pointer) != 0, let pointer = unsafe pointer
            else { return nil }
            return unsafe Self.trimmed(String(cString: pointer))
        }
        let bytes = unsafe values(tag, field) { unsafe Array($0) } ?? []
        return Self.trimmed(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
    }

    /// The numbers of a tag; empty when it is missing.
    func numbers(_ tag: TIFFTag) -> [Double] {
        guard let field = TIFFField(tag, of: handle), !field.isText else { return [] }
        return unsafe values(tag, field) { unsafe Self.numbers($0, field) } ?? []
    }

    /// The numbers of a tag, rounded to whole ones; empty when it is missing. No number that a file can hold traps.
    func integers(_ tag: TIFFTag) -> [Int] {
        numbers(tag).map { $0.isNaN ? 0 : Int(max(-0x1p53, min(0x1p53, $0)).rounded()) }
    }

    /// Calls `body` with the memory of a tag's values; nil when the tag is missing.
    private func values<Result>(
        _ tag: TIFFTag, _ field: TIFFField, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
        var pointer: UnsafeRawPointer?
        var count = field.fixedCount
        switch field.countSize {
        case 0 where field.fixedCount == 1:
            var scalar: UInt64 = 0
            guard unsafe gscap_tiff_get_any(handle.tiff, tag.number, &scalar) != 0 else { return nil }
            return unsafe withUnsafeBytes(of: &scalar) {
                unsafe body(UnsafeRawBufferPointer(rebasing: $0.prefix(field.size)))
            }
        case 0:
            guard field.fixedCount > 1, unsafe gscap_tiff_get_any(handle.tiff, tag.number, &pointer) != 0
            else { return nil }
        case 2:
            var given: UInt16 = 0
            guard unsafe gscap_tiff_get_counted16(handle.tiff, tag.number, &given, &pointer) != 0 else { return nil }
            count = Int(given)
        default:
            var given: UInt32 = 0
            guard unsafe gscap_tiff_get_counted32(handle.tiff, tag.number, &given, &pointer) != 0 else { return nil }
            count = Int(given)
        }
        guard let pointer = unsafe pointer else { return nil }
        return unsafe body(UnsafeRawBufferPointer(start: pointer, count: count * field.size))
    }

    private static func numbers(_ bytes: UnsafeRawBufferPointer, _ field: TIFFField) -> [Double] {
        func all<Value: BitwiseCopyable>(as type: Value.Type, _ number: (Value) -> Double) -> [Double] {
            stride(from: 0, to: bytes.count - MemoryLayout<Value>.size + 1, by: MemoryLayout<Value>.size).map {
                number(unsafe bytes.loadUnaligned(fromByteOffset: $0, as: type))
            }
        }
        return switch (field.isReal, field.isSigned, field.size) {
        case (true, _, 4): all(as: Float.self) { Double($0) }
        case (true, _, 8): all(as: Double.self) { $0 }
        case (_, false, 1): all(as: UInt8.self) { Double($0) }
        case (_, true, 1): all(as: Int8.self) { Double($0) }
        case (_, false, 2): all(as: UInt16.self) { Double($0) }
        case (_, true, 2): all(as: Int16.self) { Double($0) }
        case (_, false, 4): all(as: UInt32.self) { Double($0) }
        case (_, true, 4): all(as: Int32.self) { Double($0) }
        case (_, false, 8): all(as: UInt64.self) { Double($0) }
        case (_, true, 8): all(as: Int64.self) { Double($0) }
        default: []
        }
    }

    private static func trimmed(_ text: String) -> String? {
        var scalars = Substring(text)
        while let last = scalars.last, last == " " { scalars.removeLast() }
        return scalars.isEmpty ? nil : String(scalars)
    }
}
