internal import TIFF

/// The metadata in a camera's own raw file as the camera has stored it: the primary directory, Exif, GPS and the maker
/// note.
///
/// TIFF's structure is that of most of these files, such as NEF, ARW, CR2, ORF and PEF. CR3, RAF, RW2 and MRW contain
/// smaller ones with the metadata.
package struct CameraRawMetadata {
    /// A maker note with the byte order and the position, on which its meaning may depend.
    struct Note {
        let bytes: [UInt8]
        let isBigEndian: Bool
        /// The position after the header of the TIFF structure from which offsets count.
        let position: Int
    }

    /// The primary directory (IFD0).
    let first: TIFFDirectory
    /// The Exif directory; nil without one.
    private(set) var exif: TIFFDirectory?
    /// The GPS directory; nil without one.
    private(set) var gps: TIFFDirectory?
    /// The maker note; nil without one.
    private(set) var note: Note?
    /// The XMP packet; nil without one.
    private(set) var packet: [UInt8]?

    /// The numbers after the byte order: those of TIFF, of Olympus's files (OR and SR) and of Panasonic's.
    private static let magics: Set<UInt16> = [42, 0x4F52, 0x5352, 0x55]
    /// The most bytes of a maker note.
    private static let longestNote = 1 << 22

    /// Reads a file; nil if it has no directories that can be read.
    package init?(path: String) {
        guard let source = try? ByteSource(path: path), let head = source.bytes(at: 0, count: min(32, source.count))
        else { return nil }
        func starts(_ text: String, at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: text.utf8) }
        if starts("ftypcrx ", at: 4) {
            self.init(canon: source)
        } else if starts("FUJIFILMCCD-RAW") {
            guard let jpeg = source.big(at: 84), let exif = source.exif(inJPEG: jpeg) else { return nil }
            self.init(exif)
        } else if starts("\0MRM") {
            guard let exif = source.exifOfMinolta else { return nil }
            self.init(exif)
        } else {
            self.init(source)
            // Panasonic's JPEG has all of Exif, the directory of the raw picture only some tags.
            if starts("IIU\0"), let jpeg = first.entries[.panasonicJPEG], jpeg.type == .undefined,
                let exif = source.exif(inJPEG: jpeg.offset), let complete = CameraRawMetadata(exif)
            {
                self = complete
            }
        }
    }

    /// Reads the directories of a TIFF structure.
    private init?(_ source: ByteSource) {
        guard let container = try? TIFFContainer(source, magics: Self.magics),
            let first = try? container.directory(at: container.first)
        else { return nil }
        self.first = first
        exif = first.integer(.exifIFD).flatMap { try? container.directory(at: $0) }
        gps = first.integer(.gpsIFD).flatMap { try? container.directory(at: $0) }
        packet = first.has(.xmp) ? first.bytes(.xmp) : nil
        guard let exif, let entry = exif.entries[.makerNote], (5...Self.longestNote).contains(entry.count) else {
            return
        }
        note = Note(bytes: exif.bytes(.makerNote), isBigEndian: container.isBigEndian, position: entry.offset)
    }

    /// Reads the four TIFF structures of a CR3, each of which has one directory: IFD0, Exif, the maker note and GPS.
    private init?(canon source: ByteSource) {
        guard let movie = source.box("moov", in: 0..<source.count),
            let canon = source.box(Self.canonIdentifier, in: movie)
        else { return nil }
        func directory(_ name: String) -> (range: Range<Int>, directory: TIFFDirectory)? {
            guard let range = source.box(name, in: canon),
                let container = try? TIFFContainer(ByteSource(source, from: range.lowerBound), magics: Self.magics),
                let directory = try? container.directory(at: container.first)
            else { return nil }
            return (range, directory)
        }
        guard let first = directory("CMT1") else { return nil }
        self.first = first.directory
        exif = directory("CMT2")?.directory
        gps = directory("CMT4")?.directory
        packet = source.box(Self.packetIdentifier, in: 0..<source.count).flatMap {
            source.bytes(at: $0.lowerBound, count: $0.count)
        }
        guard let (range, directory) = directory("CMT3"), directory.offset < range.count,
            let bytes = source.bytes(
                at: range.lowerBound + directory.offset, count: min(range.count - directory.offset, Self.longestNote))
        else { return }
        note = Note(bytes: bytes, isBigEndian: directory.container.isBigEndian, position: directory.offset)
    }

    /// The UUID of the box with Canon's metadata in a CR3.
    private static let canonIdentifier: [UInt8] = [
        0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
    ]
    /// The UUID of the box with the XMP packet.
    private static let packetIdentifier: [UInt8] = [
        0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]
}

extension ByteSource {
    /// Returns the big-endian 32-bit number at an offset; nil outside the bytes.
    fileprivate func big(at offset: Int) -> Int? {
        bytes(at: offset, count: 4)?.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns the content of the first box of a type among consecutive boxes of ISO/IEC 14496-12; nil without one.
    fileprivate func box(_ type: String, in range: Range<Int>) -> Range<Int>? { box(Array(type.utf8), in: range) }

    /// Returns the content of the first box of a type, the four bytes of its name or the 16 bytes of a UUID.
    fileprivate func box(_ type: [UInt8], in range: Range<Int>) -> Range<Int>? {
        let head = type.count == 16 ? Array("uuid".utf8) + type : type
        var at = range.lowerBound
        // Far more boxes than any file has, in case of damage.
        for _ in 0..<256 {
            guard let size = big(at: at) else { return nil }
            // 0 stands for the rest of the file, 1 for a size of 64 bits; neither occurs before the metadata.
            guard size >= 8, size <= range.upperBound - at else { return nil }
            if size >= 4 + head.count, bytes(at: at + 4, count: head.count) == head {
                return at + 4 + head.count..<at + size
            }
            at += size
        }
        return nil
    }

    /// Returns the TIFF structure of Exif in the JPEG file at an offset; nil without one.
    fileprivate func exif(inJPEG start: Int) -> ByteSource? {
        guard bytes(at: start, count: 2) == [0xFF, 0xD8] else { return nil }
        var at = start + 2
        for _ in 0..<64 {
            guard let head = bytes(at: at, count: 10), head[0] == 0xFF, head[1] > 0xBF, head[1] != 0xDA else {
                return nil
            }
            if head[1] == 0xE1, head[4...].elementsEqual("Exif\0\0".utf8) { return ByteSource(self, from: at + 10) }
            at += 2 + (Int(head[2]) << 8 | Int(head[3]))
        }
        return nil
    }

    /// The TIFF structure in the block TTW of a Minolta file (MRW); nil without one.
    fileprivate var exifOfMinolta: ByteSource? {
        var at = 8
        for _ in 0..<16 {
            guard let name = bytes(at: at, count: 4), let size = big(at: at + 4) else { return nil }
            if name.elementsEqual("\0TTW".utf8) { return ByteSource(self, from: at + 8) }
            at += 8 + size
        }
        return nil
    }
}
