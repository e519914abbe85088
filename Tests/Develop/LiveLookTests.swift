import Develop
import Glibc
import RawImage
import Testing

/// Tests that the exposure and white balance of a live view change smoothly.
@Suite struct LiveLookTests {
    private let daylight = SIMD3(0.5, 1, 0.62)
    private let lamplight = SIMD3(0.8, 1, 0.35)

    private func state(_ exposure: Double, _ neutral: SIMD3<Double>? = nil) -> LiveLook.State {
        LiveLook.State(recipe: Recipe(exposure: exposure), neutral: neutral ?? daylight)
    }

    /// Returns the states that a live view shows at a frame rate, after the wanted state jumps from exposure 0 to
    /// `wanted`.
    private func shown(_ wanted: LiveLook.State, seconds: Double, rate: Double) -> [LiveLook.State] {
        var look = LiveLook()
        _ = look.next(state(0), after: 0)
        return (0..<Int(seconds * rate)).map { _ in look.next(wanted, after: 1 / rate) }
    }

    @Test func theFirstFrameIsShownAsItAsks() {
        var look = LiveLook()
        let first = look.next(state(1.5, lamplight), after: 0)
        #expect(abs(first.recipe.exposure - 1.5) < 1e-12)
        #expect(abs(first.neutral.x - lamplight.x) < 1e-12)
    }

    @Test(arguments: [10.0, 30, 120]) func aStepIsDoneInHalfASecondWithoutJumpOrSwing(rate: Double) throws {
        let states = shown(state(2, lamplight), seconds: 1.5, rate: rate)
        let exposures = [0] + states.map(\.recipe.exposure)
        let steps = zip(exposures, exposures.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 >= 0 })
        #expect(exposures.allSatisfy { $0 <= 2 })
        // The exposure changes by at most 4.2 times the whole step per second, and starts gently.
        #expect(steps.allSatisfy { $0 <= 2 * 4.2 / rate + 1e-9 })
        if rate >= 30 { #expect(steps[0] < (steps.max() ?? 0) * 0.8) }
        let half = exposures[Int(rate / 2)]
        #expect(half > 1.85 && half <= 2)
        #expect(states.last == shown(state(2, lamplight), seconds: 3, rate: rate).last, "it comes to rest")
        #expect(abs(try #require(states.last).neutral.x - lamplight.x) < 1e-6)
    }

    @Test func theRateOfFramesDoesNotMatter() {
        let slow = shown(state(1), seconds: 0.3, rate: 10).last?.recipe.exposure ?? 0
        let fast = shown(state(1), seconds: 0.3, rate: 100).last?.recipe.exposure ?? 9
        #expect(abs(slow - fast) < 1e-9)
    }

    @Test func smallDifferencesDoNotPump() {
        var look = LiveLook()
        let first = look.next(state(1), after: 0)
        for frame in 1...100 {
            let wanted = state(1 + 0.06 * wave(Double(frame) / 7), daylight * (1 + 0.02 * wave(Double(frame) / 5)))
            #expect(look.next(wanted, after: 1.0 / 30) == first)
        }
    }

    @Test func invalidTimesAndParametersAreHarmless() {
        var look = LiveLook()
        _ = look.next(state(0), after: .nan)
        for seconds in [Double.nan, -1, .infinity, 1e9, 0] {
            let next = look.next(state(1), after: seconds)
            #expect((0...1).contains(next.recipe.exposure))
        }
        #expect(look.next(state(.nan), after: 0.1).recipe.exposure.isFinite)
        #expect(look.next(state(1, SIMD3(0, -1, 1)), after: 0.1).neutral.x > 0)
    }
}
