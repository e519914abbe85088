internal import RawImage

// What a converter should know of a file before it makes a picture of it.

extension DNGFile {
    /// What was left out because it makes no sense, what is missing and what counts in its place, and what the file asks for
    /// and is not done.
    public var remarks: [DNGProblem] {
        leftOut + (missing + undone).map { DNGProblem(.warning, $0) }
    }

    private var missing: [String] {
        guard let main, let raw = try? container.directory(at: main.offset) else { return [] }
        var remarks: [String] = []
        func note(_ tag: TIFFTag, _ instead: String) { remarks.append("\(tag) is missing: \(instead)") }
        if !first.has(.asShotNeutral), !first.has(.asShotWhiteXY) {
            note(.asShotNeutral, "the camera's colours count as balanced")
        }
        if !first.has(.orientation) { note(.orientation, "the picture counts as upright") }
        // Numbers beside codes have levels of their own: 0 and 1.
        guard !main.isFloatingPoint else { return remarks }
        if !raw.has(.blackLevel) { note(.blackLevel, "0 counts as no light") }
        if !raw.has(.whiteLevel) { note(.whiteLevel, "the largest code counts as full light") }
        return remarks
    }

    private var undone: [String] {
        var steps: [String] = []
        for opcode in opcodes where !opcode.isRead {
            let step = "\(opcode.name) of OpcodeList\(opcode.list) is not done"
            let remark = opcode.isOptional ? step : step + ", though the file says that it must be"
            // There may be one for each place of the colour filter's cell.
            if !steps.contains(remark) { steps.append(remark) }
        }
        return steps + unreadProfileTables.map { "\($0) is not read" }
    }

    /// The rule that the file's own colours break, in words; nil when a converter can work with them.
    package var colorProblem: String? {
        let neutral = first.numbers(.asShotNeutral)
        if first.has(.asShotNeutral), neutral.count != 3 || !neutral.allSatisfy({ $0.isFinite && $0 > 0 }) {
            return "\(TIFFTag.asShotNeutral) \(neutral.prefix(3)) is not three numbers above 0"
        }
        for tag in [TIFFTag.colorMatrix1, .colorMatrix2, .colorMatrix3] where first.has(tag) {
            let numbers = first.numbers(tag)
            guard numbers.count == 9, Matrix3(numbers)?.inverse != nil else {
                return "\(tag) \(numbers.prefix(9)) is not a matrix of nine numbers that can be inverted"
            }
        }
        return nil
    }
}
