internal import CGStreamer
internal import CGStreamerShims

/// A text file of groups, `[name]`, of lines `key = value` (GKeyFile). Lines that begin with `#` are comments.
/// A byte-order mark at the beginning is skipped.
public struct KeyFile: Sendable {
    /// A group of keys.
    public struct Group: Sendable {
        /// The text between the brackets.
        public let name: String
        /// The values by their keys.
        public let values: [String: String]
    }

    /// The groups in the order of the file.
    public let groups: [Group]
    /// A group that the file has twice, or a key that one of its groups has twice, as `[group]` or `key in [group]`;
    /// nil if there is none. GKeyFile would join the groups, and take the last value of the key.
    public let repetition: String?

    /// Reads a file.
    public init(path: String) throws(GscapError) {
        try self.init(text: try Self.text(of: path), place: path)
    }

    /// Reads a text; `place` names it in errors.
    public init(text: String, place: String) throws(GscapError) {
        let file = unsafe g_key_file_new()
        defer { unsafe g_key_file_free(file) }
        var text = text
        var error: UnsafeMutablePointer<GError>?
        // GKeyFile takes a byte-order mark for a part of the first line.
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        guard
            unsafe g_key_file_load_from_data(file, text, gsize(text.utf8.count), gscap_key_file_none, &error) != 0
        else { throw unsafe GscapError(takingFull: error, place: place) }
        groups = unsafe Self.texts(g_key_file_get_groups(file, nil)).map { name in
            let keys = unsafe Self.texts(g_key_file_get_keys(file, name, nil, nil))
            let values = keys.map { key in
                (key, unsafe String(takingFull: g_key_file_get_string(file, name, key, nil)) ?? "")
            }
            return Group(name: name, values: Dictionary(values) { $1 })
        }
        repetition = Self.repetition(in: text)
    }

    /// Returns the text of a regular file; others, such as a pipe, could keep the caller forever.
    private static func text(of path: String) throws(GscapError) -> String {
        var bytes: UnsafeMutablePointer<gchar>?
        var error: UnsafeMutablePointer<GError>?
        let exists = unsafe g_file_test(path, gscap_file_test_exists) != 0
        let isRegular = unsafe g_file_test(path, gscap_file_test_is_regular) != 0
        guard isRegular || !exists else {
            throw GscapError(.cannotRead, "it is no regular file", place: path)
        }
        guard unsafe g_file_get_contents(path, &bytes, nil, &error) != 0 else {
            throw unsafe GscapError(takingFull: error, place: path)
        }
        return unsafe String(takingFull: bytes) ?? ""
    }

    /// Returns the first group or key that a file's text repeats, as `repetition` states it.
    private static func repetition(in text: String) -> String? {
        var (group, seen) = ("", Set<String>())
        for line in text.split(whereSeparator: \.isNewline).map({ $0.drop(while: \.isWhitespace) }) {
            let name: String
            if line.hasPrefix("[") {
                group = line.prefix { $0 != "]" } + "]"
                name = group
            } else if let equals = line.firstIndex(of: "="), !line.hasPrefix("#") {
                name = line[..<equals].reversed().drop(while: \.isWhitespace).reversed() + " in " + group
            } else {
                continue
            }
            if !seen.insert(name).inserted { return name }
        }
        return nil
    }

    /// Copies a list of texts that ends with nil, and frees it.
    private static func texts(_ list: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?) -> [String] {
        defer { unsafe g_strfreev(list) }
        var (texts, index): ([String], Int) = ([], 0)
        while let text = unsafe list?[index] {
            unsafe texts.append(String(cString: text))
            index += 1
        }
        return texts
    }
}
