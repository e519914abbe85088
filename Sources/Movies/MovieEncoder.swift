package import CapturePlan
internal import Dispatch
internal import GStreamer
internal import MovieFiles
internal import PipelineText
internal import Synchronization

/// The encoder of a movie: a pipeline apart from the session's, so that its failures stay in it. It runs only while a
/// movie is recorded, or for the ring of Live Photos.
///
///     appsrc ! videoconvert ! queue ! openh264enc ! queue "gscap-delivery" ! appsink "gscap-pictures"
///     AUDIO ! queue ! audioconvert ! audioresample ! voaacenc ! appsink "gscap-sound"
///
/// All elements but those of AUDIO have names that begin with "gscap-", which AUDIO cannot have.
///
/// *Thread-safe.*
package final class MovieEncoder: Sendable {
    /// An output of the encoder. Times are those of the session's pipeline, in nanoseconds.
    enum Output: Sendable {
        case picture(H264AccessUnit, time: UInt64)
        case sound([UInt8], time: UInt64)
        /// The source of the sound has ended, and all of its sound is delivered.
        case soundEnded
        /// All pictures that were pushed before `finish` are delivered.
        case drained
        case failed(CaptureError)
    }

    /// The format of the frames.
    struct Format: Sendable {
        var caps: Caps
        /// Whether the frames have one column or row more, because encoders take even sizes only.
        var isOdd: (width: Bool, height: Bool)
        var width: Int
        var height: Int
        /// How the pictures are to be turned, as an Exif orientation.
        var orientation: Int
        /// The time from frame to frame in nanoseconds; 1/30 s for a variable rate.
        var period: UInt64
        /// Whether the time from frame to frame varies, so that no frame is missing between two.
        private let isVariable: Bool
        /// The time from key picture to key picture in nanoseconds.
        var keyInterval: UInt64 = 1_000_000_000

        /// Returns the number of frames that could fill the gap between a picture and the next one.
        func framesLost(from time: UInt64, to next: UInt64) -> Int {
            if isVariable { return 0 }
            let gap = next - min(next, time)
            return gap > period + period / 2 ? Int(clamping: (gap + period / 2) / period - 1) : 0
        }

        /// The smallest width and height that encoders take.
        private static let leastSide = 16

        /// Reads the format of frames. Throws if the caps have no size, or one that encoders do not take.
        init(_ caps: Caps, orientation: Int = 1) throws(CaptureError) {
            guard let first = caps.first, let width = first["width"]?.integer, let height = first["height"]?.integer
            else { throw CaptureError(.pipelineFailed, "the frames have no size: \(caps)") }
            guard min(width, height) >= Self.leastSide else {
                throw CaptureError(
                    .pipelineFailed,
                    "a movie of \(width)×\(height) pixels cannot be encoded: choose frames that are less wide or tall",
                    place: "movie")
            }
            let rate = first["framerate"]?.number ?? 0
            isOdd = (width % 2 == 1, height % 2 == 1)
            (self.caps, self.width, self.height) = (caps, width & ~1, height & ~1)
            self.orientation = orientation
            isVariable = rate <= 0.01
            period = UInt64(1e9 / (rate > 0.01 && rate < 1e6 ? rate : 30))
        }

        /// The size of the frames, of which the pictures may lack the last column and row.
        var frameSize: (width: Int, height: Int) { (width + (isOdd.width ? 1 : 0), height + (isOdd.height ? 1 : 0)) }

        /// The number of frames from key picture to key picture.
        var framesPerKey: UInt64 { max(1, keyInterval / period) }
    }

    /// The name of the queue that delivers the pictures. Its thread never runs in the background: a thread that
    /// Dispatch starts meanwhile would inherit the low priority.
    private static let delivery = "gscap-delivery"
    /// The sampling rate of the sound.
    static let samplingRate: UInt32 = 48000
    private static let channels = 2

    private let pipeline: Pipeline
    private let frames: AppSrc
    private let stateQueue = DispatchQueue(label: "gscap.movie")
    /// The difference between the times of the frames and of the encoded pictures, which x264enc shifts by hours.
    private struct Shift {
        var first: UInt64?
        var shift: Int64?
    }
    private let shift = Mutex(Shift())
    private let firstError = Mutex<CaptureError?>(nil)

    /// Creates the encoder of frames of a format, without starting it. `receive` is called on streaming threads. In the
    /// background the encoder gives way to the threads of the session.
    init(
        _ settings: MovieSettings, _ format: Format, isInBackground: Bool = false,
        _ receive: @escaping @Sendable (Output) -> Void
    ) throws(CaptureError) {
        do {
            pipeline = try Pipeline(parsing: Self.text(settings, format))
        } catch {
            throw CaptureError(.badPipeline, error.message, place: "movie", cause: error)
        }
        guard let frames = pipeline.element(named: "gscap-frames").flatMap(AppSrc.init),
            let pictures = pipeline.element(named: "gscap-pictures").flatMap(AppSink.init)
        else { throw CaptureError(.badPipeline, "the movie's encoder has no appsrc or appsink", place: "movie") }
        self.frames = frames
        let pictureElements = Self.names(before: pictures).union([pipeline.name])
        frames.setCaps(format.caps)
        pictures.setHandler { [weak self] sink in
            self?.takePictures(from: sink, receive)
            return nil
        } ended: {
            receive(.drained)
        }
        pipeline.element(named: "gscap-sound").flatMap(AppSink.init)?.setHandler { sink in
            Self.takeSound(from: sink, receive)
            return nil
        } ended: {
            receive(.soundEnded)
        }
        pipeline.bus.setHandler { [weak self] message in
            switch message.kind {
            case .taskCreated(let task) where isInBackground && message.bins.first != Self.delivery:
                task.runInBackground()
            case .error(let error):
                let isOfPictures = pictureElements.contains(message.source)
                let failure =
                    isOfPictures
                    ? Self.failure(error, settings)
                    : SoundSource.failure(error, of: self?.pipeline.element(named: message.source))
                self?.firstError.withLock { $0 = $0 ?? failure }
                receive(.failed(failure))
            default: break
            }
        }
    }

    deinit { stop() }

    /// Returns an error of the pictures, in which the encoder stands for the elements around it.
    private static func failure(_ error: GscapError, _ settings: MovieSettings) -> CaptureError {
        var failure = error
        failure.message = "the encoder \(settings.encoderFactory) failed: \(error.message)"
        failure.place = "movie"
        return failure
    }

    /// Returns the names of an element and of those before it, which have one input at most.
    private static func names(before last: Element) -> Set<String> {
        let chain = sequence(first: last) { $0.pad("sink")?.peer?.parentElement }
        return Set(chain.map(\.name))
    }

    /// Starts the encoder, whose sound is in the time of the session's pipeline. May block until the source of the
    /// sound is open.
    func start(inTimeOf session: Pipeline) throws(CaptureError) {
        _ = pipeline.followTime(of: session)
        do {
            try pipeline.setState(.playing)
        } catch {
            throw firstError.withLock { $0 } ?? error
        }
    }

    /// Whether a frame can wait for the encoder and the disk behind this number of frames; otherwise it is lost. Photos
    /// in work, or a slow card, may hold both up for some tenths of a second.
    static func canWait(_ frame: borrowing Buffer, behind pending: Int) -> Bool {
        let (least, most, mostBytes) = (8, 60, 50_000_000)
        return pending < min(max(least, mostBytes / max(1, frame.size)), most)
    }

    /// Pushes a frame of the session, to be encoded as a key picture if `isKey` is set; does not block.
    func push(_ frame: consuming Buffer, isKey: Bool = false) {
        if isKey { _ = frames.send(.forceKeyPicture()) }
        if let time = frame.presentationTime {
            shift.withLock { $0.first = $0.first ?? time }
        }
        try? frames.push(frame)
    }

    /// Signals that no more frames follow; `drained` comes when all are delivered.
    func finish() { frames.endOfStream() }

    /// Stops the encoder, which then delivers nothing more. Does not wait, because this may be a streaming thread.
    func stop() {
        stateQueue.async { [pipeline] in
            pipeline.bus.removeHandler()
            _ = try? pipeline.setState(.null)
        }
    }
}

// MARK: - Text

extension MovieEncoder {
    /// Throws if an element is not installed, or if the source of the sound delivers none.
    package static func check(_ settings: MovieSettings) throws(CaptureError) {
        let sound = settings.audioSource == nil ? [] : ["voaacenc"]
        for factory in [settings.encoderFactory] + sound where ElementFactory(named: factory) == nil {
            let advice = KnownElements.package(of: factory).map { "; install the package \($0)" } ?? ""
            throw CaptureError(.missingElement, "the element \(factory) is not installed\(advice)")
        }
        if let source = settings.audioSource { try SoundSource.check(source) }
    }

    /// Turns off openh264enc's detection of background, scene changes and activity: a test pattern takes 14 % less
    /// processor time, and a moving scene has .55 dB more at the same size.
    private static let withoutAnalysis =
        "scene-change-detection=false background-detection=false adaptive-quantization=false"

    private static func text(_ settings: MovieSettings, _ format: Format) -> String {
        let pixels = UInt64(format.width * format.height)
        // A tenth of a bit per pixel.
        let usual = max(500_000, pixels * 100_000_000 / format.period)
        let rate = settings.bitRate.map { UInt64($0) } ?? usual
        // openh264 counts at most 60 pictures per second, each of which gets its part of the rate.
        let counted = min(rate, rate * 60 * format.period / 1_000_000_000)
        let encoder =
            switch settings.encoder {
            case .openH264:
                "openh264enc name=gscap-encoder rate-control=bitrate bitrate=\(counted) max-bitrate=\(2 * counted)"
                    + " complexity=low gop-size=\(format.framesPerKey) \(withoutAnalysis)"
            // Without pictures that refer to later ones, so that each is encoded at once.
            case .x264:
                "x264enc name=gscap-encoder tune=zerolatency speed-preset=veryfast bitrate=\(max(1, rate / 1000))"
                    + " b-adapt=false bframes=0 key-int-max=\(format.framesPerKey)"
            }
        let (right, bottom) = (format.isOdd.width ? 1 : 0, format.isOdd.height ? 1 : 0)
        let crop = right + bottom > 0 ? " ! videocrop name=gscap-crop right=\(right) bottom=\(bottom)" : ""
        // The queue lets conversion and encoding run side by side; appsrc holds what waits before it.
        let pictures =
            "appsrc name=gscap-frames format=time is-live=true\(crop) ! videoconvert name=gscap-convert"
            + " ! capsfilter name=gscap-format caps=video/x-raw,format=I420,colorimetry=bt709"
            + " ! queue name=gscap-input max-size-buffers=16 max-size-bytes=0 max-size-time=0 ! \(encoder)"
            + " ! capsfilter name=gscap-stream caps=video/x-h264,stream-format=byte-stream,alignment=au,profile=high"
            + " ! queue name=\(delivery) ! appsink name=gscap-pictures sync=false async=false"
        guard let source = settings.audioSource else { return pictures }
        return pictures + " " + sound(source)
    }

    private static func sound(_ source: String) -> String {
        source + " ! queue name=gscap-sound-input max-size-time=2000000000 ! audioconvert name=gscap-sound-convert"
            + " ! audioresample name=gscap-sound-resample"
            + " ! capsfilter name=gscap-sound-format caps=audio/x-raw,rate=\(samplingRate),channels=\(channels)"
            + " ! voaacenc name=gscap-sound-encoder"
            + " ! capsfilter name=gscap-sound-stream caps=audio/mpeg,stream-format=raw"
            + " ! appsink name=gscap-sound sync=false async=false"
    }

    /// The tracks of the movie's files.
    static func tracks(
        _ format: Format, _ parameters: H264Parameters, hasSound: Bool, timescale: UInt32, date: MovieDate
    ) -> [MovieTrack] {
        let video = MovieTrack(
            .video(width: format.width, height: format.height, parameters), timescale: timescale, date: date,
            orientation: format.orientation)
        return [video]
            + (hasSound ? [MovieTrack(.audio(channels: channels), timescale: samplingRate, date: date)] : [])
    }
}

// MARK: - Output

extension MovieEncoder {
    private func takePictures(from sink: AppSink, _ receive: @Sendable (Output) -> Void) {
        while case let item? = sink.next() {
            guard case .sample(let sample) = item, let buffer = sample.buffer, let time = buffer.presentationTime else {
                continue
            }
            let own = shift.withLock { state -> UInt64 in
                let shift = state.shift ?? Int64(clamping: state.first ?? time) - Int64(clamping: time)
                state.shift = shift
                return UInt64(max(0, Int64(clamping: time) + shift))
            }
            receive(.picture(H264AccessUnit(byteStream: buffer.bytes), time: own))
        }
    }

    private static func takeSound(from sink: AppSink, _ receive: @Sendable (Output) -> Void) {
        while case let item? = sink.next() {
            guard case .sample(let sample) = item, let buffer = sample.buffer, let time = buffer.presentationTime else {
                continue
            }
            receive(.sound(buffer.bytes, time: time))
        }
    }
}

extension Buffer {
    /// A copy of the bytes.
    fileprivate var bytes: [UInt8] {
        withBytes { span in unsafe span.withUnsafeBytes { unsafe Array($0) } }
    }
}
