/// The name that is most like a mistyped one, if any is like it.
func nearest(_ name: String, in names: [String]) -> String? {
    let wanted = Array(name.lowercased().utf8.prefix(64))
    let farthest = max(1, wanted.count / 3)
    var best: (distance: Int, name: String)?
    for candidate in names where abs(candidate.utf8.count - wanted.count) <= farthest {
        let distance = editDistance(wanted, Array(candidate.lowercased().utf8.prefix(64)))
        // Of two that are as near, the first in the alphabet, so that the answer does not depend on their order.
        if distance <= farthest, best.map({ (distance, candidate) < ($0.distance, $0.name) }) ?? true {
            best = (distance, candidate)
        }
    }
    return best?.name
}

extension String? {
    /// What follows "no element "x"" when there is a nearest name.
    var suggestion: String { map { "; did you mean \($0)?" } ?? "" }
}

/// How many insertions, deletions, changes and swaps of neighbours make one word of the other.
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
