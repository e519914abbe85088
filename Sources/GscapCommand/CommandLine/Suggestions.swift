internal import PipelineText

/// Advice on mistyped words.
enum Suggestions {
    /// Returns "; did you mean WORD?" with the word that resembles a mistyped one, or else `otherwise`.
    static func advice(_ word: String, among words: [String], otherwise: String = "") -> String {
        PipelineText.advice(word, among: words, otherwise: otherwise)
    }

    /// Returns the value of an option that selects one of several words; nil without the option. Throws for another
    /// word, with the one that it resembles.
    static func choice(_ name: String, _ options: Options, among words: [String]) throws(Failure) -> String? {
        guard let word = options.value(name) else { return nil }
        guard words.contains(word) else { throw unknown(word, of: name, among: words) }
        return word
    }

    /// Returns the error about a word that an option does not have.
    static func unknown(_ word: String, of name: String, among words: [String]) -> Failure {
        let others = words.dropLast().joined(separator: ", ")
        let list = others + (others.isEmpty ? "" : " or ") + (words.last ?? "")
        return Failure(.usage, "\(name) must be \(list), not \"\(word)\"" + advice(word, among: words))
    }
}
