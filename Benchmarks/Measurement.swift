internal import Glibc

/// What a piece of work cost.
struct Cost {
    /// Seconds by the clock on the wall.
    var wall: Double
    /// Seconds of processor time, all threads together.
    var processor: Double

    /// What `work` costs.
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

/// Two ways to do one thing, measured in turn so that a machine whose speed drifts is fair to both.
struct Comparison {
    var name: String
    var ours: () throws -> Void
    var peerName: String
    var peer: () throws -> Void
    /// On how many cores each runs.
    var cores: String
    /// Frames in a run.
    var frames: Int
    /// The ratio of wall time to reach.
    var aim: Double
    /// Of a frame, where the speed of one core is to be told.
    var megapixels: Double?

    /// Runs several rounds and prints the medians: of the ratios, and of milliseconds a frame.
    func run(rounds: Int = 5) throws {
        try ours()
        try peer()
        var costs: [(mine: Cost, others: Cost)] = []
        for _ in 0..<rounds { costs.append((try Cost.of(ours), try Cost.of(peer))) }
        func median(_ value: ((mine: Cost, others: Cost)) -> Double) -> Double {
            costs.map(value).sorted()[costs.count / 2]
        }
        let perFrame = 1000 / Double(frames)
        print(
            """
            \(name) : \(peerName), \(cores)
                wall \(median { $0.mine.wall / $0.others.wall }.twoPlaces) (aim \(aim.twoPlaces)), \
            processor \(median { $0.mine.processor / $0.others.processor }.twoPlaces); a frame \
            \(median { $0.mine.wall * perFrame }.twoPlaces) ms : \(median { $0.others.wall * perFrame }.twoPlaces) ms
            """)
        guard let megapixels else { return }
        let total = megapixels * Double(frames)
        print(
            "    megapixels a second and core \(median { total / $0.mine.processor }.twoPlaces) : "
                + "\(median { total / $0.others.processor }.twoPlaces)")
    }
}

extension Double {
    /// The number in one decimal place.
    var onePlace: String { String((self * 10).rounded() / 10) }

    /// The number in two decimal places.
    var twoPlaces: String {
        let hundredths = Int((self * 100).rounded())
        let part = String(abs(hundredths % 100))
        return "\(hundredths / 100).\(part.count == 1 ? "0" + part : part)"
    }
}
