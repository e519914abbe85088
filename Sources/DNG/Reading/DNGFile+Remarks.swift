internal import RawImage

// Warnings and problems of a file that a raw converter should show before rendering.

extension DNGFile {
    /// Warnings about tags that were ignored as invalid, missing tags with the defaults used instead, and opcodes and
    /// profile tables that are not applied.
    public var remarks: [DNGProblem] {
        tagProblems + (missing + unsupportedSteps).map { DNGProblem(.warning, $0) }
    }

    private var missing: [String] {
        guard let main, let raw = try? container.directory(at: main.offset) else { return [] }
        var remarks: [String] = []
        func note(_ tag: TIFFTag, _ fallback: String) { remarks.append("\(tag) is missing: \(fallback)") }
        if !first.has(.asShotNeutral), !first.has(.asShotWhiteXY) {
            note(.asShotNeutral, "the camera's colours are taken as white-balanced")
        }
        if !first.has(.orientation) { note(.orientation, "the picture is taken as upright") }
        // Floating-point samples have the default levels 0 and 1.
        guard !main.isFloatingPoint else { return remarks }
        if !raw.has(.blackLevel) { note(.blackLevel, "black is taken as 0") }
        if !raw.has(.whiteLevel) { note(.whiteLevel, "white is taken as the largest code") }
        return remarks
    }

    private var unsupportedSteps: [String] {
        var steps: [String] = []
        for opcode in opcodes where !opcode.isRead {
            let step = "\(opcode.name) of OpcodeList\(opcode.list) is not done"
            let remark = opcode.isOptional ? step : step + ", though the file marks it as mandatory"
            // Files may repeat an unsupported opcode for each position of the CFA cell; report it once.
            if !steps.contains(remark) { steps.append(remark) }
        }
        return steps + unsupportedProfileTags.map { "\($0) is not read" }
    }

    /// A description of an invalid white balance or colour matrix; nil if a converter can use the file's colours.
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
