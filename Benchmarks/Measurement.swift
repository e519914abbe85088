internal import Glibc

/// The wall time and the processor time that a piece of work took.
struct Cost {
    /// Wall time in seconds.
    var wall: Double
    /// Processor time of all threads in seconds.
    var processor: Double

    /// Runs `work` and measures its wall time and the processor time of the process.
    static func of(_ work: () throws -> Void) rethrows -> Cost {
        let (wall, processor) = (now(CLOCK_MONOTONIC), now(CLOCK_PROCESS_CPUTIME_ID))
        try work()
        return Cost(wall: now(CLOCK_MONOTONIC) - wall, processor: now(CLOCK_PROCESS_CPUTIME_ID) - processor)
    }

    private static func now(_ clock: clockid_t) -> Double {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

/// A comparison of two implementations, which run alternately so that a drift of the machine's speed affects both.
struct Comparison {
    var name: String
    var ours: () throws -> Void
    var peerName: String
    var peer: () throws -> Void
    /// The number of cores that ours and the peer use, as text for the output.
    var cores: String
    /// The number of frames that one run of either implementation processes.
    var frames: Int
    /// The largest acceptable ratio of wall times, ours : peer.
    var aim: Double
    /// The size of a frame in megapixels; if set, the speed of one core is printed too.
    var megapixels: Double?

    /// Runs both implementations in several rounds and prints the medians of the ratios ours : peer and of the
    /// milliseconds per frame.
    func run(rounds: Int = 5) throws {
        try ours()
        try peer()
        var costs: [(ours: Cost, peer: Cost)] = []
        for _ in 0..<rounds { costs.append((try Cost.of(ours), try Cost.of(peer))) }
        func median(_ value: ((ours: Cost, peer: Cost)) -> Double) -> Double {
            costs.map(value).sorted()[costs.count / 2]
        }
        let perFrame = 1000 / Double(frames)
        print(
            """
            \(name) : \(peerName), \(cores)
                wall \(median { $0.ours.wall / $0.peer.wall }.twoPlaces) (aim \(aim.twoPlaces)), \
            processor \(median { $0.ours.processor / $0.peer.processor }.twoPlaces); per frame \
            \(median { $0.ours.wall * perFrame }.twoPlaces) ms : \(median { $0.peer.wall * perFrame }.twoPlaces) ms
            """)
        guard let megapixels else { return }
        let total = megapixels * Double(frames)
        print(
            "    megapixels per second and core \(median { total / $0.ours.processor }.twoPlaces) : "
                + "\(median { total / $0.peer.processor }.twoPlaces)")
    }
}

extension Double {
    /// The number rounded to one decimal place.
    var onePlace: String { String((self * 10).rounded() / 10) }

    /// The number rounded to two decimal places, with trailing zeros.
    var twoPlaces: String {
        let hundredths = Int((self * 100).rounded())
        let part = String(abs(hundredths % 100))
        let sign = hundredths < 0 ? "-" : ""
        return "\(sign)\(abs(hundredths / 100)).\(part.count == 1 ? "0" + part : part)"
    }
}
