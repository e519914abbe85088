internal import GSCapture
internal import GStreamer
internal import Glibc
internal import Synchronization

/// Measures the time from the press of the shutter to the file, beside camerabin's in the same run.
///
/// Both have a camera of prepared frames in memory, ten per second, and a live preview. gscap runs as applications use
/// it: a session, a photo output, and files that are flushed to disk. camerabin receives finished I420 frames, so it
/// neither develops nor makes raw files, and it does not flush its files.
///
/// The comparison runs in a separate process, because the other comparisons change how the C library allocates memory.
enum PressBenchmark {
    /// The size of the live preview.
    static let preview = (1280, 960)
    /// The number of prepared frames: a burst in mode `balanced`.
    private static let frames = 8
    /// The presses of each case are divided into rounds, between which camerabin is measured.
    private static let rounds = 3
    private static let peerPresses = 40

    /// Runs the cases with these keys, without camerabin; all cases beside camerabin if there are none.
    static func run(width: Int, height: Int, _ keys: Set<String>) async throws {
        try PreparedCamera.register()
        try StageMark.register()
        let folder = try temporaryFolder()
        defer { unsafe rmdir(folder) }
        let raw = try PreparedFrames(count: frames, width: width, height: height, through: "rawunpack")
        let finished =
            keys.isEmpty
            ? try PreparedFrames(
                count: frames, width: width, height: height,
                through: "rawunpack ! rawdevelop ! videoconvert ! video/x-raw,format=I420") : nil
        let cases = PressCase.all.filter { keys.isEmpty || keys.contains($0.key) }
        var ours = [[PressTimes]](repeating: [], count: cases.count)
        var peer: [PressTimes] = []
        for round in 0..<rounds {
            for (index, measured) in cases.enumerated() {
                PreparedCamera.frames.withLock { $0 = raw }
                ours[index] += try await PressSession.measure(
                    measured, presses: share(of: measured.presses, round), in: folder)
            }
            guard let finished else { continue }
            PreparedCamera.frames.withLock { $0 = finished }
            peer += try Camerabin.measure(presses: share(of: peerPresses, round), in: folder)
        }
        for (measured, times) in zip(cases, ours) { report(measured, times, peer) }
    }

    /// Returns the number of presses in a round.
    private static func share(of presses: Int, _ round: Int) -> Int {
        presses * (round + 1) / rounds - presses * round / rounds
    }

    /// Creates an empty folder for the files, in TMPDIR or else in /tmp.
    private static func temporaryFolder() throws -> String {
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/gscap-press-XXXXXX".utf8CString)
        let isMade = unsafe template.withUnsafeMutableBufferPointer { path in
            unsafe path.baseAddress.flatMap { unsafe mkdtemp($0) } != nil
        }
        guard isMade else { throw GStreamerError(message: "cannot create a folder in \(parent); set TMPDIR") }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func report(_ measured: PressCase, _ ours: [PressTimes], _ peer: [PressTimes]) {
        func line(_ percent: Int, _ bar: Double?) -> String {
            let (own, other) = (ours.percentile(percent), peer.percentile(percent))
            let compared =
                peer.isEmpty ? own.onePlace : "\((own / other).twoPlaces), \(own.onePlace) ms : \(other.onePlace)"
            guard let bar else { return "p\(percent) \(compared) ms" }
            let inRing = "\(ours.percentile(percent) { $0.file - $0.wait }.onePlace) ms from the ring, "
            return "p\(percent) \(compared) ms (\(measured.countsFromRing ? inRing : "")bar \(Int(bar)) ms)"
        }
        print(
            """
            press to file, \(measured.name) : camerabin, JPEG of a finished frame; \(ours.count) : \(peer.count) presses
                \(line(50, measured.bars.median)); \(line(99, measured.bars.slowest))
                medians in ms: \(breakdown(measured, ours))
            """)
    }

    /// Returns the median time of each stage. Each encoder's time is counted from the end of the stage before it.
    private static func breakdown(_ measured: PressCase, _ times: [PressTimes]) -> String {
        let stages = measured.stages.map { stage in
            let before = inputStage(of: stage)
            let time = times.median { press in
                let start = before.map { press.stages[$0] } ?? press.wait
                return start.flatMap { start in press.stages[stage].map { $0 - start } }
            }
            return "\(before ?? "ring") → \(stage) \(time.onePlace)"
        }
        let last = times.median { press in press.stages.values.max().map { press.file - $0 } }
        let wait = "press → ring \(times.median(\.wait).onePlace)"
        return ([wait] + stages + ["last encoded → file on disk \(last.onePlace)"]).joined(separator: ", ")
    }

    /// Returns the stage whose result a stage works on; nil for the first stage.
    private static func inputStage(of stage: String) -> String? {
        switch stage {
        case "taken": nil
        case "fused", "bayer-encoded": "taken"
        case "developed", "proraw-encoded": "fused"
        default: "developed"
        }
    }
}
