internal import Files

/// Atomic file writing: a file appears complete or not at all.
///
/// The bytes are written to an unnamed file (O_TMPFILE) in the same folder and flushed to disk before the file is
/// linked to its path, so that a killed process leaves nothing behind. File systems without O_TMPFILE use a hidden
/// temporary file.
public enum AtomicFile {
    /// Writes a file atomically; throws if it exists, unless `replacing` is true.
    public static func write(_ bytes: RawSpan, to path: String, replacing: Bool = false) throws(CaptureError) {
        try WholeFile.write(bytes, to: path, replacing: replacing)
    }

    /// Writes the concatenation of several byte arrays as a file, atomically; throws if it exists, unless `replacing`
    /// is true.
    public static func write(pieces: [[UInt8]], to path: String, replacing: Bool = false) throws(CaptureError) {
        try WholeFile.write(pieces: pieces, to: path, replacing: replacing)
    }
}
