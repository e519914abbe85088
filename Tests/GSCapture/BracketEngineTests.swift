import FrameStream
import GSCapture
import GStreamer
import GscapElements
import RawImage
import Testing
import Waiting

/// The events of captures with several exposures, from messages in any order.
@Suite(.timeLimit(.minutes(10))) struct BracketEngineTests {
    private let plan: PipelinePlan

    init() throws {
        plan = try PipelinePlan(
            device: .simulated(width: 64, height: 48), preview: nil, formats: [.raw(.bayer), .raw(.proRAW)])
    }

    private func settings(fused: Bool = false) -> PhotoSettings {
        var settings = PhotoSettings(raw: [.bayer, .proRAW])
        settings.bracket = [.bias(-2), .bias(0), .bias(2)]
        settings.fusesBracket = fused
        return settings
    }

    private func name(_ event: CaptureEvent) -> String {
        switch event {
        case .willBegin: "willBegin"
        case .willCapture: "willCapture"
        case .didCapture: "didCapture"
        case .photo: "photo"
        case .didRecordLivePhotoMovie: "didRecordLivePhotoMovie"
        case .livePhotoMovie: "livePhotoMovie"
        case .finished: "finished"
        }
    }

    /// Starts a capture, reports `messages`, delivers all photos, and returns the events.
    private func events(_ messages: (UInt64) -> [CaptureMessage]) async -> [String] {
        let engine = CaptureEngine(formats: [:])
        let (resolved, owed) = plan.resolve(settings(), CaptureConditions())
        let events = engine.begin(resolved, owed: owed, everyFrame: false).events.stream()
        for message in messages(resolved.uniqueID) { engine.receive(message) }
        for (branch, count) in owed {
            for _ in 0..<count { engine.deliver(resolved.uniqueID, branch: branch, sample: nil) }
        }
        engine.receive(.taken(id: resolved.uniqueID, frame: 0, lag: nil, exposureLag: nil))
        var names: [String] = []
        for await event in events { names.append(name(event)) }
        return names
    }

    private let complete =
        ["willBegin"] + Array(repeating: ["willCapture", "didCapture"], count: 3).flatMap(\.self)
        + Array(repeating: "photo", count: 6) + ["finished"]

    @Test func everyExposureHasItsEvents() async {
        let inOrder = await events { id in
            [.begun(id: id, frames: 4)]
                + (0..<3).flatMap { index -> [CaptureMessage] in
                    [.exposing(id: id, index: index, count: 3), .exposed(id: id, index: index, count: 3)]
                }
        }
        #expect(inOrder == complete)
    }

    /// Messages that are late, missing, doubled or out of range change neither order nor number.
    @Test func eventsAreCompleteWhateverTheMessages() async {
        let none = await events { _ in [] }
        #expect(none == complete)
        let some = await events { id in
            [
                .exposed(id: id, index: 1, count: 3), .exposing(id: id, index: 0, count: 3),
                .exposing(id: id, index: 2, count: 3), .exposing(id: id, index: 2, count: 3),
                .exposed(id: id, index: 7, count: 3), .exposing(id: id, index: -1, count: 3),
            ]
        }
        #expect(some == complete)
    }

    @Test func aFailureEndsTheEvents() async {
        let failed = await events { id in
            [
                .exposing(id: id, index: 0, count: 3),
                .done(id: id, result: .failed, reason: "no frames", retryAfter: nil),
            ]
        }
        #expect(failed == ["willBegin", "willCapture"] + Array(repeating: "photo", count: 6) + ["finished"])
    }

    @Test func eachBranchOwesAPhotoOfEachExposure() {
        let (single, _) = plan.resolve(PhotoSettings(raw: [.bayer, .proRAW]), CaptureConditions())
        #expect(single.expectedPhotoCount == 2)
        let (bracket, owed) = plan.resolve(settings(), CaptureConditions())
        #expect(bracket.expectedPhotoCount == 6)
        #expect(owed == ["bayer": 3, "proraw": 3])
        let (fused, owedFused) = plan.resolve(settings(fused: true), CaptureConditions())
        #expect(fused.expectedPhotoCount == 7)
        #expect(owedFused == ["bayer": 3, "proraw": 4])
        var every = settings()
        every.everyFrame = true
        every.frames = 2
        #expect(plan.resolve(every, CaptureConditions()).0.expectedPhotoCount == 9)
    }

    /// A long bracket takes fewer frames for each exposure, unless the settings give their number.
    @Test func theFramesOfABracketAreLimited() {
        var settings = PhotoSettings(raw: [.proRAW])
        settings.bracket = Array(repeating: .bias(0), count: 16)
        #expect(plan.resolve(settings, CaptureConditions()).0.frames == 4)
        var conditions = CaptureConditions()
        conditions.frameSize = PhotoDimensions(width: 1024, height: 512)
        conditions.memoryBudget = 32 << 20
        #expect(conditions.maxFrames == 32)
        #expect(plan.resolve(settings, conditions).0.frames == 2)
        conditions.memoryBudget = 4 << 20
        #expect(conditions.maxExposures == 4)
    }

    /// A Bayer branch takes the reference frame of each exposure, and nothing of the burst that is fused.
    @Test func aBayerBranchTakesTheReferenceOfEachExposure() {
        let engine = CaptureEngine(formats: [:])
        let (resolved, owed) = plan.resolve(settings(fused: true), CaptureConditions())
        _ = engine.begin(resolved, owed: owed, everyFrame: false)
        func wants(_ branch: String, isReference: Bool, isFused: Bool = false) -> Bool {
            engine.wants(
                resolved.uniqueID, isReference: isReference, ofFusedBracket: isFused, anyOf: [branch],
                takesWholeBurst: plan.takesWholeBurst(branch))
        }
        #expect(wants("bayer", isReference: true))
        #expect(!wants("bayer", isReference: false))
        #expect(!wants("bayer", isReference: true, isFused: true))
        #expect(wants("proraw", isReference: false))
        #expect(wants("proraw", isReference: false, isFused: true))
        engine.close(CaptureError(.aborted, "the test ends"))
    }

    // MARK: The request

    @Test func theRequestHasTheSettings() throws {
        let plan = try PipelinePlan(
            device: .simulated(width: 64, height: 48), preview: nil,
            formats: [.raw(.bayer), .raw(.proRAW), .processed(.jpeg), .processed(.heifPQ)])
        var settings = PhotoSettings(raw: [.proRAW], processed: [.jpeg, .heifPQ])
        settings.frames = 3
        settings.processedOptions[.jpeg] = .init(quality: 0.5, colorSpace: .displayP3)
        settings.processedOptions[.heifPQ] = .init(quality: 0.25, colorSpace: .rec2020)
        settings.thumbnailLongestSide = 1000
        settings.flashMode = .auto
        settings.zeroShutterLag = false
        settings.iso = 200
        settings.exposureBias = 0.5
        settings.details = ShotDetails(
            artist: "A", title: "T", copyright: "C", location: Location(latitude: 1, longitude: 2, altitude: 3),
            orientation: 6)
        var conditions = CaptureConditions()
        conditions.frameSize = PhotoDimensions(width: 64, height: 48)
        let request = plan.request(settings, plan.resolve(settings, conditions).0)
        #expect(request["frames"] == .int(3))
        #expect(request["flash"] == .string("auto"))
        #expect(request["zero-shutter-lag"] == .boolean(false))
        #expect(request["iso"] == .double(200))
        #expect(request["exposure-bias"] == .double(0.5))
        #expect(request["exposure-time"] == nil)
        #expect(request["artist"] == .string("A"))
        #expect(request["orientation"] == .int(6))
        #expect(request["altitude"] == .double(3))
        #expect(request["bracket"] == nil)
        guard case .structure(let elements)? = request["settings"] else {
            Issue.record("the request has no settings")
            return
        }
        #expect(Set(elements.fields.map(\.name)) == ["proraw-encoder", "jpeg-encoder", "jpeg-look", "heif-pq-encoder"])
        // The thumbnail is limited to the size of the photo.
        #expect(elements["proraw-encoder"] == .structure(Structure("values", ["preview-size": .int(64)])))
        #expect(elements["jpeg-encoder"] == .structure(Structure("values", ["quality": .double(0.5)])))
        #expect(elements["jpeg-look"] == .structure(Structure("values", ["color-space": .string("display-p3")])))
    }

    @Test func theRequestOfABracketHasItsExposures() {
        var settings = settings(fused: true)
        settings.bracket = [.manual(exposureTime: 0.01, iso: nil), .manual(exposureTime: nil, iso: 400)]
        let request = plan.request(settings, plan.resolve(settings, CaptureConditions()).0)
        #expect(
            request["bracket"]
                == .array([
                    .structure(Structure("bracket", ["exposure-time": .double(0.01)])),
                    .structure(Structure("bracket", ["iso": .double(400)])),
                ]))
        #expect(request["fuse-bracket"] == .boolean(true))
        #expect(request["settings"] == nil)
    }

    /// Elements of a custom text have other names.
    @Test func theRequestNamesTheElementsOfAText() throws {
        let plan = try PipelinePlan(
            reading: """
                gscapsensorsrc ! video/x-bayer,format=rggb12le,width=64,height=48 ! rawunpack
                  ! rawshutter frames=1 ! rawdevelop name=look ! gscapjpegenc name=writer ! filesink location=a.jpg
                """)
        var settings = PhotoSettings(everythingOf: plan)
        settings.processedOptions[.jpeg] = .init(quality: 0.5, colorSpace: .rec2020)
        let request = plan.request(settings, plan.resolve(settings, CaptureConditions()).0)
        guard case .structure(let elements)? = request["settings"] else {
            Issue.record("the request has no settings")
            return
        }
        #expect(elements["writer"] == .structure(Structure("values", ["quality": .double(0.5)])))
        #expect(elements["look"] == .structure(Structure("values", ["color-space": .string("rec2020")])))
    }

    /// A capture that the shutter ended as successful lacks photos that an element dropped, or, with a reason, photos
    /// that were not finished in time.
    @Test(arguments: [("", "dropped the photo"), ("not finished within 120 s", "not finished within 120 s")])
    func aMissingPhotoHasTheShuttersReason(reason: String, expected: String) async {
        let engine = CaptureEngine(formats: [:])
        let (resolved, owed) = plan.resolve(settings(), CaptureConditions())
        let events = engine.begin(resolved, owed: owed, everyFrame: false).events.stream()
        engine.receive(.done(id: resolved.uniqueID, result: .succeeded, reason: reason, retryAfter: nil))
        var errors: [String] = []
        for await case .photo(let photo) in events { errors.append(photo.error?.message ?? "") }
        #expect(!errors.isEmpty && errors.allSatisfy { $0.contains(expected) })
    }
}
