internal import CTIFF
internal import CTIFFShims

/// A byte stream for libtiff's client callbacks; the base class is empty and refuses writes.
class TIFFStream {
    /// The stream's size in bytes.
    var count: Int { 0 }

    /// Reads up to `size` bytes at the current offset; returns the number read.
    func read(_ target: UnsafeMutableRawPointer, count size: Int) -> Int { 0 }

    /// Writes at the current offset; returns the number of bytes written, or −1. A nil source only reserves the bytes.
    func write(_ source: UnsafeRawPointer?, count size: Int) -> Int { -1 }

    /// Moves the current offset; returns the new offset, or `UInt64.max` on failure.
    func seek(_ offset: UInt64, from whence: Int32) -> UInt64 { .max }
}

/// An open libtiff handle with its stream and its error log. *Thread-bound.*
@safe final class TIFFHandle {
    let tiff: OpaquePointer
    private let log: UnsafeMutablePointer<GscapTiffLog>
    private let stream: TIFFStream

    /// Opens a handle on `stream`; `mode` is libtiff's, such as "wb" for a big-endian file.
    init(mode: String, stream: TIFFStream) throws(GscapError) {
        self.stream = stream
        unsafe log = .allocate(capacity: 1)
        unsafe log.initialize(to: GscapTiffLog())
        // libtiff does not retain the stream; this object does, and closes the libtiff handle before releasing it.
        let opened = unsafe gscap_tiff_open(
            mode, Unmanaged.passUnretained(stream).toOpaque(),
            { client, target, count in
                guard let client = unsafe client, let target = unsafe target else { return 0 }
                return unsafe Int64(TIFFHandle.stream(client).read(target, count: Int(count)))
            },
            { client, source, count in
                guard let client = unsafe client else { return -1 }
                return unsafe Int64(TIFFHandle.stream(client).write(source, count: Int(count)))
            },
            { client, offset, whence in
                guard let client = unsafe client else { return .max }
                return unsafe TIFFHandle.stream(client).seek(offset, from: whence)
            },
            { client in
                guard let client = unsafe client else { return 0 }
                return unsafe UInt64(TIFFHandle.stream(client).count)
            }, log)
        guard let opened = unsafe opened else {
            let reason = unsafe log.pointee.message
            unsafe log.deallocate()
            throw GscapError(.malformed, "the file cannot be opened as TIFF: \(reason ?? "libtiff gives no reason")")
        }
        unsafe tiff = opened
    }

    deinit {
        unsafe TIFFClose(tiff)
        unsafe log.deallocate()
    }

    /// libtiff's first error message since `forgetMessages()`; later ones are mostly consequences of the first.
    var message: String { unsafe log.pointee.message ?? "libtiff gives no reason" }

    /// Clears the error log before the next step.
    func forgetMessages() {
        unsafe log.pointee = GscapTiffLog()
    }

    private static func stream(_ client: UnsafeMutableRawPointer) -> TIFFStream {
        unsafe Unmanaged<TIFFStream>.fromOpaque(client).takeUnretainedValue()
    }
}

extension GscapTiffLog {
    /// The first error message that libtiff logged; nil if there is none.
    var message: String? {
        let text = unsafe withUnsafeBytes(of: error) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return text.isEmpty ? nil : text
    }
}

/// The calling convention of libtiff's TIFFSetField for a tag: value type, value size and count argument.
struct TIFFField {
    /// Whether the values are RATIONAL, SRATIONAL, FLOAT or DOUBLE rather than integers.
    let isReal: Bool
    /// The size of one value in memory, in bytes.
    let size: Int
    /// The size in bytes of the count argument passed with the values; 0 if there is no such argument.
    let countSize: Int
    /// The number of values when no count is passed; below 1 if the number is variable.
    let fixedCount: Int

    /// Looks up a tag in the handle's current directory; nil if libtiff has no such tag registered.
    init?(_ tag: TIFFTag, of handle: TIFFHandle) {
        guard let field = unsafe TIFFFindField(handle.tiff, tag.number, TIFF_NOTYPE) else { return nil }
        let type = unsafe TIFFFieldDataType(field)
        isReal = type == TIFF_RATIONAL || type == TIFF_SRATIONAL || type == TIFF_FLOAT || type == TIFF_DOUBLE
        size = Int(unsafe TIFFFieldSetGetSize(field))
        countSize = Int(unsafe TIFFFieldSetGetCountSize(field))
        fixedCount = Int(unsafe TIFFFieldReadCount(field))
    }
}
