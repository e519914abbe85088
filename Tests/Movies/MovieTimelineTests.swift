import MovieFiles
import Testing

@testable import Movies

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

    @Test func datesAreThoseOfTheirFrames() {
        let date = MovieDate(microseconds: 1_717_243_200_000_000)
        var dates = FrameDates()
        dates.add(date, at: 10)
        dates.add(date.moved(from: 10_000, to: 30_000), at: 20)
        #expect(dates.take(at: 10) == date)
        #expect(dates.take(at: 20)?.microseconds == 1_717_243_200_000_020)
        #expect(dates.take(at: 30) == nil)
        #expect(date.moved(from: 5_000_000, to: 1_000_000).microseconds == 1_717_243_199_996_000)
    }

    /// QuickTime's metadata has the camera's time zone, as its stills have it.
    @Test(arguments: [
        (3600, "2026-11-28T08:12:13+0100"), (-12_600, "2026-11-28T03:42:13-0330"), (0, "2026-11-28T07:12:13+0000"),
    ]) func aDateHasATimeZone(offset: Int, text: String) {
        let date = MovieDate(microseconds: 1_795_849_933_900_000, utcOffset: offset)
        #expect(date.text == text)
        #expect(date.moved(from: 1_000_000_000, to: 0).text == text.replacing(":13", with: ":12"))
    }
}
