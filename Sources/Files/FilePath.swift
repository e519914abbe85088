/// The text of file names that are not text: Linux accepts every byte in a name except NUL and `/`.
///
/// Bytes that are not UTF-8, and control characters, which a terminal would obey, are in a path as private characters
/// of Unicode's last plane, U+10FF00 plus the byte. `cPath` gives the system the original bytes. A name that contains
/// such a private character itself, which no known program writes, has its bytes replaced in the same way.
extension String {
    /// Creates the path of a name's bytes, without their NUL.
    package init(pathBytes bytes: some Collection<UInt8>) {
        let text = String(validating: bytes, as: UTF8.self)
        if let text, !text.unicodeScalars.contains(where: \.isReplacedInPaths) {
            self = text
            return
        }
        var scalars = String.UnicodeScalarView()
        var rest = Array(bytes)[...]
        while let first = rest.first {
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            let scalar = String(validating: rest.prefix(length), as: UTF8.self)?.unicodeScalars.first
            if let scalar, !scalar.isReplacedInPaths {
                scalars.append(scalar)
                rest = rest.dropFirst(length)
            } else {
                scalars.append(Unicode.Scalar(pathByte: first))
                rest = rest.dropFirst()
            }
        }
        self = String(scalars)
    }

    /// The path's bytes as a C string, as system calls take them.
    package var cPath: [CChar] {
        // Only the plane of the private characters begins with F4.
        guard utf8.contains(0xF4) else { return Array(utf8CString) }
        let bytes = unicodeScalars.flatMap { scalar in scalar.pathByte.map { [$0] } ?? Array(scalar.utf8) }
        return bytes.map { CChar(bitPattern: $0) } + [0]
    }

    /// The path as text for metadata, in which bytes that are not UTF-8 are replaced by U+FFFD.
    package var pathText: String { String(decoding: cPath.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) }
}

extension Unicode.Scalar {
    private static let firstPathByte: UInt32 = 0x10_FF00

    /// The character that stands for a byte of a name, which is not 0.
    fileprivate init(pathByte byte: UInt8) {
        self = Unicode.Scalar(Self.firstPathByte + UInt32(byte)) ?? "\u{FFFD}"
    }

    /// The byte of a name that the character stands for; nil for other characters.
    package var pathByte: UInt8? {
        value > Self.firstPathByte && value <= 0x10_FFFF ? UInt8(value - Self.firstPathByte) : nil
    }

    /// Whether the character is a control character (C0, DEL, C1).
    package var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

    fileprivate var isReplacedInPaths: Bool { isControl || pathByte != nil }
}

/// The parts of paths.
extension String {
    /// The folder of the file at this path: "." for a name alone.
    package var pathFolder: String {
        guard let slash = lastIndex(of: "/") else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    /// The path without its last component: "/" or "." if that is the only one.
    package var pathParent: String {
        let parent = split(separator: "/").dropLast().joined(separator: "/")
        return hasPrefix("/") ? "/" + parent : parent.isEmpty ? "." : parent
    }

    /// The name of the file at this path.
    package var pathName: String { lastIndex(of: "/").map { String(self[index(after: $0)...]) } ?? self }

    /// The name of the file at this path, without the last extension.
    package var pathStem: String {
        let name = pathName
        return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }
}
