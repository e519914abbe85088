internal import Dispatch
internal import FrameStream
internal import GStreamer
internal import Glibc
internal import GscapElements
internal import RawImage
internal import Synchronization

/// Measures the time from the press to a JPEG beside busy processes, and beside a plain branch with `jpegenc`, whose
/// frames are finished ones; both in the same run.
///
/// Run as an ordinary user, who cannot raise priorities:
///
///     setpriv --reuid 65534 --clear-groups --bounding-set -all .build/release/Benchmarks busy
enum BusyPressBenchmark {
    private static let sizes = [("1080p", 1920, 1080), ("12 MP", 4032, 3024)]
    /// The numbers of busy processes.
    private static let loads = [0, 2, 8]
    private static let presses = 15
    /// The camera's frames during which captures must not cost frames of the preview.
    private static let previewFrames = 300

    static func run() throws {
        try PreparedCamera.register()
        for (name, width, height) in sizes {
            let raw = try PreparedFrames(count: 4, width: width, height: height, through: "rawunpack")
            let finished = try PreparedFrames(
                count: 4, width: width, height: height,
                through: "rawunpack ! rawdevelop ! videoconvert ! video/x-raw,format=I420")
            var (ours, peer): ([Double], [Double]) = ([], [])
            for load in loads {
                let processes = BusyProcesses(load)
                defer { processes.end() }
                PreparedCamera.frames.withLock { $0 = raw }
                ours.append(try PressedBin.median(presses))
                PreparedCamera.frames.withLock { $0 = finished }
                peer.append(try GatedEncoder.median(presses))
            }
            print("press to JPEG, \(name), one frame : jpegenc behind a valve; medians of \(presses) presses")
            for (index, load) in loads.enumerated() {
                let (slower, peerSlower) = (ours[index] / ours[0], peer[index] / peer[0])
                let bar = [
                    2: "bar 2.50", 8: "\((slower / peerSlower).twoPlaces) times the slowdown of jpegenc, bar 1.20",
                ]
                print(
                    "    beside \(load) busy processes: \(ours[index].onePlace) ms : \(peer[index].onePlace); "
                        + "slower by \(slower.twoPlaces) : \(peerSlower.twoPlaces)"
                        + (bar[load].map { " (\($0))" } ?? ""))
            }
            PreparedCamera.frames.withLock { $0 = raw }
            let lost = try PressedBin.lostPreviewFrames(of: previewFrames)
            print("    preview frames lost to \(lost.captures) captures: \(lost.frames) of \(previewFrames) (bar 1)")
        }
    }
}

/// Processes that each keep a processor busy.
private final class BusyProcesses {
    private var processes: [pid_t] = []

    init(_ count: Int) {
        for _ in 0..<count {
            var process = pid_t()
            let words = ["sh", "-c", "while :; do :; done"]
            var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
            defer {
                for index in unsafe arguments.indices { unsafe free(arguments[index]) }
            }
            if unsafe posix_spawn(&process, "/bin/sh", nil, nil, &arguments, environ) == 0 {
                processes.append(process)
            }
        }
    }

    func end() {
        for process in processes {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        processes = []
    }
}

/// A running pipeline with a live preview and `gscapphotobin`.
private enum PressedBin {
    private static let preview =
        "queue leaky=downstream max-size-buffers=2 max-size-bytes=0 max-size-time=0 ! rawdevelop quality=preview "
        + "! video/x-raw,width=1280,height=960 ! fakesink name=preview sync=false"

    /// Returns the median time in milliseconds from the press to the photo's message.
    static func median(_ presses: Int) throws -> Double {
        let (pipeline, photos) = try start("fakesink sync=false")
        defer { _ = try? pipeline.setState(.null) }
        guard let bin = pipeline.element(named: "photos") else { return .nan }
        var times: [Double] = []
        for index in 0...presses {
            usleep(.random(in: 150_000...250_000))
            let start = ContinuousClock.now
            guard try bin.emit("capture", Structure("capture", ["frames": 1])) != 0 else { continue }
            let time = start.milliseconds(to: try photos.next())
            if index > 0 { times.append(time) }
        }
        return times.sorted()[times.count / 2]
    }

    /// Presses while the camera delivers this many frames; returns how many of them the preview did not show.
    static func lostPreviewFrames(of count: Int) throws -> (frames: Int, captures: Int) {
        let (pipeline, photos) = try start(preview)
        defer { _ = try? pipeline.setState(.null) }
        let shown = Mutex<[UInt64]>([])
        let token = pipeline.element(named: "preview")?.pad("sink")?.addBufferProbe { frame in
            if let number = frame.frameMetadata?.frameNumber { shown.withLock { $0.append(number) } }
            return .pass
        }
        defer { token?.remove() }
        guard let bin = pipeline.element(named: "photos") else { return (count, 0) }
        var captures = 0
        while shown.withLock({ ($0.last ?? 0) - ($0.first ?? 0) }) < UInt64(count) {
            if try bin.emit("capture", Structure("capture", ["frames": 1])) != 0 {
                _ = try photos.next()
                captures += 1
            }
            usleep(300_000)
        }
        let numbers = shown.withLock { $0 }
        let span = Int((numbers.last ?? 0) - (numbers.first ?? 0)) + 1
        return (span - numbers.count, captures)
    }

    private static func start(_ preview: String) throws -> (Pipeline, Arrivals) {
        let pipeline = try Pipeline(
            parsing: "benchmarkcamera ! tee name=raw raw. ! \(preview) "
                + "raw. ! queue leaky=downstream max-size-buffers=2 max-size-bytes=0 max-size-time=0 "
                + "! gscapphotobin name=photos formats=jpeg")
        let photos = Arrivals()
        pipeline.bus.setHandler { message in
            guard case .element(let structure) = message.kind, structure["event"]?.text == "photo",
                structure["sample"] != nil || structure["error"] != nil
            else { return }
            photos.arrive()
        }
        try pipeline.setState(.playing)
        usleep(1_500_000)
        return (pipeline, photos)
    }
}

/// A running pipeline of finished frames, of which a valve lets one pass to `jpegenc`.
private enum GatedEncoder {
    static func median(_ presses: Int) throws -> Double {
        let pipeline = try Pipeline(
            parsing: "benchmarkcamera ! tee name=raw raw. ! queue leaky=downstream max-size-buffers=2 "
                + "max-size-bytes=0 max-size-time=0 ! fakesink sync=false "
                + "raw. ! queue leaky=downstream max-size-buffers=2 max-size-bytes=0 max-size-time=0 "
                + "! valve name=gate drop=true ! jpegenc ! fakesink name=out sync=false async=false")
        guard let gate = pipeline.element(named: "gate"), let sink = pipeline.element(named: "out")?.pad("sink") else {
            return .nan
        }
        let photos = Arrivals()
        let token = sink.addBufferProbe { _ in
            try? gate.set("drop", true)
            photos.arrive()
            return .pass
        }
        defer { token.remove() }
        try pipeline.setState(.playing)
        defer { _ = try? pipeline.setState(.null) }
        usleep(1_500_000)
        var times: [Double] = []
        for index in 0...presses {
            usleep(.random(in: 150_000...250_000))
            let start = ContinuousClock.now
            try gate.set("drop", false)
            let time = start.milliseconds(to: try photos.next())
            if index > 0 { times.append(time) }
        }
        return times.sorted()[times.count / 2]
    }
}

/// The instants at which photos arrived, for the thread that waits for them.
private final class Arrivals: Sendable {
    private let instants = Mutex<[ContinuousClock.Instant]>([])
    private let semaphore = DispatchSemaphore(value: 0)

    func arrive() {
        instants.withLock { $0.append(.now) }
        semaphore.signal()
    }

    /// Returns the instant of the next photo; throws after a minute without one.
    func next() throws -> ContinuousClock.Instant {
        guard semaphore.wait(timeout: .now() + .seconds(60)) == .success else {
            throw GStreamerError(message: "no photo came within a minute")
        }
        return instants.withLock { $0.removeFirst() }
    }
}
