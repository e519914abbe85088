internal import CTIFF
internal import CTIFFShims

/// An encoder of a TIFF file in memory, directory by directory, through libtiff.
package final class TIFFOutput {
    private let file: MemoryFile
    private let handle: TIFFHandle

    /// Starts a big-endian file in memory with an initial capacity of `capacity` bytes.
    package init(capacity: Int) throws(GscapError) {
        file = MemoryFile(capacity: capacity)
        handle = try TIFFHandle(mode: "wb", stream: file)
    }

    // MARK: Directories

    /// Begins an image directory (IFD) and registers the DNG tags for it.
    package func beginImage() throws(GscapError) {
        unsafe TIFFFreeDirectory(handle.tiff)
        try check(unsafe TIFFCreateDirectory(handle.tiff) == 0, "cannot begin a directory")
        try registerDNGTags()
    }

    /// Writes the image directory begun by `beginImage()`, and begins the next one.
    package func endImage() throws(GscapError) {
        try check(unsafe TIFFWriteDirectory(handle.tiff) != 0, "cannot write a directory")
        try registerDNGTags()
    }

    /// Writes an Exif directory whose tags `fill` sets; returns its byte offset.
    package func writeExif(_ fill: () throws(GscapError) -> Void) throws(GscapError) -> UInt64 {
        unsafe TIFFFreeDirectory(handle.tiff)
        try check(unsafe TIFFCreateEXIFDirectory(handle.tiff) == 0, "cannot begin the Exif directory")
        try fill()
        var offset: UInt64 = 0
        try check(unsafe TIFFWriteCustomDirectory(handle.tiff, &offset) != 0, "cannot write the Exif directory")
        return offset
    }

    /// Writes a GPS directory whose tags `fill` sets; returns its byte offset.
    package func writeGPS(_ fill: () throws(GscapError) -> Void) throws(GscapError) -> UInt64 {
        unsafe TIFFFreeDirectory(handle.tiff)
        try check(unsafe TIFFCreateGPSDirectory(handle.tiff) == 0, "cannot begin the GPS directory")
        try fill()
        var offset: UInt64 = 0
        try check(unsafe TIFFWriteCustomDirectory(handle.tiff, &offset) != 0, "cannot write the GPS directory")
        return offset
    }

    /// Registers the DNG tags with libtiff, which drops registered tags with every new directory.
    private func registerDNGTags() throws(GscapError) {
        try check(unsafe gscap_tiff_register_dng_tags(handle.tiff) != 0, "cannot register the tags of DNG")
    }

    // MARK: Tags

    /// Sets a built-in libtiff tag of one integer.
    package func set(_ tag: TIFFTag, integer value: Int) throws(GscapError) {
        try check(unsafe gscap_tiff_set_integer(handle.tiff, tag.number, UInt32(truncatingIfNeeded: value)) != 0, tag)
    }

    /// Sets a tag of two integers that libtiff takes as two arguments, such as YCbCrSubSampling.
    package func set(_ tag: TIFFTag, pair first: Int, _ second: Int) throws(GscapError) {
        let (first, second) = (UInt16(clamping: first), UInt16(clamping: second))
        try check(unsafe gscap_tiff_set_pair(handle.tiff, tag.number, first, second) != 0, tag)
    }

    /// Removes a tag that libtiff set implicitly, such as JPEGTables.
    package func unset(_ tag: TIFFTag) {
        unsafe gscap_tiff_unset(handle.tiff, tag.number)
    }

    /// Sets a tag of raw bytes with an explicit count.
    package func set(_ tag: TIFFTag, bytes: [UInt8]) throws(GscapError) {
        let done = unsafe bytes.withUnsafeBytes {
            unsafe gscap_tiff_set_counted(handle.tiff, tag.number, UInt32(bytes.count), $0.baseAddress)
        }
        try check(done != 0, tag)
    }

    /// Sets a tag whose value is the offset of a directory (ExifIFD, GPSInfo).
    package func set(_ tag: TIFFTag, offset: UInt64) throws(GscapError) {
        try check(unsafe gscap_tiff_set_offset(handle.tiff, tag.number, offset) != 0, tag)
    }

    /// Reserves `count` SubIFDs entries; libtiff fills them with the offsets of the next `count` directories.
    package func announceSubImages(_ count: Int) throws(GscapError) {
        let none = [UInt64](repeating: 0, count: count)
        let done = unsafe none.withUnsafeBytes {
            unsafe gscap_tiff_set_counted(handle.tiff, TIFFTag.subIFDs.number, UInt32(count), $0.baseAddress)
        }
        try check(done != 0, .subIFDs)
    }

    /// Sets an ASCII tag.
    package func set(_ tag: TIFFTag, text: String) throws(GscapError) {
        // libtiff would cut the text off at a NUL.
        let clean = String(text.unicodeScalars.filter { $0.value != 0 })
        let done = unsafe clean.withCString { unsafe gscap_tiff_set_array(handle.tiff, tag.number, $0) }
        try check(done != 0, tag)
    }

    /// Sets a tag's values, converted to the tag's type and clamped to its range.
    package func set(_ tag: TIFFTag, _ values: [Double]) throws(GscapError) {
        guard let field = TIFFField(tag, of: handle), let first = values.first else { return try check(false, tag) }
        if field.isReal, field.countSize == 0, field.fixedCount == 1 {
            return try check(unsafe gscap_tiff_set_double(handle.tiff, tag.number, first) != 0, tag)
        }
        if !field.isReal, field.countSize == 0, field.fixedCount == 1 {
            return try set(tag, integer: Int(Self.whole(first)))
        }
        switch (field.isReal, field.size) {
        case (true, 4): try set(tag, field, values.map { Float($0) })
        case (true, _): try set(tag, field, values)
        case (false, 1): try set(tag, field, values.map { UInt8(clamping: Self.whole($0)) })
        case (false, 2): try set(tag, field, values.map { UInt16(clamping: Self.whole($0)) })
        default: try set(tag, field, values.map { UInt32(clamping: Self.whole($0)) })
        }
    }

    private static func whole(_ value: Double) -> Int64 {
        Int64(max(-0x1p62, min(0x1p62, value.isNaN ? 0 : value)).rounded())
    }

    private func set<Value: BitwiseCopyable>(
        _ tag: TIFFTag, _ field: TIFFField, _ values: [Value]
    ) throws(GscapError) {
        if field.fixedCount > 0 { try check(values.count == field.fixedCount, tag) }
        let done = unsafe values.withUnsafeBytes { bytes in
            field.countSize > 0
                ? unsafe gscap_tiff_set_counted(handle.tiff, tag.number, UInt32(values.count), bytes.baseAddress)
                : unsafe gscap_tiff_set_array(handle.tiff, tag.number, bytes.baseAddress)
        }
        try check(done != 0, tag)
    }

    // MARK: Strips and tiles

    /// Writes an encoded strip to the file.
    package func write(strip: Int, _ bytes: [UInt8]) throws(GscapError) {
        let written = unsafe bytes.withUnsafeBytes { bytes in
            unsafe TIFFWriteRawStrip(
                handle.tiff, UInt32(strip), UnsafeMutableRawPointer(mutating: bytes.baseAddress), Int64(bytes.count))
        }
        try check(written == bytes.count, "cannot write strip \(strip)")
    }

    /// Writes an encoded tile to the file.
    package func write(tile: Int, _ bytes: [UInt8]) throws(GscapError) {
        let written = unsafe bytes.withUnsafeBytes { bytes in
            unsafe TIFFWriteRawTile(
                handle.tiff, UInt32(tile), UnsafeMutableRawPointer(mutating: bytes.baseAddress), Int64(bytes.count))
        }
        try check(written == bytes.count, "cannot write tile \(tile)")
    }

    /// Reserves contiguous bytes for strips of the given sizes; returns the byte offset of the first strip.
    package func reserve(strips sizes: [Int]) throws(GscapError) -> Int {
        file.reserving = true
        defer { file.reserving = false }
        let start = file.count
        // libtiff only passes the nil address on to MemoryFile, which does not read it while reserving.
        for (strip, size) in sizes.enumerated() {
            let written = unsafe TIFFWriteRawStrip(handle.tiff, UInt32(strip), nil, Int64(size))
            try check(written == size, "cannot reserve strip \(strip)")
        }
        return start
    }

    /// Calls `fill` with the address of the reserved strips, which begin at byte offset `start`.
    package func fill(from start: Int, _ fill: (UnsafeMutableRawPointer) -> Void) throws(GscapError) {
        guard let base = unsafe file.bytes.baseAddress else {
            throw GscapError(.noMemory, "there is no memory for the file")
        }
        unsafe fill(base + start)
    }

    /// Returns the finished file. First overwrites the values of some IFD0 tags of type BYTE, at unchanged length, such
    /// as NewRawImageDigest, which is known only after all pixels are encoded.
    package func finish(replacing values: [(tag: TIFFTag, bytes: [UInt8])]) throws(GscapError) -> TIFFData {
        for (tag, bytes) in values { unsafe Self.replace(tag, bytes, in: file.bytes) }
        // libtiff stores SubIFDs with type IFD (13). Change it to LONG (4), which the DNG specification names and
        // exiftool's validator expects.
        if let entry = unsafe Self.entry(.subIFDs, in: file.bytes) {
            let long = UInt16(TIFF_LONG.rawValue).bigEndian
            unsafe file.bytes.storeBytes(of: long, toByteOffset: entry + 2, as: UInt16.self)
        }
        guard let data = file.takeData() else { throw GscapError(.noMemory, "there is no memory for the file") }
        return data
    }

    private static func replace(_ tag: TIFFTag, _ new: [UInt8], in bytes: UnsafeMutableRawBufferPointer) {
        guard let entry = unsafe entry(tag, in: bytes) else { return }
        let offset = unsafe number(at: entry + 8, as: UInt32.self, in: bytes)
        guard new.count > 4, offset + new.count <= bytes.count else { return }
        unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + new.count]).copyBytes(from: new)
    }

    /// Returns the byte offset of a tag's entry in IFD0; nil if IFD0 has no such tag.
    private static func entry(_ tag: TIFFTag, in bytes: UnsafeMutableRawBufferPointer) -> Int? {
        let directory = unsafe number(at: 4, as: UInt32.self, in: bytes)
        let count = unsafe number(at: directory, as: UInt16.self, in: bytes)
        return (0..<count).map { directory + 2 + $0 * 12 }.first {
            unsafe number(at: $0, as: UInt16.self, in: bytes) == Int(tag.number)
        }
    }

    private static func number<Number: FixedWidthInteger>(
        at offset: Int, as type: Number.Type, in bytes: UnsafeMutableRawBufferPointer
    ) -> Int {
        guard offset + MemoryLayout<Number>.size <= bytes.count else { return 0 }
        return Int(unsafe bytes.loadUnaligned(fromByteOffset: offset, as: type).bigEndian)
    }

    private func check(_ success: Bool, _ tag: TIFFTag) throws(GscapError) {
        try check(success, "libtiff rejects \(tag)", at: TIFFLocation(tag: Int(tag.number)))
    }

    private func check(
        _ success: Bool, _ failure: String, at location: TIFFLocation? = nil
    ) throws(GscapError) {
        if success { return }
        throw GscapError(.container, "\(failure): \(handle.message)", at: location)
    }
}
