/// The content light level of an HDR picture (CTA-861.3), which displays use for tone mapping.
public struct ContentLightLevel: Sendable, Hashable, Codable {
    /// The maximum content light level (MaxCLL): the largest component of any pixel, in cd/m².
    public var maxCLL: Double
    /// The maximum frame-average light level (MaxFALL): the mean of the pixels' largest components, in cd/m².
    public var maxFALL: Double

    /// Creates light levels from values in cd/m².
    public init(maxCLL: Double, maxFALL: Double) {
        self.maxCLL = maxCLL
        self.maxFALL = maxFALL
    }

    /// The levels rounded up to whole cd/m², as most formats store them.
    var whole: (maxCLL: UInt16, maxFALL: UInt16) { (Self.whole(maxCLL), Self.whole(maxFALL)) }

    private static func whole(_ level: Double) -> UInt16 {
        level.isFinite ? UInt16(max(0, min(65_535, level.rounded(.up)))) : 0
    }
}
