internal import FrameStream
public import GStreamer
internal import RawImage
internal import Synchronization
internal import Waiting

// The elements inside the bin.

extension PhotoBin {
    private static let branchesName = "photo-branches"
    /// The name of the first element inside.
    static let entranceName = "unpack"

    /// Adds `rawunpack` and `rawshutter` to the bin; returns the shutter. Does nothing without a bin, as in tests of
    /// the behaviour alone.
    static func addShutter(to element: ElementHandle) throws(GscapError) -> Element? {
        guard let bin = element.bin else { return nil }
        let unpack = try Element(factory: RegisteredNames.name(of: "rawunpack"), name: entranceName)
        let shutter = try Element(factory: RegisteredNames.name(of: "rawshutter"), name: "shutter")
        try bin.add(unpack)
        try bin.add(shutter)
        try unpack.link(to: shutter)
        return shutter
    }

    /// Makes the branches of the formats in the settings, unless they are there; throws if the settings are invalid.
    func build(_ settings: PhotoBinSettings) throws(GscapError) {
        let formats = try settings.branchFormats(of: element.name)
        guard let bin = element.bin, let output = shutter?.pad("src") else { return }
        let present = branches.withLock { $0 }
        if let present, present.formats == formats, !present.isIncomplete.isRaised { return }
        if let present {
            if let input = present.bin.pad("sink") { output.unlink(from: input) }
            _ = try? present.bin.setState(.null)
            bin.remove(present.bin)
            branches.withLock { $0 = nil }
        }
        let made = try make(formats)
        guard let input = made.bin.pad("sink") else {
            throw GscapError(message: "the branches have no input", place: element.name)
        }
        try bin.add(made.bin)
        try output.link(to: input)
        branches.withLock { $0 = made }
        apply(settings)
        made.bin.syncStateWithParent()
    }

    private func make(_ formats: [PhotoBranchFormat]) throws(GscapError) -> Branches {
        var text = PhotoBranches(formats) { format in
            "appsink name=\(format.rawValue) sync=false async=false enable-last-sample=false max-buffers=4"
        }
        text.element = { RegisteredNames.name(of: $0) }
        let bin = try Bin(
            parsing: (["tee name=burst"] + text.chains).joined(separator: " "), name: Self.branchesName)
        for format in formats {
            guard let sink = bin.element(named: format.rawValue).flatMap(AppSink.init) else {
                throw GscapError(message: "the branch \(format.rawValue) has no sink", place: element.name)
            }
            sink.setHandler { [weak self] sink in
                while case let item? = sink.next() {
                    if case .sample(let sample) = item { self?.take(sample, format) }
                }
                return nil
            } ended: {
            }
            // An encoder of another plugin would hold the event that ends a burst back until the next photo. It has
            // passed on the photo before the event arrives.
            guard format.ownEncoder == nil, !format.isUncompressed else { continue }
            _ = bin.element(named: format.encoderName)?.pad("sink")?.addEventProbe { event in
                CaptureEnd(event) == nil ? .pass : .drop
            }
        }
        let isIncomplete = AtomicFlag()
        return Branches(
            formats: formats, bin: bin, gates: gates(of: bin, formats, isIncomplete), isIncomplete: isIncomplete)
    }

    private func gates(of bin: Bin, _ formats: [PhotoBranchFormat], _ isIncomplete: AtomicFlag) -> BranchGates {
        let actions = BranchGates.Actions { [weak self] branches, error in
            self?.fail(branches, error)
        } reopened: {
        } remove: { element in
            isIncomplete.raise()
            element.removeFromParent()
        }
        let gates = BranchGates(
            in: bin, sinks: Set(formats.map(\.rawValue)), shutter: nil, queue: stateQueue, actions, by: clock)
        gates.install { [ledger] buffer, branches in
            guard let kind = try? FrameCustomMeta.kind(), let id = buffer.captureIdentifier else { return true }
            return ledger.admits(
                id, exposure: buffer.captureExposure, frame: buffer.captureIndex,
                isReference: buffer.isCaptureReference,
                isBracket: buffer.value(of: "capture-bracket", in: kind) == .boolean(true), to: branches)
        }
        return gates
    }

    /// Sets the properties of the elements inside to those of the bin.
    func apply(_ settings: PhotoBinSettings) {
        try? shutter?.set("frames", .int(Int32(clamping: settings.frames)))
        try? shutter?.set("background", .boolean(settings.isBackground))
        try? shutter?.set("max-queued", .int(Int32(clamping: settings.budget)))
        guard let present = branches.withLock({ $0 }) else { return }
        // For captures that the shutter begins; a press states the mode in its request.
        try? present.bin.element(named: "fusion")?.set("mode", .string(settings.fusionMode.rawValue))
        guard hasQuality.isRaised else { return }
        for format in present.formats where !format.isRAW && format.ownEncoder != nil {
            guard let encoder = present.bin.element(named: format.encoderName), encoder.has("quality") else { continue }
            try? encoder.set("quality", .double(settings.quality))
        }
    }

    /// The formats of the branches.
    var formats: [PhotoBranchFormat] { branches.withLock { $0?.formats } ?? [] }
}

// MARK: - Messages

extension PhotoBin {
    /// Passes the capture messages of the elements inside through the ledger, and turns the errors of a branch into
    /// failures of its photos.
    public func passes(_ message: Message) -> Bool {
        switch message.kind {
        case .element(let structure):
            guard let capture = CaptureMessage(structure) else { return true }
            receive(capture, structure)
            return false
        case .error(let error):
            if isRunning.isRaised, let end = message.bins.firstIndex(of: Self.branchesName) {
                if takes(error, from: [message.source] + message.bins[..<end]) { return false }
            }
            return !contains(error, from: message.source)
        default: return true
        }
    }

    private func receive(_ message: CaptureMessage, _ structure: Structure) {
        var concerned: Set<PhotoBranchFormat> = []
        if case .photo(_, let element, _, _?) = message { concerned = formats(behind: element) }
        ledger.receive(
            message, structure, formats: concerned,
            standard: PhotoLedger.Wishes(formats: Set(formats), press: element.runningTime))
        if case .begun(let id, _) = message { limit(id) }
    }

    /// Returns the formats of the branches that an element inside belongs to.
    private func formats(behind element: String) -> Set<PhotoBranchFormat> {
        if element == "fusion" { return Set(formats.filter(\.isFused)) }
        return Set(formats.filter { [$0.encoderName, $0.lookName, $0.rawValue].contains(element) })
    }

    /// Handles an error of an element in a branch; `names` are the element and the bins around it. Returns false if the
    /// element is in no branch.
    private func takes(_ error: GscapError, from names: [String]) -> Bool {
        // An encoder posts this at the end of a stream of which it could encode nothing. Its captures have failed.
        if error.domain == CaptureMessage.warningDomain {
            element.post(warning: error)
            return true
        }
        return branches.withLock { $0 }?.gates.handle(error, from: names) == true
    }

    private func fail(_ names: Set<String>, _ error: GscapError) {
        let formats = Set(names.compactMap(PhotoBranchFormat.init(rawValue:)))
        let list = formats.map(\.rawValue).sorted().joined(separator: ", ")
        element.post(
            warning: GscapError(
                domain: CaptureMessage.warningDomain, number: 1,
                message: "the branch \(list) failed and is started again: \(error.message)", place: error.place))
        ledger.fail(formats, error.message)
    }
}
