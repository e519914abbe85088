/// A file format that is not DNG, recognised by the file's first bytes, for error messages.
struct ForeignFormat {
    /// The format's name with its article, such as "a Canon raw file (CR3)".
    let name: String
    /// Whether it is a camera's own raw format.
    let isRaw: Bool

    /// The number of bytes that the recognition needs.
    static let headSize = 32

    /// The error of a file that is not a DNG: its format's name and the advice for the user.
    var error: GscapError { GscapError(isRaw ? .cameraRaw : .unsupported, message) }

    private var message: String {
        isRaw
            ? "this is \(name), not a DNG: convert it to DNG first, with gscap convert or Adobe DNG Converter"
            : "this is \(name), not a DNG: a finished picture has no raw data to work with"
    }

    private init(_ name: String, isRaw: Bool) {
        (self.name, self.isRaw) = (name, isRaw)
    }

    /// Recognises a format by the file's first bytes; nil for DNG, TIFF and unknown formats.
    init?(head: [UInt8]) {
        func has(_ text: String, at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: text.utf8) }
        for (text, name) in Self.raws where has(text) {
            self.init(name, isRaw: true)
            return
        }
        if has("CR", at: 8), head.starts(with: [0x49, 0x49, 42, 0]) {
            self.init("a Canon raw file (CR2)", isRaw: true)
        } else if head.starts(with: [0x49, 0x49, 0x55, 0]) {
            self.init("a Panasonic or Leica raw file (RW2)", isRaw: true)
        } else if head.starts(with: [0, 0x4D, 0x52, 0x4D]) {
            self.init("a Minolta raw file (MRW)", isRaw: true)
        } else if has("ftypcrx ", at: 4) {
            self.init("a Canon raw file (CR3)", isRaw: true)
        } else if has("ftypavif", at: 4) {
            self.init("an AVIF picture", isRaw: false)
        } else if has("ftyphei", at: 4) || has("ftypmif1", at: 4) {
            self.init("a HEIF picture", isRaw: false)
        } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self.init("a JPEG picture", isRaw: false)
        } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            self.init("a PNG picture", isRaw: false)
        } else if head.starts(with: [0xFF, 0x0A]) || has("JXL ", at: 4) {
            self.init("a JPEG XL picture", isRaw: false)
        } else if head.starts(with: [0x76, 0x2F, 0x31, 0x01]) {
            self.init("an OpenEXR picture", isRaw: false)
        } else {
            return nil
        }
    }

    /// Raw formats that begin with a text.
    private static let raws = [
        ("FUJIFILMCCD-RAW", "a Fujifilm raw file (RAF)"), ("IIRO", "an Olympus raw file (ORF)"),
        ("IIRS", "an Olympus raw file (ORF)"), ("MMOR", "an Olympus raw file (ORF)"),
        ("FOVb", "a Sigma raw file (X3F)"), ("IIIIT", "a Phase One raw file (IIQ)"),
        ("MMMMR", "a Phase One raw file (IIQ)"),
    ]

    /// Recognises a camera's raw format by the Make tag of a TIFF file without DNGVersion; nil for other makes.
    init?(make: String, hasRawPicture: Bool) {
        guard hasRawPicture else { return nil }
        let make = make.uppercased()
        for (prefix, name) in Self.makes where make.hasPrefix(prefix) {
            self.init(name, isRaw: true)
            return
        }
        self.init("a camera's raw file of another format", isRaw: true)
    }

    private static let makes = [
        ("NIKON", "a Nikon raw file (NEF)"), ("SONY", "a Sony raw file (ARW)"),
        ("PENTAX", "a Pentax raw file (PEF)"), ("RICOH", "a Pentax raw file (PEF)"),
        ("SAMSUNG", "a Samsung raw file (SRW)"), ("HASSELBLAD", "a Hasselblad raw file (3FR)"),
        ("KODAK", "a Kodak raw file (DCR or KDC)"), ("EASTMAN KODAK", "a Kodak raw file (DCR or KDC)"),
        ("CANON", "a Canon raw file"), ("PHASE ONE", "a Phase One raw file (IIQ)"), ("LEAF", "a Leaf raw file (MOS)"),
        ("MAMIYA", "a Mamiya raw file (MEF)"), ("SEIKO EPSON", "an Epson raw file (ERF)"),
    ]
}

extension TIFFContainer {
    /// Opens a file. `magic` is the number after its byte order: 42 in TIFF, another in formats with TIFF's structure.
    /// Throws for the files of other formats with the name of the format.
    init(_ source: ByteSource, magic: UInt16 = 42) throws(GscapError) {
        if source.count >= 8, let head = source.bytes(at: 0, count: min(ForeignFormat.headSize, source.count)),
            let format = ForeignFormat(head: head)
        {
            throw format.error
        }
        try self.init(source, magics: [magic])
    }
}

extension DNGFile {
    /// Whether a file that begins with these bytes is a photo: a TIFF file, as DNGs are, or a file of another picture
    /// format that is recognised, such as RAF or JPEG.
    package static func isPhoto(head: [UInt8]) -> Bool {
        // 42 marks TIFF files, 43 those of BigTIFF.
        let magics: [[UInt8]] = [42, 43].flatMap { [[0x4D, 0x4D, 0, $0], [0x49, 0x49, $0, 0]] }
        return magics.contains { head.starts(with: $0) } || ForeignFormat(head: head) != nil
    }

    /// Throws if a file that begins with these bytes cannot be a DNG.
    package static func check(head: [UInt8]) throws(GscapError) { _ = try TIFFContainer(ByteSource(head)) }

    /// The number of bytes that `isPhoto` and `check(head:)` need.
    package static var photoHeadSize: Int { ForeignFormat.headSize }
}
