import MovieFiles
import Testing

@testable import Movies

/// The ring of encoded pictures, the trimming of movies, and the measurement of the camera's motion.
@Suite struct LivePhotoRingTests {
    private let second: UInt64 = 1_000_000_000
    private let frame: UInt64 = 33_333_333

    private func unit(isKey: Bool) -> H264AccessUnit {
        H264AccessUnit(byteStream: [0, 0, 0, 1, isKey ? 0x65 : 0x41, 7, 7])
    }

    /// A ring of this many frames, with a key picture every fifteen.
    private func ring(_ frames: Int, keeping: UInt64 = 1_500_000_000) -> LivePhotoRing {
        var ring = LivePhotoRing()
        for number in 0..<frames {
            let time = UInt64(number) * frame
            ring.append(unit(isKey: number % 15 == 0), at: time, speed: 0, needed: time - min(time, keeping))
        }
        return ring
    }

    @Test func theRingKeepsWhatAPressNeedsAndNoMore() {
        for frames in [1, 10, 46, 200, 1000] {
            let ring = ring(frames)
            #expect(ring.pictures.first?.isKey == true)
            let newest = UInt64(frames - 1) * frame
            #expect(ring.start ?? 0 <= newest - min(newest, 3 * second / 2))
            #expect(ring.duration <= 3 * second / 2 + 15 * frame)
        }
    }

    /// The fault: a press after the camera had stood still for longer than a movie reaches back ended the program.
    @Test func picturesBeforeTheMovieAreNoMovie() {
        let pictures = ring(4).pictures
        let end = 4 * frame
        #expect(LivePhotoRing.range(of: pictures, from: 0, period: frame) == 0..<end)
        #expect(LivePhotoRing.range(of: pictures, from: 2 * frame, period: frame) == 2 * frame..<end)
        #expect(LivePhotoRing.range(of: pictures, from: 9 * second, period: frame).isEmpty)
        #expect(LivePhotoRing.range(of: [], from: second, period: frame).isEmpty)
        let nothing = LivePhotoRing.range(of: pictures, from: 9 * second, period: frame)
        #expect(LivePhotoRing.trimmed(pictures, nothing, around: 3 * frame).isEmpty)
    }

    @Test func theFirstPictureIsAKeyPicture() {
        var ring = LivePhotoRing()
        ring.append(unit(isKey: false), at: 0, speed: nil, needed: 0)
        #expect(ring.pictures.isEmpty)
        ring.append(unit(isKey: true), at: frame, speed: nil, needed: 0)
        ring.append(unit(isKey: false), at: frame, speed: nil, needed: 0)
        #expect(ring.pictures.count == 1)
    }

    @Test func aPartBeginsWithItsKeyPicture() {
        let ring = ring(200)
        let start = ring.pictures[20].time
        let part = ring.pictures(from: start, until: start + second / 2)
        #expect(part.first?.isKey == true && part.first?.time ?? 0 <= start)
        #expect(part.last.map { $0.time < start + second / 2 } == true)
        #expect(part.dropFirst().filter(\.isKey).allSatisfy { $0.time > start })
    }

    /// Pictures at 30 per second, with the camera moving fast in these ranges of seconds.
    private func pictures(movingIn ranges: [ClosedRange<Double>]) -> [LivePhotoRing.Picture] {
        (0..<90).map { number in
            let time = Double(number) / 30
            let isMoving = ranges.contains { $0.contains(time) }
            return LivePhotoRing.Picture(
                bytes: [], time: UInt64(number) * frame, isKey: number % 15 == 0, speed: isMoving ? 2 : 0.05)
        }
    }

    @Test func fastMotionIsCutOff() {
        let all = 0..<(3 * second)
        let still = 3 * second / 2
        #expect(LivePhotoRing.trimmed(pictures(movingIn: []), all, around: still) == all)
        let raised = LivePhotoRing.trimmed(pictures(movingIn: [0...0.5]), all, around: still)
        #expect(raised.upperBound == all.upperBound && abs(Double(raised.lowerBound) / 1e9 - 0.5) < 0.05)
        let lowered = LivePhotoRing.trimmed(pictures(movingIn: [2.2...2.9]), all, around: still)
        #expect(lowered.lowerBound == 0 && abs(Double(lowered.upperBound) / 1e9 - 2.2) < 0.05)
        // A jolt of two frames, and motion at the still itself, trim nothing.
        #expect(LivePhotoRing.trimmed(pictures(movingIn: [0.5...0.55]), all, around: still) == all)
        #expect(LivePhotoRing.trimmed(pictures(movingIn: [1.3...1.7]), all, around: still) == all)
    }

    @Test(arguments: [0, 3, -7, 20]) func aShiftIsFound(shift: Int) {
        let scene: [Float] = (0..<200).map { (index: Int) -> Float in
            let coarse = (index * 7919) % 251
            return Float(coarse + 9 * (index % 13))
        }
        let one = Array(scene[40..<168])
        let other = Array(scene[(40 - shift)..<(168 - shift)])
        #expect(CameraMotion.shift(from: one, to: other) == shift)
        // An object that crosses a quarter of a still scene is no motion of the camera.
        var object = one
        for index in 20..<52 { object[index] += 60 }
        #expect(CameraMotion.shift(from: one, to: object) == 0)
    }
}
