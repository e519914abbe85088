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

    /// The medians of the ratios, ours to the peer's, over several rounds.
    func run(rounds: Int = 5) throws -> (wall: Double, processor: Double) {
        try ours()
        try peer()
        var walls: [Double] = []
        var processors: [Double] = []
        for _ in 0..<rounds {
            let mine = try Cost.of(ours)
            let others = try Cost.of(peer)
            walls.append(mine.wall / others.wall)
            processors.append(mine.processor / others.processor)
        }
        return (Self.median(walls), Self.median(processors))
    }

    private static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }
}
