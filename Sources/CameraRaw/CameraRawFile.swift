internal import CCameraRaw
// Exported, so that the members of the error are visible in all files and wherever the module is imported.
@_exported public import Errors

/// Cameras' own raw files (NEF, ARW, CR3, RAF …), read through LibRaw, in a process of its own.
///
/// *Thread-safe.*
package enum CameraRawFile {
    /// The decoded photo of a file.
    package struct Photo: Sendable {
        /// The file's description.
        package var header: CameraRawHeader
        /// The codes of the visible area: `withCodes`.
        package var codes: CameraRawRecord
        /// Whether data is damaged or missing, in place of which there are other codes.
        package var isDamaged: Bool
    }

    /// The file extensions of raw files that LibRaw reads, in lower case. Cameras of several makers use `raw`; some of
    /// these files have no header, and LibRaw knows them by their size.
    package static let extensions: Set<String> = [
        "3fr", "arw", "cr2", "cr3", "crw", "dcr", "erf", "fff", "iiq", "kdc", "mef", "mos", "mrw", "nef", "nrw", "orf",
        "pef", "raf", "raw", "rw2", "rwl", "sr2", "srf", "srw", "x3f",
    ]

    /// Returns the extension of a camera's raw file in upper case, such as `NEF`; nil for other names.
    package static func formatName(of path: String) -> String? {
        guard let dot = path.lastIndex(of: "."), path.firstIndex(of: "/", after: dot) == nil else { return nil }
        let suffix = path[path.index(after: dot)...]
        return extensions.contains(suffix.lowercased()) ? suffix.uppercased() : nil
    }

    /// Reads a file's description without decoding its codes.
    package static func header(
        path: String, program: CameraRawProgram = .installed
    ) throws(GscapError) -> CameraRawHeader {
        try CameraRawHeader(try program.read(.header, of: path))
    }

    /// Decodes a file's raw picture.
    package static func decode(
        path: String, program: CameraRawProgram = .installed
    ) throws(GscapError) -> Photo {
        let record = try program.read(.codes, of: path)
        // Throws for raw pictures that are not supported.
        var header = try CameraRawHeader(record)
        let most = record.withCodes { codes in
            var most: UInt16 = 0
            for index in codes.indices { most = max(most, codes[index]) }
            return codes.isEmpty ? nil : most
        }
        guard let most else {
            throw GscapError(
                .unsupported, "the file has no raw picture of 16-bit codes: convert it to DNG with Adobe DNG Converter")
        }
        while header.bitDepth < 16, most >> UInt16(header.bitDepth) > 0 { header.bitDepth += 1 }
        let isDamaged = record.values.isDamaged != 0 || PanasonicRawFile.isCutOff(path: path)
        return Photo(header: header, codes: record, isDamaged: isDamaged)
    }

    /// Returns the largest JPEG that the camera stored in a file, without decoding the raw picture; nil if there is
    /// none.
    package static func preview(
        path: String, program: CameraRawProgram = .installed
    ) throws(GscapError) -> [UInt8]? {
        let jpeg = try program.read(.preview, of: path).preview
        // The marker SOI.
        return jpeg.starts(with: [0xFF, 0xD8]) ? jpeg : nil
    }
}

extension String {
    /// Returns the index of the first occurrence of a character behind an index; nil if there is none.
    fileprivate func firstIndex(of character: Character, after start: Index) -> Index? {
        self[start...].firstIndex(of: character)
    }
}
