/// A Huffman code as in JPEG's DHT segment: the number of codes of each length, and the symbols in ascending order of
/// codes.
///
/// The symbols of lossless JPEG are categories SSSS (ITU-T T.81, H.1.2.2): the bit length of a difference, 0 to 16.
struct HuffmanCode {
    /// The number of codes of each length from 1 to 16; index 0 is length 1.
    var counts: [UInt8]
    var symbols: [UInt8]

    /// All symbols with their codes and code lengths, in ascending order of codes.
    var entries: [(symbol: UInt32, code: UInt32, length: UInt32)] {
        var entries: [(symbol: UInt32, code: UInt32, length: UInt32)] = []
        var code: UInt32 = 0
        for length in 1...16 {
            for _ in 0..<counts[length - 1] {
                entries.append((UInt32(symbols[entries.count]), code, UInt32(length)))
                code += 1
            }
            code <<= 1
        }
        return entries
    }

    /// Whether the code is a valid prefix code: at each length there are at most as many codes as the shorter ones
    /// leave free, and every code has a symbol.
    var isValid: Bool {
        var freeCodes = 1
        for count in counts {
            freeCodes = freeCodes * 2 - Int(count)
            if freeCodes < 0 { return false }
        }
        return symbols.count == counts.reduce(0) { $0 + Int($1) }
    }
}

extension HuffmanCode {
    /// Builds the optimal code for symbols of the given frequencies, with no code longer than `limit` bits.
    ///
    /// Uses the package-merge algorithm of Larmore and Hirschberg (1990). An extra symbol of frequency 0 reserves the
    /// code of all ones, which JPEG forbids.
    init(frequencies: [Int], limit: Int) {
        let used = frequencies.indices.filter { frequencies[$0] > 0 }.sorted { frequencies[$0] < frequencies[$1] }
        var leaves = [Package(weight: 0, leaf: 0)]
        for (index, symbol) in used.enumerated() {
            leaves.append(Package(weight: frequencies[symbol], leaf: index + 1))
        }
        var packages = leaves
        for _ in 1..<limit { packages = Package.merge(packages, leaves) }
        let lengths = packages.prefix(2 * leaves.count - 2).reduce(SIMD32<UInt8>()) { $0 &+ $1.lengths }

        counts = [UInt8](repeating: 0, count: 16)
        symbols = []
        for (index, symbol) in used.enumerated().reversed() {
            counts[Int(lengths[index + 1]) - 1] += 1
            symbols.append(UInt8(symbol))
        }
    }
}

/// A package of the package-merge algorithm: a multiset of leaves, counted in `lengths`, and their total weight.
private struct Package {
    var weight: Int
    var lengths = SIMD32<UInt8>()

    init(weight: Int, leaf: Int) {
        self.weight = weight
        lengths[leaf] = 1
    }

    private init(_ first: Package, _ second: Package) {
        weight = first.weight + second.weight
        lengths = first.lengths &+ second.lengths
    }

    /// Pairs up adjacent packages and merges the pairs with the leaves into one list in ascending order of weight.
    static func merge(_ packages: [Package], _ leaves: [Package]) -> [Package] {
        var list: [Package] = []
        list.reserveCapacity(packages.count / 2 + leaves.count)
        var leaf = 0
        for index in stride(from: 0, to: packages.count - 1, by: 2) {
            let pair = Package(packages[index], packages[index + 1])
            while leaf < leaves.count, leaves[leaf].weight <= pair.weight {
                list.append(leaves[leaf])
                leaf += 1
            }
            list.append(pair)
        }
        return list + leaves[leaf...]
    }
}
