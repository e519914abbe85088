internal import CAllocationCount
internal import GStreamer
internal import Glibc

/// Measures the cost of tee, ring buffer and shutter while no photo is taken.
enum IdleBenchmark {
    private static let ring =
        "rawunpack ! tee name=raw ! queue max-size-buffers=2 max-size-bytes=0 max-size-time=0 ! rawshutter ! "

    /// Prints the load that tee and idle shutter add to a core at 10 frames per second in real time, and the number of
    /// allocations per frame.
    static func run(width: Int, height: Int) throws {
        let frame = try FrameBenchmark.firstFrame("rggb12le", width, height)
        let (bare, whole) = (try cost(of: frame, through: ""), try cost(of: frame, through: ring))
        print(
            """
            tee ! queue ! rawshutter (idle) at 10 frames per second, in real time
                \((100 * (whole - bare)).twoPlaces) % of a core (aim below 5)
            """)
        for (name, elements) in [("sensor", ""), ("sensor with tee, ring and shutter", ring)] {
            let count = try allocations(width, height, through: elements)
            print(
                "    \(name): \(count.all.twoPlaces) allocations per frame, \(count.large.twoPlaces) of 64 KiB or more")
        }
    }

    /// Returns the processor time per second of wall time for a frame that is pushed ten times per second.
    private static func cost(of frame: Sample, through elements: String) throws -> Double {
        let count = 40
        let pipeline = try Pipeline(
            parsing: "appsrc name=in format=time is-live=true ! \(elements) fakesink async=false")
        guard let source = pipeline.element(named: "in").flatMap(AppSrc.init), let caps = frame.caps else { return 0 }
        source.setCaps(caps)
        let cost = try Cost.of {
            try StreamBenchmark.run(pipeline) {
                for _ in 0..<count {
                    if let buffer = frame.buffer { try source.push(buffer) }
                    usleep(100_000)
                }
                source.endOfStream()
            }
        }
        return cost.processor / cost.wall
    }

    /// Returns the numbers of allocations per frame in steady state, of all sizes and of 64 KiB or more: the difference
    /// between a long and a short run, per additional frame.
    private static func allocations(
        _ width: Int, _ height: Int, through elements: String
    ) throws -> (all: Double, large: Double) {
        func count(frames: Int) throws -> gscap_allocation_count {
            let before = gscap_allocations()
            try StreamBenchmark.run(
                "gscapsensorsrc is-live=false num-buffers=\(frames) ! "
                    + "video/x-bayer,format=rggb12le,width=\(width),height=\(height) ! \(elements) fakesink")
            let after = gscap_allocations()
            return gscap_allocation_count(
                calls: after.calls - before.calls, large_calls: after.large_calls - before.large_calls)
        }
        _ = try count(frames: 2)
        let (short, long) = (20, 40)
        let (few, many) = (try count(frames: short), try count(frames: long))
        let frames = Double(long - short)
        return (
            (Double(many.calls) - Double(few.calls)) / frames,
            (Double(many.large_calls) - Double(few.large_calls)) / frames
        )
    }
}
