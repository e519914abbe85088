package import RawImage

/// Encodes and decodes a fusion report as XMP properties: simple values and ordered arrays, which every XMP viewer can
/// show. The arrays of per-frame results are parallel, in the order of the frames.
extension FusionReport {
    /// The value of FusionFrameResult for a frame that was not rejected.
    private static let used = "used"
    /// The largest number of array items that are decoded: more than the frames of any burst or the stages of any
    /// fusion.
    private static let maximumItems = 1024

    /// The XMP properties, each encoded as an XML element; empty strings for unknown values.
    package var xmp: [String] {
        let map = effectiveFramesMap.coarse()
        func number(_ name: String, _ value: Double?) -> String {
            XMPText.element("gscap:Fusion" + name, value.map { XMPText.number($0) } ?? "")
        }
        func list(_ name: String, _ values: [String]) -> String {
            XMPText.list("gscap:Fusion" + name, in: "Seq", values)
        }
        return [
            XMPText.element("gscap:FusionReference", "\(reference)"),
            list("FrameIndex", frames.map { "\($0.index)" }),
            list("FrameResult", frames.map { $0.rejection ?? Self.used }),
            list("FrameMotion", frames.map { XMPText.number($0.motion.x) + " " + XMPText.number($0.motion.y) }),
            list("FrameMergedShare", frames.map { XMPText.number($0.mergedShare) }),
            number("EffectiveFrames", effectiveFrames), number("LeastEffectiveFrames", leastEffectiveFrames),
            number("ExpectedNoiseGain", expectedNoiseGain), number("MeasuredNoiseGain", measuredNoiseGain),
            XMPText.element("gscap:FusionNoiseSource", noiseSource?.rawValue ?? ""),
            number("StatedNoiseRatio", statedNoiseRatio),
            XMPText.element("gscap:FusionRepairedPixels", "\(repairedPixels)"),
            number("SuperResolvedFraction", superResolvedFraction), number("TeleUsedFraction", teleUsedFraction),
            number("TeleEnlargement", teleEnlargement),
            number("SuperResolutionScale", superResolutionScale), number("Denoising", denoising),
            list("Stages", stages.map { "\($0.name) \(XMPText.number($0.seconds, digits: 6)) s" }),
            map.isWhole ? XMPText.element("gscap:FusionMapSize", "\(map.columns) \(map.rows)") : "",
            XMPText.element(
                "gscap:FusionMap", map.values.map { XMPText.number(Double($0), digits: 2) }.joined(separator: " ")),
        ]
    }

    /// Decodes the report of an XMP packet; nil when it has none. Missing properties get their default values.
    package init?(_ packet: XMPReader) {
        func integer(_ name: String) -> Int? { packet.text("gscap:Fusion" + name).flatMap { Int($0) } }
        func number(_ name: String) -> Double? { packet.text("gscap:Fusion" + name).flatMap(Self.number) }
        func list(_ name: String) -> [String] { packet.list("gscap:Fusion" + name, most: Self.maximumItems) }
        guard let reference = integer("Reference") else { return nil }
        self.init()
        self.reference = reference
        effectiveFrames = number("EffectiveFrames") ?? 1
        leastEffectiveFrames = number("LeastEffectiveFrames") ?? 1
        expectedNoiseGain = number("ExpectedNoiseGain") ?? 0
        measuredNoiseGain = number("MeasuredNoiseGain")
        noiseSource = packet.text("gscap:FusionNoiseSource").flatMap(NoiseSource.init)
        statedNoiseRatio = number("StatedNoiseRatio")
        repairedPixels = integer("RepairedPixels") ?? 0
        // Version 0.1 of this project wrote the property as DetailShare.
        superResolvedFraction = number("SuperResolvedFraction") ?? number("DetailShare")
        superResolutionScale = number("SuperResolutionScale")
        denoising = number("Denoising")
        teleUsedFraction = number("TeleUsedFraction")
        teleEnlargement = number("TeleEnlargement")
        let (indices, motions) = (list("FrameIndex"), list("FrameMotion").map(Self.numbers))
        let shares = list("FrameMergedShare").map { Self.number($0) ?? 0 }
        frames = list("FrameResult").enumerated().map { item, result in
            let motion = motions.indices.contains(item) && motions[item].count == 2 ? motions[item] : [0, 0]
            return Frame(
                index: indices.indices.contains(item) ? Int(indices[item]) ?? item : item,
                rejection: result == Self.used ? nil : result, motion: SIMD2(motion[0], motion[1]),
                mergedShare: shares.indices.contains(item) ? shares[item] : 0)
        }
        for words in list("Stages").map({ $0.split(separator: " ") }) where words.count == 3 {
            add(Self.number(words[1]) ?? 0, to: String(words[0]))
        }
        let size = Self.numbers(packet.text("gscap:FusionMapSize") ?? "").compactMap { Int(exactly: $0) }
        guard size.count == 2 else { return }
        let values = Self.numbers(packet.text("gscap:FusionMap") ?? "").map { Float($0) }
        effectiveFramesMap = EffectiveFramesMap(columns: size[0], rows: size[1], values: values).coarse()
    }

    private static func number(_ text: some StringProtocol) -> Double? {
        Double(String(text)).flatMap { $0.isFinite ? $0 : nil }
    }

    private static func numbers(_ text: String) -> [Double] { text.split(separator: " ").compactMap(number) }
}
