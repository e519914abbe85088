internal import Glibc

/// How a sensor's gain follows the code of its control.
package enum GainModel: Sendable, Hashable {
    /// (a·code + b) / (c·code + d), as camera specifications state it.
    case ratio(a: Double, b: Double, c: Double, d: Double)
    /// Decibels a code.
    case decibels(Double)

    /// A gain that is proportional to the code, and 1 at the code `unity`.
    package static func proportional(to unity: Double) -> GainModel { .ratio(a: 1, b: 0, c: 0, d: unity) }

    /// Whether equal steps of the code are equal steps of the gain.
    package var isProportional: Bool {
        if case .ratio(_, _, let c, _) = self { c == 0 } else { false }
    }

    /// The smallest code with a gain above 0.
    package var leastCode: Double {
        if case .ratio(let a, let b, 0, _) = self, b == 0, a > 0 { 1 } else { 0 }
    }

    /// Returns the gain of a code.
    package func factor(code: Double) -> Double {
        switch self {
        case .ratio(let a, let b, let c, let d):
            let divisor = c * code + d
            return divisor == 0 ? .infinity : (a * code + b) / divisor
        case .decibels(let step): return pow(10, code * step / 20)
        }
    }

    /// Returns the code of a gain.
    package func code(factor: Double) -> Double {
        switch self {
        case .ratio(let a, let b, let c, let d):
            let divisor = a - c * factor
            return divisor == 0 ? .infinity : (d * factor - b) / divisor
        case .decibels(let step): return 20 * log10(factor) / step
        }
    }
}

extension GainModel {
    /// Reads `code/16`, `256/(256-code)`, `0.3 dB` or four numbers; nil for other text.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        if words.count == 2, words[1] == "dB", let step = Double(words[0]), step > 0 {
            self = .decibels(step)
            return
        }
        let numbers = words.compactMap { Double($0) }
        if words.count == 4, numbers.count == 4 {
            self = .ratio(a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3])
            return
        }
        let plain = text.filter { $0 != " " }
        if plain.hasPrefix("code/"), let unity = Double(plain.dropFirst(5)), unity > 0 {
            self = .proportional(to: unity)
            return
        }
        guard plain.hasSuffix("-code)"), let slash = plain.firstIndex(of: "/"),
            let dividend = Double(plain[..<slash]), plain[slash...].hasPrefix("/("),
            let divisor = Double(plain[slash...].dropFirst(2).dropLast(6)), divisor > 0
        else { return nil }
        self = .ratio(a: 0, b: dividend, c: -1, d: divisor)
    }
}
