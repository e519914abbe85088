/// A Huffman code as JPEG writes it down: how many codes there are of each length, and their symbols in the order of the codes.
///
/// The symbols of lossless JPEG are categories: the number of bits of a difference, 0 to 16.
struct HuffmanCode {
    /// By length less 1, for 1 to 16.
    var counts: [UInt8]
    var symbols: [UInt8]

    /// Each symbol, its code and the code's length, in ascending order of codes.
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

    /// There are no more codes of any length than bits allow.
    var isSound: Bool {
        var room = 1
        for count in counts {
            room = room * 2 - Int(count)
            if room < 0 { return false }
        }
        return symbols.count == counts.reduce(0) { $0 + Int($1) }
    }
}

extension HuffmanCode {
    /// The code that makes symbols so frequent shortest, no code being longer than `limit`.
    ///
    /// Packages are merged as by Larmore and Hirschberg. One more symbol, which never occurs, takes the code of all ones, which JPEG
    /// keeps free.
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

/// Some leaves of the tree with the sum of their weights; a leaf is in it as often as `lengths` says.
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

    /// Pairs of packages and single leaves, both in ascending order, in one ascending list.
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
