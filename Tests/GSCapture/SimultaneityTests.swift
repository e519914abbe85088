import Testing

@testable import GSCapture

/// Tests of the rule for photos of several cameras that are not of one moment.
struct SimultaneityTests {
    private static let millisecond: Int64 = 1_000_000

    @Test func aFrameIsAtMostHalfAPeriodAway() {
        let rule = Simultaneity.frame(period: 20 * Self.millisecond)
        for offset in [-10, 0, 10] { #expect(rule.warning(offset: Int64(offset) * Self.millisecond) == nil) }
        #expect(rule.warning(offset: 10 * Self.millisecond + 1) != nil)
        #expect(
            rule.warning(offset: -11 * Self.millisecond)
                == "the photo's instant is 11 ms before that of the primary camera, more than half a frame period")
    }

    /// The fault: without a recent frame of the primary camera, no distance was reported.
    @Test func theFirstFrameAfterAPressIsAtMostTwoPeriodsAway() {
        let rule = Simultaneity.press(period: 20 * Self.millisecond)
        #expect(rule.warning(offset: 40 * Self.millisecond) == nil)
        #expect(
            rule.warning(offset: 250 * Self.millisecond)
                == "the photo's instant is 250 ms after the press, more than two frame periods")
        #expect(rule.warning(offset: .min) != nil)
    }
}
