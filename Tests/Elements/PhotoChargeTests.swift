import GStreamer
import RawImage
import Synchronization
import Testing

@testable import GscapElements

/// Failures of photos in a bracket, and lags of presses before the first frame.
@Suite(.timeLimit(.minutes(10))) struct PhotoChargeTests {
    /// A fusion that fails is charged to the photo of its own exposure, in whatever order photos arrive.
    @Test func aFailedFusionIsChargedToItsExposure() throws {
        let posted = Mutex<[Structure]>([])
        let ledger = PhotoLedger { message in posted.withLock { $0.append(message) } }
        let wishes = PhotoLedger.Wishes(formats: [.jpeg, .bayer], takesEveryFrame: true)
        #expect(ledger.open(1, wishes))
        let begun = CaptureMessage.begun(id: 1, frames: 4)
        ledger.receive(begun, begun.structure, formats: [], standard: wishes)
        for (exposure, frame) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            #expect(ledger.admits(1, exposure: exposure, frame: frame, isBracket: false, to: ["jpeg", "bayer"]))
        }
        func fail(_ formats: Set<PhotoBranchFormat>, exposure: Int, index: Int) {
            let failure = CaptureMessage.photo(id: 1, element: "fusion", bytes: 0, error: "too dark")
            var structure = failure.structure
            structure["exposure"] = .int(Int32(exposure))
            structure["index"] = .int(Int32(index))
            ledger.receive(failure, structure, formats: formats, standard: wishes)
        }
        fail([.jpeg], exposure: 1, index: 0)
        fail([.bayer], exposure: 0, index: 1)
        let photo = CaptureMessage.photo(id: 1, element: "jpeg-encoder", bytes: 3, error: nil).structure
        let key = PhotoLedger.Key(format: .jpeg, exposure: 0, frame: 0)
        #expect(ledger.deliver(1, key, photo, age: nil, now: nil))
        let lost = PhotoLedger.Key(format: .jpeg, exposure: 1, frame: 0)
        #expect(!ledger.deliver(1, lost, photo, age: nil, now: nil))
        let failures = posted.withLock { $0.filter { $0["error"] != nil } }
        #expect(failures.map { $0["format"]?.text } == ["jpeg", "bayer"])
        #expect(failures.map { $0["exposure"]?.integer ?? 0 } == [1, 0])
        let open = [(0, 0), (1, 0), (1, 1)].allSatisfy { exposure, frame in
            ledger.wishes(1, owing: PhotoLedger.Key(format: .bayer, exposure: exposure, frame: frame)) != nil
        }
        #expect(open)
    }

    /// The lag of a press before the first frame, and of one before the pipeline has a running time, is that frame's.
    @Test(arguments: [Element.State.paused, .playing]) func aPressBeforeTheFirstFrameHasItsLag(
        state: Element.State
    ) throws {
        try GscapPlugin.register()
        let host = try PhotoBinHost("fusion-mode=speed")
        try host.pipeline.setState(state)
        let id = try host.press(["frames": 1])
        try #require(id > 0, "\(host.allWarnings)")
        try host.pipeline.setState(.playing)
        #expect(host.result(of: id) == "succeeded", "\(host.reason(of: id))")
        let lag = try #require(host.photos(of: id).first?.receipt?.lag)
        #expect(lag > -0.1 && lag < 60)
    }
}
