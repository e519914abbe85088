import Testing

@testable import GSCapture

/// The times of a movie without its pauses.
struct MovieTimelineTests {
    @Test func pausesAreCutOut() {
        var timeline = MovieTimeline()
        timeline.pause(at: 50)
        #expect(timeline.time(of: 100) == nil)
        timeline.add(frame: 100)
        timeline.add(frame: 200)
        #expect(timeline.time(of: 90) == nil)
        #expect(timeline.time(of: 200) == 100)
        timeline.pause(at: 300)
        // A second pause before a frame is the same one.
        timeline.pause(at: 350)
        #expect(timeline.time(of: 250) == 150)
        #expect(timeline.time(of: 300) == nil)
        timeline.add(frame: 700)
        #expect(timeline.time(of: 500) == nil)
        #expect(timeline.time(of: 700) == 200)
        timeline.pause(at: 800)
        timeline.add(frame: 900)
        #expect(timeline.time(of: 950) == 350)
        #expect(timeline.time(of: 790) == 290)
    }
}
