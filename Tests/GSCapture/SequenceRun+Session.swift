import GStreamer
import RandomSequences
import TestClocks

@testable import GSCapture

extension SequenceRun {
    /// Makes one random call, or a few that belong together.
    func step() async {
        switch Int.random(in: 0..<33, using: &random) {
        case 0..<11: pressLegally()
        case 11..<14: pressIllegally()
        case 14: await pressFromTasks()
        case 15: cancel()
        case 16: await waitForLast()
        case 17: await start()
        case 18: await stop()
        case 19: await startAndStopAtOnce()
        case 20: changeFormats()
        case 21: await commitChanges()
        case 22: await commitRefused()
        case 23: changePreset()
        case 24: changeFrameOutputs()
        case 25: readdOutput()
        case 26: changeOptions()
        case 27: prepareSettings()
        case 28, 29: await changePlug()
        case 30: changeZoom()
        default: await pause()
        }
        notePipeline()
    }

    // MARK: - Starts and stops

    func start() async {
        guard let session else { return }
        calls.append("start")
        let outcome = await result { () -> Result<Void, any Error> in
            do { return .success(try await session.startRunning()) } catch { return .failure(error) }
        }
        switch outcome {
        case nil: check(false, "the start did not end")
        case .failure(let error): check(kind.mayFail, "the start failed: \(error)")
        case .success:
            check(kind.mayFail || [.running, .interrupted].contains(session.state), "started, but \(session.state)")
        }
        notePipeline()
    }

    func stop() async {
        guard let session else { return }
        calls.append("stop")
        let hasEnded = await ends { await session.stopRunning() }
        check(hasEnded, "the stop did not end")
        check(session.state == .stopped, "stopped, but \(session.state)")
    }

    private func startAndStopAtOnce() async {
        guard let session else { return }
        calls.append("starts and stops at once")
        let hasEnded = await ends {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask { try? await session.startRunning() }
                    group.addTask { await session.stopRunning() }
                }
            }
        }
        check(hasEnded, "the starts and stops did not end")
        let allowed: Set<CaptureSession.State> = [.stopped, .running, .interrupted]
        check(kind.mayFail || allowed.contains(session.state), "after starts and stops \(session.state)")
    }

    // MARK: - The configuration

    private func changeFormats() {
        guard let output else { return }
        calls.append("formats")
        output.isProRAWEnabled = Bool.random(using: &random)
        output.processedFormats = RandomSettings.pick([[.jpeg], [.png], [], [.jpeg, .uncompressed]], &random)
        if kind == .live { output.isLivePhotoCaptureEnabled = Bool.random(using: &random) }
    }

    /// Commits a transaction that is allowed, at times a nested one.
    private func commitChanges() async {
        guard let session, let output else { return }
        calls.append("transaction")
        session.beginConfiguration()
        changeFrameOutputs()
        if Bool.random(using: &random) { output.isProRAWEnabled.toggle() }
        if Bool.random(using: &random) {
            session.beginConfiguration()
            changePreset()
            await commit(mayBeRefused: kind.mayFail)
        }
        await commit(mayBeRefused: kind.mayFail)
    }

    /// Commits a preview that does not exist. A session that does not run records the change, which is then undone.
    private func commitRefused() async {
        guard let session else { return }
        calls.append("refused transaction")
        let preview = PreviewOutput(sink: "gscap-no-such-sink")
        session.beginConfiguration()
        try? session.add(preview)
        changePreset()
        let wasRunning = session.state == .running
        let isRefused = await commit(mayBeRefused: true)
        if wasRunning, !kind.isPlan, !kind.mayFail { check(isRefused, "a preview without an element was accepted") }
        session.remove(preview)
    }

    @discardableResult
    private func commit(mayBeRefused: Bool) async -> Bool {
        guard let session else { return false }
        let outcome = await result { () -> Result<Void, any Error> in
            do { return .success(try await session.commitConfiguration()) } catch { return .failure(error) }
        }
        switch outcome {
        case nil: check(false, "the commit did not end")
        case .failure(let error):
            check(mayBeRefused, "the commit failed: \(error)")
            return true
        case .success: break
        }
        return false
    }

    private func changePreset() {
        let preset = RandomSettings.pick(CaptureSession.Preset.allCases, &random)
        guard let session, session.canSetSessionPreset(preset) else { return }
        calls.append("preset \(preset)")
        do throws(CaptureError) { try session.setSessionPreset(preset) } catch {
            check(false, "the preset was refused: \(error)")
        }
    }

    /// Removes an output of frames, or adds one; likewise a preview.
    private func changeFrameOutputs() {
        guard let session else { return }
        let preview = PreviewOutput(sink: "fakesink", width: 32, height: 24)
        if let output = frameOutputs.popLast() {
            calls.append("remove frames")
            session.remove(output)
            return session.remove(preview)
        }
        let format = RandomSettings.pick([FrameOutput.Format.raw, .rgb(width: 32, height: 24)], &random)
        let output = FrameOutput(format: format)
        guard session.canAdd(output), session.canAdd(preview) else { return check(kind.isPlan, "frames are refused") }
        calls.append("add frames")
        do throws(CaptureError) {
            try session.add(output)
            try session.add(preview)
        } catch {
            return check(false, "frames were refused: \(error)")
        }
        frameOutputs.append(output)
        let frames = output.frames
        // The stream ends when the output is removed, or with the session.
        pending.append(("the stream of frames", Task { for await _ in frames {} }))
    }

    private func readdOutput() {
        guard let session, let output else { return }
        calls.append("remove and add the output")
        session.remove(output)
        do throws(CaptureError) { try session.add(output) } catch { check(false, "the output was refused: \(error)") }
    }

    // MARK: - The output and the camera

    private func changeOptions() {
        guard let output else { return }
        calls.append("options")
        output.isResponsiveCaptureEnabled = Bool.random(using: &random)
        output.isFastCapturePrioritizationEnabled = Bool.random(using: &random)
        output.isZeroShutterLagEnabled = Bool.random(using: &random)
        output.maxQueuedBytes = RandomSettings.pick([0, 1 << 20, 1 << 30], &random)
        if kind == .live { output.isLivePhotoCaptureSuspended = Bool.random(using: &random) }
    }

    private func prepareSettings() {
        guard let output else { return }
        calls.append("prepare")
        let settings = Bool.random(using: &random) ? [legalSettings(), legalSettings()] : []
        // Invalid when formats have changed meanwhile.
        pending.append(("the preparation", Task { _ = try? await output.setPreparedPhotoSettings(settings) }))
    }

    /// Zooms; a custom plan refuses it.
    private func changeZoom() {
        guard let session else { return }
        let factor = RandomSettings.pick([1, 1, 1.5, 2.5], &random)
        calls.append("zoom \(factor)")
        do throws(CaptureError) {
            try session.setVideoZoomFactor(factor)
            check(!kind.isPlan, "a custom plan was zoomed")
            check(session.videoZoomFactor == factor, "the zoom factor is \(session.videoZoomFactor)")
        } catch {
            check(kind.isPlan, "the zoom factor was refused: \(error)")
        }
    }

    /// Lets the camera deliver no frames for longer than the limit; presses meanwhile end as all others.
    private func stall() async {
        guard let valve = output?.running?.container.element(named: SequenceCamera.valve) else { return }
        calls.append("stall")
        try? valve.set("drop", .boolean(true))
        pressLegally()
        await TestClocks.pause(Int.random(in: 100...1200, using: &random))
        pressLegally()
        try? valve.set("drop", .boolean(false))
    }

    private func changePlug() async {
        if kind == .stalling { return await stall() }
        guard kind == .unpluggable || kind == .virtual else { return pressLegally() }
        let isTele = kind == .virtual && Int.random(in: 0..<3, using: &random) > 0
        let isIn = Bool.random(using: &random)
        calls.append("\(isIn ? "plug in" : "unplug") \(isTele ? "the tele camera" : "the camera")")
        let camera = isTele ? tele : camera
        if isIn { camera.plugIn() } else { camera.unplug() }
    }

    /// Lets a few frames come.
    private func pause() async {
        let time = Int.random(in: 1...30, using: &random)
        calls.append("pause \(time) ms")
        await TestClocks.pause(time)
    }
}
