internal import CTIFF
internal import CTIFFShims

/// What libtiff reads from or writes into.
class TIFFStream {
    /// How many bytes there are.
    var count: Int { 0 }

    /// Reads up to `size` bytes at the present place; returns how many.
    func read(_ target: UnsafeMutableRawPointer, count size: Int) -> Int { 0 }

    /// Writes at the present place; returns how many bytes, or −1. There is no source when only room is wanted.
    func write(_ source: UnsafeRawPointer?, count size: Int) -> Int { -1 }

    /// Moves the place; returns the new one, or the largest number when that cannot be.
    func seek(_ offset: UInt64, from whence: Int32) -> UInt64 { .max }
}

/// An open libtiff handle with the stream it works on and the messages it left. *Thread-bound.*
@safe final class TIFFHandle {
    let tiff: OpaquePointer
    private let log: UnsafeMutablePointer<GscapTiffLog>
    private let stream: TIFFStream

    /// Opens a handle in one of libtiff's modes.
    init(mode: String, stream: TIFFStream) throws(DNGError) {
        self.stream = stream
        unsafe log = .allocate(capacity: 1)
        unsafe log.initialize(to: GscapTiffLog())
        // libtiff does not retain the stream; this object does, and closes libtiff first.
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
            throw DNGError(.malformed, "the file does not open as TIFF: \(reason ?? "libtiff gives no reason")")
        }
        unsafe tiff = opened
    }

    deinit {
        unsafe TIFFClose(tiff)
        unsafe log.deallocate()
    }

    /// What libtiff said first since the last `forgetMessages()`: what follows is most often a consequence.
    var message: String { unsafe log.pointee.message ?? "libtiff gives no reason" }

    /// Makes room for the messages of the next step.
    func forgetMessages() {
        unsafe log.pointee = GscapTiffLog()
    }

    private static func stream(_ client: UnsafeMutableRawPointer) -> TIFFStream {
        unsafe Unmanaged<TIFFStream>.fromOpaque(client).takeUnretainedValue()
    }
}

extension GscapTiffLog {
    /// What libtiff said first; nil when it said nothing.
    var message: String? {
        let text = unsafe withUnsafeBytes(of: error) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return text.isEmpty ? nil : text
    }
}

/// How libtiff hands the values of a tag over.
struct TIFFField {
    /// Whether values are not whole numbers.
    let isReal: Bool
    /// Bytes of a value in memory.
    let size: Int
    /// Bytes of the count handed over with the values; 0 when there is none.
    let countSize: Int
    /// How many values there are when no count is handed over; below 1 when that is not fixed.
    let fixedCount: Int

    /// The way of a tag in the handle's present directory; nil when libtiff knows nothing of it.
    init?(_ tag: TIFFTag, of handle: TIFFHandle) {
        guard let field = unsafe TIFFFindField(handle.tiff, tag.number, TIFF_NOTYPE) else { return nil }
        let type = unsafe TIFFFieldDataType(field)
        isReal = type == TIFF_RATIONAL || type == TIFF_SRATIONAL || type == TIFF_FLOAT || type == TIFF_DOUBLE
        size = Int(unsafe TIFFFieldSetGetSize(field))
        countSize = Int(unsafe TIFFFieldSetGetCountSize(field))
        fixedCount = Int(unsafe TIFFFieldReadCount(field))
    }
}
