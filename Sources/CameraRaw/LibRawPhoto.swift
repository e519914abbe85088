internal import CLibRaw

/// A file opened by LibRaw, with checked access to the fields of its data.
///
///     init ──▶ opened: metadata can be read ── unpack ──▶ decoded: the codes, too ── deinit ──▶ closed
@safe final class LibRawPhoto {
    private let photo: UnsafeMutableRawPointer
    private let functions: LibRawFunctions
    /// Set to 1 by LibRaw's thread, which is the caller's, when it finds damaged data.
    private let damage: UnsafeMutablePointer<Int32>
    let layout: LibRawLayout
    /// LibRaw's version, such as `0.20.2`.
    let version: String

    /// Opens a file. Throws if LibRaw is missing, or does not support the file.
    init(path: String) throws(CameraRawError) {
        let library = try LibRawLibrary.load()
        functions = library.functions
        layout = library.layout
        version = library.version
        // Option 1 of LibRaw 0.20 keeps it from printing that memory is exhausted; later releases never print it.
        guard let photo = functions.`init`(1) else {
            throw CameraRawError(.noMemory, "LibRaw has no memory to open the file")
        }
        unsafe self.photo = unsafe photo
        unsafe damage = .allocate(capacity: 1)
        unsafe damage.initialize(to: 0)
        // Without a handler, LibRaw prints a line on standard error.
        unsafe functions.set_dataerror_handler(
            photo, { context, _ in unsafe context?.storeBytes(of: 1, as: Int32.self) }, damage)
        try check(unsafe functions.open_file(photo, path), "open")
        try checkLayout()
    }

    deinit {
        unsafe functions.close(photo)
        unsafe damage.deallocate()
    }

    /// Decodes the codes.
    func unpack() throws(CameraRawError) {
        try check(unsafe functions.unpack(photo), "decode")
    }

    /// Whether LibRaw has found damaged data so far.
    var isDamaged: Bool { unsafe damage.pointee != 0 }

    /// Returns the index of the colour of a pixel of the visible area.
    func color(row: Int, column: Int) -> Int {
        Int(unsafe functions.COLOR(photo, Int32(clamping: row), Int32(clamping: column)))
    }

    // MARK: Fields

    /// Returns the field at an offset.
    func value<Value: BitwiseCopyable>(_ offset: Int, as type: Value.Type = Value.self) -> Value {
        unsafe photo.loadUnaligned(fromByteOffset: offset, as: type)
    }

    /// Returns consecutive fields that begin at an offset.
    func values<Value: BitwiseCopyable>(_ offset: Int, count: Int, as type: Value.Type = Value.self) -> [Value] {
        (0..<count).map { value(offset + $0 * MemoryLayout<Value>.stride) }
    }

    /// Returns the text in a field of `size` bytes, without spaces at its ends; empty if it is not UTF-8.
    func text(_ offset: Int, size: Int) -> String {
        let bytes = values(offset, count: size, as: UInt8.self).prefix { $0 != 0 }
        guard var text = String(validating: bytes, as: UTF8.self).map({ Substring($0) }) else { return "" }
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    /// The address of the decoded codes of a mosaic; nil if the file has none. Valid as long as this exists.
    var codes: UnsafePointer<UInt16>? {
        guard let address = unsafe value(layout.codes, as: UnsafeRawPointer?.self) else { return nil }
        return unsafe address.assumingMemoryBound(to: UInt16.self)
    }

    // MARK: Checks

    private func check(_ status: Int32, _ action: String) throws(CameraRawError) {
        guard status != 0 else { return }
        let reason = unsafe functions.strerror(status).map { unsafe String(cString: $0) } ?? "status \(status)"
        switch LibRawStatus(rawValue: status) {
        case .unsupported, .noPicture, .notImplemented:
            throw CameraRawError(
                .unsupported,
                "LibRaw \(version) does not support this file (\(reason)): it may be damaged or of a newer camera; "
                    + "convert it to DNG with Adobe DNG Converter")
        case .noMemory, .tooBig:
            throw CameraRawError(.noMemory, "LibRaw cannot \(action) the file: \(reason)")
        default:
            throw CameraRawError(
                .malformed, "the file is damaged: LibRaw cannot \(action) it (\(reason)); use another copy of it")
        }
    }

    /// Throws unless the fields at the offsets of the layout have the values that LibRaw's functions return.
    private func checkLayout() throws(CameraRawError) {
        typealias Parts = LibRawLayout.Parts
        let parts = unsafe [
            (functions.get_iparams(photo), layout.parameters), (functions.get_lensinfo(photo), layout.lens),
            (functions.get_imgother(photo), layout.other),
        ]
        let (rows, columns) = unsafe (functions.get_raw_height(photo), functions.get_raw_width(photo))
        let maximum = unsafe functions.get_color_maximum(photo)
        let isRight =
            unsafe parts.allSatisfy { part, offset in unsafe part == photo + offset }
            && Int32(value(Parts.rawHeight, as: UInt16.self)) == rows
            && Int32(value(Parts.rawWidth, as: UInt16.self)) == columns
            && Int32(bitPattern: value(layout.maximum)) == maximum
            && (0..<4).allSatisfy { index in
                let factor = unsafe functions.get_cam_mul(photo, Int32(index))
                return factor.bitPattern == value(layout.cameraBalance + 4 * index)
            }
            && (0..<12).allSatisfy { index in
                let factor = unsafe functions.get_rgb_cam(photo, Int32(index / 4), Int32(index % 4))
                return factor.bitPattern == value(layout.displayMatrix + 4 * index)
            }
        guard isRight else {
            throw CameraRawError(
                .missingLibrary,
                "the data of LibRaw \(version) has another layout than release \(layout.release), as if it were built "
                    + "with changes: install Debian's package of LibRaw")
        }
    }
}

/// The status numbers of LibRaw that are distinguished.
enum LibRawStatus: Int32 {
    case unsupported = -2
    case noPicture = -3
    case notImplemented = -8
    case noMemory = -100_007
    case tooBig = -100_012
}
