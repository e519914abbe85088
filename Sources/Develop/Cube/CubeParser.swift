/// Reads a `.cube` file line by line: keywords first, then one colour a line.
struct CubeParser {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 0

    private var title = ""
    private var curveSize: Int?
    private var cubeSide: Int?
    private var domain = CubeLook.Domain()
    private var curveDomain: CubeLook.Domain?
    private var cubeDomain: CubeLook.Domain?
    private var colors: [SIMD3<Float>] = []

    init(_ text: [UInt8]) {
        // Some programs begin the text with a byte order mark of UTF-8.
        bytes = text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text.dropFirst(3)) : text
    }

    /// The number of colours that the keywords announce: of the curves, then of the cube.
    private var announced: Int {
        let side = cubeSide ?? 0
        return (curveSize ?? 0) + side * side * side
    }

    /// Parses the whole text.
    mutating func parse() throws(GscapError) -> (title: String, CubeLook.Curves?, CubeLook.Cube?) {
        while position < bytes.count {
            line += 1
            let text = nextLine()
            guard let first = text.first, first != UInt8(ascii: "#") else { continue }
            if Self.beginsNumber(first) { try readColor(text) } else { try readKeyword(text) }
        }
        guard curveSize != nil || cubeSide != nil else {
            throw failure("there is no LUT_3D_SIZE and no LUT_1D_SIZE: this is not a .cube file")
        }
        guard colors.count == announced else {
            throw failure("the table has \(colors.count) colours, but its size needs \(announced)")
        }
        let curveCount = curveSize ?? 0
        let curves = curveSize.map { _ in
            CubeLook.Curves(samples: Array(colors[..<curveCount]), domain: curveDomain ?? domain)
        }
        // The output of the curves is the input of the cube, whose range DOMAIN_MIN and DOMAIN_MAX then do not state.
        let cube = cubeSide.map { side in
            CubeLook.Cube(
                side: side, colors: curveCount == 0 ? colors : Array(colors[curveCount...]),
                domain: cubeDomain ?? (curves == nil ? domain : CubeLook.Domain()))
        }
        return (title, curves, cube)
    }

    // MARK: Lines

    /// Returns the next line without white space around it, and moves past its end: LF, CR or both.
    private mutating func nextLine() -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
        var text = bytes[start..<position]
        if position < bytes.count {
            let isPair = bytes[position] == 0x0D && position + 1 < bytes.count && bytes[position + 1] == 0x0A
            position += isPair ? 2 : 1
        }
        while let first = text.first, Self.isSpace(first) { text = text.dropFirst() }
        while let last = text.last, Self.isSpace(last) { text = text.dropLast() }
        return text
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func beginsNumber(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
            || byte == UInt8(ascii: ".")
    }

    private func failure(_ message: String) -> GscapError { GscapError(.badLook, "line \(line): \(message)") }

    // MARK: Keywords

    private mutating func readKeyword(_ text: ArraySlice<UInt8>) throws(GscapError) {
        let word = String(decoding: text.prefix { !Self.isSpace($0) }, as: UTF8.self)
        let rest = text.dropFirst(word.utf8.count)
        guard colors.isEmpty else { throw failure("\"\(word)\" comes after the first colour; keywords come before it") }
        switch word {
        case "TITLE": title = Self.unquoted(rest)
        case "LUT_1D_SIZE": curveSize = try size(rest, in: CubeLook.curveSizes, word)
        case "LUT_3D_SIZE": cubeSide = try size(rest, in: CubeLook.cubeSides, word)
        case "DOMAIN_MIN": domain.lowest = try vector(rest, word)
        case "DOMAIN_MAX": domain.highest = try vector(rest, word)
        case "LUT_1D_INPUT_RANGE": curveDomain = try range(rest, word)
        case "LUT_3D_INPUT_RANGE": cubeDomain = try range(rest, word)
        // A keyword of tables that is not known may change the meaning of the colours; others, such as those of
        // programs' own, do not.
        case _ where word.hasPrefix("LUT") || word.hasPrefix("DOMAIN"):
            throw failure("the keyword \(word.prefix(64)) is not supported")
        default: break
        }
    }

    private static func unquoted(_ text: ArraySlice<UInt8>) -> String {
        let text = String(decoding: text.drop(while: isSpace), as: UTF8.self)
        return text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
            ? String(text.dropFirst().dropLast()) : text
    }

    private func size(
        _ text: ArraySlice<UInt8>, in range: ClosedRange<Int>, _ word: String
    ) throws(GscapError) -> Int {
        let text = String(decoding: text.drop(while: Self.isSpace), as: UTF8.self)
        guard let size = Int(text), range.contains(size) else {
            throw failure(
                "\(word) must be a whole number from \(range.lowerBound) to \(range.upperBound), not "
                    + "\"\(text.prefix(64))\"")
        }
        return size
    }

    private func vector(_ text: ArraySlice<UInt8>, _ word: String) throws(GscapError) -> SIMD3<Float> {
        var rest = text
        guard let x = DecimalNumber.take(&rest), let y = DecimalNumber.take(&rest),
            let z = DecimalNumber.take(&rest), rest.allSatisfy(Self.isSpace)
        else { throw failure("\(word) needs three numbers") }
        return SIMD3(x, y, z)
    }

    private func range(_ text: ArraySlice<UInt8>, _ word: String) throws(GscapError) -> CubeLook.Domain {
        var rest = text
        guard let lowest = DecimalNumber.take(&rest), let highest = DecimalNumber.take(&rest),
            rest.allSatisfy(Self.isSpace)
        else { throw failure("\(word) needs two numbers") }
        return CubeLook.Domain(lowest: SIMD3(repeating: lowest), highest: SIMD3(repeating: highest))
    }

    // MARK: Colours

    private mutating func readColor(_ text: ArraySlice<UInt8>) throws(GscapError) {
        guard announced > 0 else {
            throw failure("a colour comes before LUT_3D_SIZE or LUT_1D_SIZE, which says how many there are")
        }
        guard colors.count < announced else {
            throw failure("there are more colours than the \(announced) of the table's size")
        }
        if colors.isEmpty { try reserve() }
        var rest = text
        guard let red = DecimalNumber.take(&rest), let green = DecimalNumber.take(&rest),
            let blue = DecimalNumber.take(&rest), rest.allSatisfy(Self.isSpace)
        else {
            let shown = String(decoding: text.prefix(64), as: UTF8.self)
            throw failure("a colour needs three numbers up to 65504, not \"\(shown)\"")
        }
        colors.append(SIMD3(red, green, blue))
    }

    /// Checks the keywords, and reserves memory for the colours, in proportion to the text: a colour has at least six
    /// characters.
    private mutating func reserve() throws(GscapError) {
        for range in [domain, curveDomain, cubeDomain].compactMap(\.self) {
            for channel in 0..<3 where range.lowest[channel] >= range.highest[channel] {
                throw failure(
                    "the lowest input of the table, \(range.lowest[channel]), is not below the highest, "
                        + "\(range.highest[channel])")
            }
        }
        colors.reserveCapacity(min(announced, bytes.count / 6 + 1))
    }
}

/// Decimal numbers in ASCII text, as `.cube` files have them by the million.
enum DecimalNumber {
    /// The powers of ten that a Double represents exactly.
    private static let powers: [Double] = (0...22).map { exponent in
        (0..<exponent).reduce(1.0) { power, _ in power * 10 }
    }

    /// The largest number, that of half floats, so that no sum of table values is infinite.
    private static let mostValue = 65_504.0

    /// Removes white space and a number such as `-1.25e-3` from the beginning of a text; nil without a number, or if
    /// it has other characters at its end or is too large.
    static func take(_ text: inout ArraySlice<UInt8>) -> Float? {
        var index = text.startIndex
        let end = text.endIndex
        while index < end, text[index] == 0x20 || text[index] == 0x09 { index += 1 }
        var isNegative = false
        if index < end, text[index] == 0x2D || text[index] == 0x2B {
            isNegative = text[index] == 0x2D
            index += 1
        }
        var (digits, count, exponent): (UInt64, Int, Int) = (0, 0, 0)
        var hasPoint = false
        while index < end {
            let byte = text[index]
            if byte == 0x2E, !hasPoint {
                hasPoint = true
            } else if (0x30...0x39).contains(byte) {
                count += 1
                // Digits beyond the 18th do not change a Float.
                if digits < 100_000_000_000_000_000 {
                    digits = digits * 10 + UInt64(byte - 0x30)
                    if hasPoint { exponent -= 1 }
                } else if !hasPoint {
                    exponent += 1
                }
            } else {
                break
            }
            index += 1
        }
        guard count > 0 else { return nil }
        if index < end, text[index] == 0x65 || text[index] == 0x45 {
            guard let power = takeExponent(text, &index) else { return nil }
            exponent += power
        }
        guard index == end || text[index] == 0x20 || text[index] == 0x09 else { return nil }
        text = text[index...]
        let value = scaled(Double(digits), exponent)
        guard value <= mostValue else { return nil }
        return Float(isNegative ? -value : value)
    }

    private static func takeExponent(_ text: ArraySlice<UInt8>, _ index: inout Int) -> Int? {
        index += 1
        var isNegative = false
        if index < text.endIndex, text[index] == 0x2D || text[index] == 0x2B {
            isNegative = text[index] == 0x2D
            index += 1
        }
        var (power, count) = (0, 0)
        while index < text.endIndex, (0x30...0x39).contains(text[index]) {
            power = min(power * 10 + Int(text[index] - 0x30), 10_000)
            count += 1
            index += 1
        }
        return count == 0 ? nil : isNegative ? -power : power
    }

    private static func scaled(_ value: Double, _ exponent: Int) -> Double {
        var (value, rest) = (value, min(abs(exponent), 400))
        while rest > 0, value != 0, value.isFinite {
            let step = min(rest, 22)
            value = exponent < 0 ? value / powers[step] : value * powers[step]
            rest -= step
        }
        return value
    }
}
