internal import RawImage
internal import SimulatedSensor
internal import Synchronization
internal import Testing

/// The end of a computation between two bands, so that a camera stops at once on a busy machine.
@Suite struct SensorWorkTests {
    /// Returns work that ends after `count` bands, and the number of bands that were asked for.
    private func work(bands count: Int) -> (SensorWork, @Sendable () -> Int) {
        let asked = Counter()
        return (SensorWork { asked.add() <= count }, { asked.value })
    }

    @Test(arguments: [0, 1, 5]) func aSceneEndsBetweenBands(count: Int) throws {
        let (work, asked) = work(bands: count)
        let error = #expect(throws: SensorError.self) { try SimulatedSensor(.of(64, 4032), work: work) }
        #expect(error?.code == .ended && work.isEnded)
        // Bands of 16 rows; each core may have asked once before it learned of the end.
        #expect((count + 1...count + 64).contains(asked()), "\(asked())")
    }

    @Test func aFrameEndsBetweenBands() throws {
        let sensor = try SimulatedSensor(.of(64, 256))
        var codes = [UInt16](repeating: 0xbeef, count: 64 * 256)
        var span = codes.mutableSpan
        let (work, _) = work(bands: 2)
        _ = try sensor.read(
            frame: 0, controls: SensorControls(), into: &span, stride: 64, cores: 1, work: work)
        #expect(work.isEnded)
        #expect(codes.firstIndex(of: 0xbeef) == 2 * 64 * 64, "two bands of 64 rows")
    }

    @Test func workThatGoesOnChangesNoByte() throws {
        let (work, asked) = work(bands: .max)
        let watched = try SimulatedSensor(.of(128, 96), work: work)
        #expect(try watched.frame().digest == SimulatedSensor(.of(128, 96)).frame().digest)
        #expect(!work.isEnded && asked() > 0)
    }
}

/// A counter that several threads increment.
private final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    /// Adds one and returns the sum.
    func add() -> Int { count.add(1, ordering: .relaxed).newValue }
}
