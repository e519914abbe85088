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
        if !first.has(.asShotNeutral), !first.has(.asShotWhiteXY), !main.isMonochrome {
            let light =
                metadata.calibrations.isEmpty
                ? "the camera's colours are taken as white-balanced" : "the light is taken as D55"
            note(.asShotNeutral, light)
        }
        if let neutralRemark { remarks.append(neutralRemark) }
        if !first.has(.orientation) { note(.orientation, "the picture is taken as upright") }
        if main.isQuad {
            remarks.append(
                "the mosaic is a quad one: the 2×2 pixels of each colour are averaged to a Bayer mosaic of "
                    + "\(main.width)×\(main.height)")
        }
        if let scaleRemark { remarks.append(scaleRemark) }
        if let precisionRemark { remarks.append(precisionRemark) }
        // Floating-point samples have the default levels 0 and 1.
        guard !main.isFloatingPoint else { return remarks }
        if !raw.has(.blackLevel) { note(.blackLevel, "black is taken as 0") }
        if !raw.has(.whiteLevel) { note(.whiteLevel, "white is taken as the largest code") }
        return remarks
    }

    /// Warnings about opcodes and profile tables that are not applied.
    package var unsupportedSteps: [String] {
        var steps: [String] = []
        for opcode in opcodes where !opcode.isRead {
            let step = "\(opcode.name) of OpcodeList\(opcode.list) is not done"
            let remark = opcode.isOptional ? step : step + ", though the file marks it as mandatory"
            // Files may repeat an unsupported opcode for each position of the CFA cell; report it once.
            if !steps.contains(remark) { steps.append(remark) }
        }
        return steps + unsupportedProfileTags.map { "\($0) is not read" }
    }

    /// Whether opcodes of OpcodeList1 or OpcodeList2 map the codes of the main picture to others.
    var mapsCodes: Bool { opcodes.contains { $0.list < 3 && StoredOpcode.mappings.contains($0.number) } }

    /// DefaultScale: the factors by which converters scale the main picture across and down; nil if they are 1.
    private var defaultScale: (across: Double, down: Double)? {
        guard let main, let raw = try? container.directory(at: main.offset) else { return nil }
        let scale = raw.numbers(.defaultScale)
        guard scale.count == 2, scale.allSatisfy({ $0.isFinite && $0 > 0 }), scale != [1, 1] else { return nil }
        return (scale[0], scale[1])
    }

    /// Programs that do not know the white balance store 0 in AsShotNeutral, which readers then ignore.
    var neutralRemark: String? {
        let neutral = first.numbers(.asShotNeutral)
        guard neutral.count == main?.colors, neutral.contains(0), main?.isMonochrome == false else { return nil }
        return "\(TIFFTag.asShotNeutral) \(neutral) has a 0 and is ignored: the light is taken as that of "
            + (first.has(.asShotWhiteXY) ? "\(TIFFTag.asShotWhiteXY)" : "D55")
    }

    private var scaleRemark: String? {
        guard let scale = defaultScale, scale.across == scale.down else { return nil }
        return "\(TIFFTag.defaultScale) \(scale.across) is not applied: the picture has the size of the raw image"
    }

    /// How samples of more than 16 bits lose precision; nil if they are not scaled.
    package var precisionRemark: String? {
        guard let main, main.isWide, let reader = try? PixelReader(self, main),
            let scale = reader.levels?.scales.first, scale < 1
        else { return nil }
        return "samples of \(main.bitsPerSample) bits are read as 16-bit codes, with white at 65535"
    }

    /// The factors by which finished pictures scale the main picture across and down to square pixels, of which the
    /// smaller is 1, as in LibRaw: no pixels are lost. Nil if its pixels are square, or elongated more than 8-fold.
    package var squareScale: (across: Double, down: Double)? {
        guard let scale = defaultScale, scale.across != scale.down else { return nil }
        let least = min(scale.across, scale.down)
        let factors = (across: scale.across / least, down: scale.down / least)
        return max(factors.across, factors.down) <= 8 ? factors : nil
    }

    /// Why the main picture cannot be merged: its pixels are not square (DefaultScale). Nil if they are.
    package var pixelShapeProblem: String? {
        guard let scale = defaultScale, scale.across != scale.down else { return nil }
        return "its pixels are not square (\(TIFFTag.defaultScale) \(scale.across) × \(scale.down)), which is not "
            + "supported here: render it with gscap develop"
    }

    /// A description of an invalid white balance or colour matrix; nil if a converter can use the file's colours.
    package var colorProblem: String? {
        guard let main, !main.isMonochrome else { return nil }
        let colors = main.colors
        let neutral = first.numbers(.asShotNeutral)
        if first.has(.asShotNeutral), neutral.count != colors || !neutral.allSatisfy({ $0.isFinite && $0 >= 0 }) {
            return "\(TIFFTag.asShotNeutral) \(neutral.prefix(colors)) is not \(colors) numbers above 0"
        }
        // The matrices of four colours are checked when the picture is decoded.
        guard colors == 3 else { return nil }
        for tag in [TIFFTag.colorMatrix1, .colorMatrix2, .colorMatrix3] where profile.has(tag) {
            let numbers = profile.numbers(tag)
            guard numbers.count == 9, Matrix3(numbers)?.inverse != nil else {
                return "\(tag) \(numbers.prefix(9)) is not a matrix of nine numbers that can be inverted"
            }
        }
        return nil
    }
}
