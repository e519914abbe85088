internal import Demosaic
internal import Fusion
internal import Glibc
internal import RawImage

/// Measures the fusion of bursts by frame size and number of frames. Each burst is fused in a separate process, so that
/// the time includes the page faults of fresh memory, as for the first photo.
enum FusionBenchmark {
    private static let rounds = 3
    /// The number of bursts that a process fuses after the first.
    private static let laterBursts = 3
    /// The burst with which the costs of the others are compared.
    private static let reference = Burst(width: 4032, height: 3024, frames: 8)
    private static let bursts =
        [(1152, 864), (2016, 1512), (4032, 3024), (5664, 4248), (8064, 6048)].map {
            Burst(width: $0.0, height: $0.1, frames: 8)
        } + [2, 4, 16, 32].map { Burst(width: 4032, height: 3024, frames: $0) }

    /// The frame size and the number of frames of a burst.
    private struct Burst: Hashable {
        var width: Int
        var height: Int
        var frames: Int

        var megapixels: Double { Double(width * height) / 1e6 }
        var name: String { "\(megapixels.onePlace) MP × \(frames)" }
    }

    /// Fuses each burst in several rounds and prints the medians of their costs.
    static func run() throws {
        var costs: [Burst: [BurstCost]] = [:]
        var ratios: [Burst: [Double]] = [:]
        for _ in 0..<rounds {
            let round = try Dictionary(uniqueKeysWithValues: bursts.map { ($0, try fuseInChildProcess($0)) })
            guard let base = round[reference]?.processorPerMegapixel else { return }
            for (burst, cost) in round {
                costs[burst, default: []].append(cost)
                ratios[burst, default: []].append(cost.processorPerMegapixel / base)
            }
        }
        print(
            "fusion: processor time per pixel and frame, relative to \(reference.name) (bar for 8 frames: 0.85 to 1.15)"
        )
        for burst in bursts {
            guard let burstCosts = costs[burst], let ratio = ratios[burst].map(median) else { continue }
            print("    \(burst.name): \(ratio.twoPlaces); \(burstCosts[0].stages)")
        }
        guard let referenceCosts = costs[reference] else { return }
        print(
            """
            \(reference.name), medians
                fusion \(median(referenceCosts.map { 1 / $0.processorPerMegapixel }).onePlace) MP/s per core \
            (bar above 100), demosaic \
            \(median(referenceCosts.map { reference.megapixels / $0.demosaic }).onePlace) (bar above 150)
                the next bursts, in the working memory of the first as in a pipeline: \
            \(median(referenceCosts.map { 1 / $0.laterPerMegapixel }).onePlace) MP/s per core
                from the last frame to the mosaic \(median(referenceCosts.map(\.last)).twoPlaces) s (bar below 0.20), \
            peak memory \(median(referenceCosts.map(\.peakMegabytes)).onePlace) MB (bar 300)
            """)
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

// MARK: - One burst

extension FusionBenchmark {
    /// The cost of fusing one burst; times are in seconds.
    private struct BurstCost {
        /// The processor time per frame and megapixel, in seconds.
        var processorPerMegapixel: Double
        /// The wall time from the last frame to the merged mosaic, in seconds.
        var last: Double
        /// The processor time of demosaicing the merged mosaic, in seconds.
        var demosaic: Double
        var peakMegabytes: Double
        /// The processor time per frame and megapixel of later bursts, in seconds.
        var laterPerMegapixel: Double
        /// The stages of the fusion and their percentages of its time, as text.
        var stages: String
    }

    /// Fuses a burst in this process and prints its cost for `fuseInChildProcess`. `arguments` are width, height and
    /// number of frames.
    static func fuse(_ arguments: [String]) throws {
        let numbers = arguments.compactMap(Int.init)
        guard numbers.count == 3 else { return }
        let scene = BenchmarkScene(width: numbers[0], height: numbers[1])
        let memory = FusionMemory()
        let (first, last, result) = try fuse(scene, count: numbers[2], memory)
        let peak = peakMegabytes()
        let demosaic = try demosaicCost(result.mosaic)
        let later = try (0..<laterBursts).map { _ in try fuse(scene, count: numbers[2], memory).processor }
        print(first, last, demosaic, peak, median(later))
        let whole = result.report.stages.reduce(0) { $0 + $1.seconds }
        print(
            result.report.stages.map { "\($0.name) \(Int((100 * $0.seconds / whole).rounded())) %" }.joined(
                separator: ", "))
    }

    /// Fuses frames of a scene in the working memory of earlier fusions. Returns the processor time, the wall time from
    /// the last frame on, and the result.
    private static func fuse(
        _ scene: BenchmarkScene, count: Int, _ memory: FusionMemory
    ) throws -> (processor: Double, last: Double, result: (mosaic: Mosaic, report: FusionReport)) {
        let fusion = BurstFusion(FusionOptions(reference: 0), memory: memory, isCancelled: { false })
        var processor = 0.0
        var last = 0.0
        for index in 0..<count {
            let frame = scene.frame(index)
            let cost = try Cost.of { try fusion.add(frame.span, format: scene.format, metadata: scene.metadata) }
            processor += cost.processor
            last = cost.wall
        }
        var result: (mosaic: Mosaic, report: FusionReport)?
        let end = try Cost.of { result = try fusion.finish() }
        guard let result else { throw FusionError(.badFrame, "there is no fused frame") }
        return (processor + end.processor, last + end.wall, result)
    }

    /// Returns the processor time in seconds of demosaicing into memory that has been used before, like the buffers of
    /// a pool.
    private static func demosaicCost(_ mosaic: Mosaic) throws -> Double {
        var photo = try Demosaic.linear(mosaic)
        let output = photo.format
        return try Cost.of {
            let codes = mosaic.codes
            var values = photo.values.mutableSpan
            try Demosaic.linear(
                codes.span, format: mosaic.format, metadata: mosaic.metadata, into: &values, output: output)
        }.processor
    }

    /// Fuses a burst in a child process and returns its cost.
    private static func fuseInChildProcess(_ burst: Burst) throws -> BurstCost {
        let command = "'\(CommandLine.arguments[0])' fuse \(burst.width) \(burst.height) \(burst.frames)"
        guard let child = unsafe popen(command, "r") else {
            throw FusionError(.badFrame, "cannot start a child process")
        }
        var lines: [String] = []
        while let line = unsafe getLine(of: child) { lines.append(line) }
        guard unsafe pclose(child) == 0, lines.count == 2 else {
            throw FusionError(.badFrame, "the fusion of \(burst.name) failed")
        }
        let numbers = lines[0].split(separator: " ").compactMap { Double($0) }
        return BurstCost(
            processorPerMegapixel: numbers[0] / (burst.megapixels * Double(burst.frames)), last: numbers[1],
            demosaic: numbers[2], peakMegabytes: numbers[3],
            laterPerMegapixel: numbers[4] / (burst.megapixels * Double(burst.frames)), stages: lines[1])
    }

    private static func getLine(of file: UnsafeMutablePointer<FILE>) -> String? {
        var line = [CChar](repeating: 0, count: 1000)
        guard unsafe fgets(&line, 1000, file) != nil else { return nil }
        let bytes = line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the peak resident memory of this process in megabytes.
    private static func peakMegabytes() -> Double {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_maxrss) * 1024 / 1e6
    }
}
