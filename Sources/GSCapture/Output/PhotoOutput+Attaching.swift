public import GStreamer

extension CaptureError.Code {
    /// The output is attached or in a session already, or the pad cannot have a photo branch.
    public static let cannotAttach = CaptureError.Code(rawValue: "cannotAttach")
}

// MARK: - Photos from a pipeline of the application

extension PhotoOutput {
    /// Whether the output is attached to a pad.
    public var isAttached: Bool { attachment.phase == .attached }

    /// Attaches the output to a pipeline of the application, in place of a session: adds a photo branch, brings it to
    /// the pipeline's state, and links it to `pad`.
    ///
    /// `pad` is a source pad that is not linked and delivers Bayer frames, such as a new pad of a tee, requested with
    /// `requestPad("src_%u")`. The branch is added to the bin that contains the pad's element. The pipeline may have
    /// any state, and change it later; its other branches lose no frame. `detach` leaves the pad free; it stays the
    /// caller's. A tee with another branch ignores a free pad; other elements may end their stream.
    ///
    /// Captures then work as in a session. The formats are those of `isProRAWEnabled` and `processedFormats` at this
    /// call; changes take effect with the next one. Deferred delivery is not available.
    ///
    /// Returns when the branch runs. Throws if the output is attached or in a session, if the pad cannot have a branch,
    /// or if the branch does not start within thirty seconds; then the pipeline is as before.
    public func attach(to pad: Pad) async throws(CaptureError) {
        let result: Result<Void, CaptureError> = await attachment.inTurn { [self] in
            await carryOut { () throws(CaptureError) in (pad, false) }
        }
        try result.get()
    }

    /// Attaches the output to a new pad of a tee, which is given back by `detach`. Otherwise as `attach(to:)`.
    ///
    /// A tee without another linked pad needs `allow-not-linked=true`, or its stream ends with an error while the
    /// output is not attached.
    public func attach(toTee tee: Element) async throws(CaptureError) {
        let result: Result<Void, CaptureError> = await attachment.inTurn { [self] in
            await carryOut { () throws(CaptureError) in
                guard let pad = Self.requestPad(of: tee) else {
                    throw CaptureError(
                        .cannotAttach, "\(tee.factoryName) has no pads to request; name a tee", place: tee.name)
                }
                return (pad, true)
            }
        }
        try result.get()
    }

    /// Ends all captures of an attached output with the code `cancelled`, and takes its branch out of the pipeline,
    /// whose other branches lose no frame. Returns when the branch is out, or after ten seconds, when the rest goes on
    /// without the caller. Does nothing if the output is not attached.
    public func detach() async {
        await attachment.inTurn { [self] in
            guard let branch = attachment.beginDetaching() else { return }
            disconnect(branch)
            await branch.remove(because: CaptureError(.cancelled, "the output was detached"))
            leave()
            attachment.endDetaching()
        }
    }
}

// MARK: - Carrying out

extension PhotoOutput {
    /// Requests a source pad of a tee. A tee forwards an event before it stores it for new pads, so a pad that is
    /// requested in between would never get that event.
    private static func requestPad(of tee: Element) -> Pad? {
        guard let input = tee.pad("sink") else { return tee.requestPad("src_%u") }
        return input.whileIdle { tee.requestPad("src_%u") }
    }

    /// Attaches the output to the pad that `find` returns, with whether the pad was requested for it.
    private func carryOut(
        _ find: () throws(CaptureError) -> (pad: Pad, isRequested: Bool)
    ) async -> Result<Void, CaptureError> {
        guard attachment.beginAttaching() else {
            return .failure(CaptureError(.cannotAttach, "the output is attached already; detach it first"))
        }
        guard join(reconfigure: {}) else {
            attachment.endAttaching(nil)
            return .failure(CaptureError(.cannotAttach, "the output belongs to a session; remove it there first"))
        }
        do throws(CaptureError) {
            let branch = try await branch(try find())
            connect(branch)
            attachment.endAttaching(branch)
            return .success(())
        } catch {
            leave()
            attachment.endAttaching(nil)
            return .failure(error)
        }
    }

    /// Makes a branch and links it. If that fails, the pad is as before.
    private func branch(_ found: (pad: Pad, isRequested: Bool)) async throws(CaptureError) -> AttachedBranch {
        let (pad, isRequested) = found
        let hasFlash = pad.hasSimulatedCamera
        setSource { .pad(hasFlash: hasFlash) }
        let branch: AttachedBranch
        do throws(CaptureError) {
            branch = try AttachedBranch(at: pad, ofRequest: isRequested, formats: try attachedFormats())
        } catch {
            if isRequested { pad.parentElement?.releaseRequestPad(pad) }
            throw error
        }
        try await branch.link()
        return branch
    }

    private func attachedFormats() throws(CaptureError) -> [PhotoFormat] {
        let formats = planned.formats
        guard formats.contains(.deferred) else { return formats }
        throw CaptureError(
            .deferredDeliveryNotSupported, "an attached output does not defer photos; set deferredFolder to nil",
            place: "deferredFolder")
    }
}

extension Pad {
    /// Whether the simulated camera, which has a flash, is upstream of this source pad.
    fileprivate var hasSimulatedCamera: Bool {
        var next = [self]
        var seen: Set<String> = []
        while let pad = next.popLast() {
            guard let element = pad.parentElement, seen.insert(element.name).inserted else { continue }
            if element.factoryName == RegisteredNames.name(of: "gscapsensorsrc") { return true }
            next += element.pads.filter { !$0.isSource }.compactMap(\.peer)
        }
        return false
    }
}
