import GscapElements
import Testing

/// The shutter's selection of frames, tested without GStreamer.
@Suite struct CaptureRequestTests {
    private func marks(_ numbers: Range<UInt64>, iso: Double = 100) -> [FrameSummary] {
        numbers.map { FrameSummary(number: $0, exposureTime: 0.01, iso: iso) }
    }

    @Test func waitsUntilAllFramesAreThere() {
        let request = CaptureRequest(id: 1, frames: 4, moment: 2)
        #expect(request.selection(from: marks(0..<3)) == nil)
        #expect(request.selection(from: marks(0..<4)) == [2, 0, 1, 3])
    }

    @Test func theFrameOfTheMomentComesFirst() {
        let request = CaptureRequest(id: 1, frames: 3, moment: 6)
        #expect(request.selection(from: marks(0..<8)) == [6, 5, 7])
    }

    @Test func theNewestFramesAreTaken() {
        let request = CaptureRequest(id: 1, frames: 3, moment: nil)
        #expect(request.selection(from: marks(0..<8)) == [5, 6, 7])
    }

    @Test func framesFromBeforeThePressCanBeLeftOut() {
        let request = CaptureRequest(id: 1, frames: 2, moment: nil, after: 5)
        #expect(request.selection(from: marks(0..<7)) == nil)
        #expect(request.selection(from: marks(0..<8)) == [6, 7])
    }

    @Test func framesOnTheirWayToNewSettingsAreNoPart() {
        let request = CaptureRequest(id: 1, frames: 2, moment: nil, iso: 800)
        let ring = marks(0..<4) + marks(4..<5, iso: 800)
        #expect(request.selection(from: ring) == nil)
        #expect(request.selection(from: ring + marks(5..<6, iso: 800)) == [4, 5])
    }

    @Test func theMomentsExposureIsTheBursts() {
        // The exposure changed after the press, so the frames with the new exposure are not selected.
        let request = CaptureRequest(id: 1, frames: 3, moment: 3)
        let ring = marks(0..<4) + marks(4..<7, iso: 800)
        #expect(request.selection(from: ring) == [3, 1, 2])
    }

    @Test func aFrameCountsOnce() {
        let request = CaptureRequest(id: 1, frames: 3, moment: nil)
        let ring = marks(0..<2) + marks(1..<2)
        #expect(request.selection(from: ring) == nil)
    }
}
