internal import Glibc
internal import PipelineText

extension CaptureError.Code {
    /// The template of the names of photo files is no file name, or has an unknown field.
    public static let nameTemplateInvalid = Self(rawValue: "nameTemplateInvalid")
}

/// The template of file names: fields in braces and the conversions of strftime.
enum NameTemplate {
    private static let fields = ["n", "date", "time", "kind"]
    /// The conversions of strftime whose result is part of a file name.
    private static let conversions = "aAbBCdeFgGhHIjklmMNpPqrRsSTuUVwWyYzZ%"
    /// The longest name in bytes: a file name has 255, of which format, number and extension need some.
    private static let longest = 200

    /// Throws if a template is not a file name, or has an unknown field or conversion.
    static func check(_ template: String) throws(CaptureError) {
        guard !template.isEmpty, !template.contains("/"), template != ".", template != "..",
            !template.unicodeScalars.contains(where: { $0.value < 32 })
        else {
            throw invalid("nameTemplate needs a file name without folders, such as photo-{n}, not \"\(template)\"")
        }
        try checkFields(template)
        try checkConversions(template)
        guard expand(template).utf8.count <= longest else {
            throw invalid("nameTemplate is longer than \(longest) bytes; choose a shorter name")
        }
    }

    private static func checkFields(_ template: String) throws(CaptureError) {
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else {
                throw invalid("nameTemplate \"\(template)\": a { has no matching }")
            }
            let word = String(rest[rest.index(after: open)..<close])
            guard fields.contains(word) else {
                throw invalid(
                    "nameTemplate \"\(template)\": {\(word)} is unknown; use {n}, {date}, {time} or {kind}"
                        + advice(word, among: fields))
            }
            rest = rest[rest.index(after: close)...]
        }
    }

    private static func checkConversions(_ template: String) throws(CaptureError) {
        var rest = template[...]
        while let percent = rest.firstIndex(of: "%") {
            let letter = rest[rest.index(after: percent)...].first
            guard let letter, conversions.contains(letter), letter != "N" else {
                throw invalid(
                    "nameTemplate \"\(template)\": %\(letter.map(String.init) ?? "") is no part of a file name; "
                        + "use conversions of strftime such as %Y-%m-%d and %H%M%S, and %% for a percent sign")
            }
            rest = rest[percent...].dropFirst(2)
        }
    }

    private static func invalid(_ message: String) -> CaptureError { CaptureError(.nameTemplateInvalid, message) }

    /// Returns a template with the local date and time of now. The fields `{n}` and `{kind}` remain.
    static func expand(_ template: String) -> String {
        var seconds = Glibc.time(nil)
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        let format = template.replacing("{date}", with: "%Y%m%d").replacing("{time}", with: "%H%M%S")
        // The space makes the result of a valid format never empty, which strftime returns for one that does not fit.
        var bytes = [CChar](repeating: 0, count: 4096)
        let count = unsafe strftime(&bytes, bytes.count, format + " ", &parts)
        guard count > 0 else { return format }
        return String(decoding: bytes.prefix(count - 1).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
