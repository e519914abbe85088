internal import Glibc

/// Cameras' own raw files (NEF, ARW, CR3, RAF …), read through LibRaw.
///
/// *Thread-safe.*
package enum CameraRawFile {
    /// The decoded photo of a file.
    package struct Photo: Sendable {
        /// The file's description.
        package var header: CameraRawHeader
        /// The codes of the visible area, one for each pixel.
        package var codes: [UInt16]
        /// Whether data is damaged or missing, in place of which there are other codes.
        package var isDamaged: Bool
    }

    /// The file extensions of raw files that LibRaw reads, in lower case.
    package static let extensions: Set<String> = [
        "3fr", "arw", "cr2", "cr3", "crw", "dcr", "erf", "fff", "iiq", "kdc", "mef", "mos", "mrw", "nef", "nrw", "orf",
        "pef", "raf", "rw2", "rwl", "sr2", "srf", "srw", "x3f",
    ]

    /// Returns the extension of a camera's raw file in upper case, such as `NEF`; nil for other names.
    package static func formatName(of path: String) -> String? {
        guard let dot = path.lastIndex(of: "."), path.firstIndex(of: "/", after: dot) == nil else { return nil }
        let suffix = path[path.index(after: dot)...]
        return extensions.contains(suffix.lowercased()) ? suffix.uppercased() : nil
    }

    /// Reads a file's description without decoding its codes.
    package static func header(path: String) throws(CameraRawError) -> CameraRawHeader {
        try CameraRawHeader(try LibRawPhoto(path: path))
    }

    /// Decodes a file's raw picture.
    package static func decode(path: String) throws(CameraRawError) -> Photo {
        let photo = try LibRawPhoto(path: path)
        // Throws for raw pictures that are not supported, before they are decoded.
        _ = try CameraRawHeader(photo)
        try photo.unpack()
        // LibRaw settles the levels of some cameras while it decodes.
        var header = try CameraRawHeader(photo)
        let codes = try codes(of: photo, header)
        let most = codes.max() ?? 0
        while header.bitDepth < 16, most >> UInt16(header.bitDepth) > 0 { header.bitDepth += 1 }
        let isDamaged = photo.isDamaged || PanasonicRawFile.isCutOff(path: path)
        return Photo(header: header, codes: codes, isDamaged: isDamaged)
    }

    /// Returns the codes of the visible area.
    private static func codes(
        of photo: LibRawPhoto, _ header: CameraRawHeader
    ) throws(CameraRawError) -> [UInt16] {
        typealias Parts = LibRawLayout.Parts
        let top = Int(photo.value(Parts.topMargin, as: UInt16.self))
        let left = Int(photo.value(Parts.leftMargin, as: UInt16.self))
        let rows = Int(photo.value(Parts.rawHeight, as: UInt16.self))
        let stride = Int(photo.value(Parts.bytesInRow, as: UInt32.self)) / 2
        guard let source = unsafe photo.codes else {
            throw CameraRawError(
                .unsupported, "the file has no raw picture of 16-bit codes: convert it to DNG with Adobe DNG Converter")
        }
        guard top + header.height <= rows, left + header.width <= stride else {
            throw CameraRawError(.malformed, "the visible area of the file is larger than its raw picture")
        }
        let count = header.width * header.height
        return unsafe [UInt16](unsafeUninitializedCapacity: count) { target, filled in
            guard let target = target.baseAddress else { return }
            for row in 0..<header.height {
                let line = unsafe source + (top + row) * stride + left
                unsafe memcpy(target + row * header.width, line, header.width * 2)
            }
            filled = count
        }
    }
}

extension String {
    /// Returns the index of the first occurrence of a character behind an index; nil if there is none.
    fileprivate func firstIndex(of character: Character, after start: Index) -> Index? {
        self[start...].firstIndex(of: character)
    }
}
