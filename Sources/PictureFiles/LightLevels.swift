/// How bright an HDR picture gets, for screens that must hold it down (CTA-861.3).
public struct LightLevels: Sendable, Hashable, Codable {
    /// The brightest number of any pixel, in cd/m².
    public var brightest: Double
    /// The mean of the pixels' brightest numbers, in cd/m².
    public var average: Double

    /// Levels in cd/m².
    public init(brightest: Double, average: Double) {
        self.brightest = brightest
        self.average = average
    }

    /// In whole cd/m², as most formats store them.
    var whole: (brightest: UInt16, average: UInt16) { (Self.whole(brightest), Self.whole(average)) }

    private static func whole(_ level: Double) -> UInt16 {
        level.isFinite ? UInt16(max(0, min(65_535, level.rounded(.up)))) : 0
    }
}
