internal import PhotoMetadata

/// An ICC profile of an RGB device or colour space, which pictures are converted to when they are encoded.
///
/// Little CMS (liblcms2), which is loaded when it is needed, does the conversion.
public struct OutputProfile: Sendable, Hashable {
    /// The profile's bytes, as files contain them.
    public let bytes: [UInt8]

    /// The largest profile: far above those of printers with several large tables.
    public static let mostBytes = 1 << 24
    private static let headerSize = 128

    /// Creates a profile from the bytes of an `.icc` file; throws unless it is the profile of an RGB device or colour
    /// space.
    public init(bytes: [UInt8]) throws(GscapError) {
        func text(_ offset: Int) -> String { String(decoding: bytes[offset..<offset + 4], as: UTF8.self) }
        guard bytes.count > Self.headerSize, text(36) == "acsp" else {
            throw GscapError(.badPicture, "this is not an ICC profile: its header lacks the signature acsp")
        }
        let size = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard (Self.headerSize...Self.mostBytes).contains(size), size <= bytes.count else {
            throw GscapError(
                .badPicture, "the ICC profile states a size of \(size) bytes, but the file has \(bytes.count)")
        }
        guard text(16) == "RGB " else {
            throw GscapError(
                .unsupported,
                "the ICC profile is for \(text(16)), but gscap stores RGB pictures: name an RGB profile")
        }
        guard ["mntr", "prtr", "scnr", "spac"].contains(text(12)) else {
            throw GscapError(
                .unsupported,
                "the ICC profile has the class \(text(12)): name the profile of a display, printer or colour space")
        }
        self.bytes = Array(bytes[..<size])
    }

    /// Loads Little CMS early: a missing library fails before any rendering.
    package static func prepare() throws(GscapError) { _ = try LCMSLibrary.functions() }
}
