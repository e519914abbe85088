/// Returns the name with the smallest edit distance from a mistyped one; nil if that distance is above 1 and above a
/// third of the mistyped name's length.
public func nearest(_ name: String, in names: [String]) -> String? {
    let mistyped = Array(name.lowercased().utf8.prefix(64))
    let maximumDistance = max(1, mistyped.count / 3)
    var best: (distance: Int, name: String)?
    for candidate in names where abs(candidate.utf8.count - mistyped.count) <= maximumDistance {
        let distance = editDistance(mistyped, Array(candidate.lowercased().utf8.prefix(64)))
        // Ties go to the alphabetically first name, so that the result does not depend on the order of `names`.
        if distance <= maximumDistance, best.map({ (distance, candidate) < ($0.distance, $0.name) }) ?? true {
            best = (distance, candidate)
        }
    }
    return best?.name
}

/// Returns "; did you mean WORD?" with the word that resembles a mistyped one, or whose beginning it is or has; without
/// such a word, `otherwise`.
package func advice(_ word: String, among words: [String], otherwise: String = "") -> String {
    let beginning = words.first { !word.isEmpty && ($0.hasPrefix(word) || word.hasPrefix($0)) }
    let match = nearest(word, in: words) ?? beginning
    return match == nil ? otherwise : match.suggestion
}

extension String? {
    /// The suffix of an error message that suggests this name as the intended one; empty if there is none.
    var suggestion: String { map { "; did you mean \($0)?" } ?? "" }
}

/// Returns the optimal string alignment distance: the least number of insertions, deletions, substitutions and swaps of
/// neighbours that turns one word into the other.
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
            row.append(cost)
        }
        (beforeLast, last) = (last, row)
    }
    return last[b.count]
}
