import GStreamer
import RandomSequences
import TestClocks

@testable import GSCapture

/// A random sequence of attaching, detaching, presses and state changes of the hosts, and the check of the contract:
/// each capture ends once, hosts that run lose no frame, and nothing remains. The seed determines the calls, but not
/// how they fall between the frames.
actor AttachSequence {
    private var random: SeededRandom
    private var hosts: [HostPipeline] = []
    private var outputs = [PhotoOutput(), PhotoOutput()]
    private var presses: [AcceptedPress] = []
    private var pending: [(name: String, task: Task<Void, Never>)] = []
    private var engines: [CaptureEngine] = []
    /// The hosts whose state has changed, which flushes frames of their previews.
    private var changed: Set<ObjectIdentifier> = []

    /// The calls so far, for the message of a violation.
    private(set) var calls: [String] = []
    private(set) var violations: [String] = []

    init(seed: UInt64) { random = SeededRandom(seed) }

    var report: String { "\(violations.joined(separator: "; ")) — \(calls.joined(separator: ", "))" }

    /// Makes the calls, and checks the contract.
    func carryOut() async {
        do {
            hosts = [try HostPipeline(), try HostPipeline()]
            for host in hosts where Bool.random(using: &random) { try host.play() }
        } catch {
            return violations.append("preparation: \(error)")
        }
        for _ in 0..<Int.random(in: 8...16, using: &random) { await step() }
        await finish()
    }

    private func check(_ holds: Bool, _ violation: @autoclosure () -> String) {
        if !holds { violations.append("after call \(calls.count): \(violation())") }
    }

    // MARK: - Calls

    private func step() async {
        let output = RandomSettings.pick(outputs, &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<5: await attach(output)
        case 5..<7: await detach(output)
        case 7: detachLater(output)
        case 8..<14: press(output)
        case 14: cancel()
        case 15: await releaseOutput()
        case 16: await attachAndDetachAtOnce(output)
        case 17: prepare(output)
        case 18: changeState()
        default: await pause()
        }
        note(output)
    }

    private func attach(_ output: PhotoOutput) async {
        let host = RandomSettings.pick(hosts, &random)
        calls.append("attach")
        output.isProRAWEnabled = Bool.random(using: &random)
        let outcome = await result { () -> CaptureError? in
            do throws(CaptureError) {
                try await output.attach(toTee: host.tee)
                return nil
            } catch {
                return error
            }
        }
        guard let outcome else { return check(false, "attach did not end") }
        // It may be attached already, also by a call that is still under way.
        if let error = outcome { check(error.code == .cannotAttach, "attach failed: \(error)") }
    }

    private func detach(_ output: PhotoOutput) async {
        calls.append("detach")
        let hasEnded = await ends { await output.detach() }
        check(hasEnded, "detach did not end")
    }

    private func detachLater(_ output: PhotoOutput) {
        calls.append("detach in a task")
        pending.append(("detach", Task { await output.detach() }))
    }

    private func attachAndDetachAtOnce(_ output: PhotoOutput) async {
        calls.append("attach and detach at once")
        let host = RandomSettings.pick(hosts, &random)
        let hasEnded = await ends {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask { try? await output.attach(toTee: host.tee) }
                    group.addTask { await output.detach() }
                }
            }
        }
        check(hasEnded, "attach and detach did not end")
    }

    private func press(_ output: PhotoOutput) {
        note(output)
        let (raw, processed) = (output.availableRAWFormats, output.availableProcessedFormats)
        let settings = RandomSettings.legal(
            raw: RAWPhotoFormat.allCases.filter(raw.contains), processed: [.jpeg].filter(processed.contains),
            title: "photo \(calls.count)", using: &random)
        calls.append("press \(settings.uniqueID)")
        do throws(CaptureError) {
            let capture = try output.capturePhoto(with: settings)
            let reader = Task {
                var records: [CaptureRecord] = []
                for await event in capture.events { records.append(CaptureRecord(event)) }
                return records
            }
            presses.append(AcceptedPress(capture: capture, settings: settings, reader: .events(reader)))
        } catch {
            let allowed: [CaptureError.Code] = [
                .sessionNotRunning, .formatNotAvailable, .proRAWNotEnabled, .flashNotSupported, .busy,
                // The host does not run, or its stream has just ended.
                .aborted, .captureFailed,
            ]
            check(allowed.contains(error.code), "a legal press was refused: \(error.code.rawValue), \(error)")
        }
    }

    private func cancel() {
        guard !presses.isEmpty else { return }
        let press = RandomSettings.pick(presses, &random)
        calls.append("cancel \(press.capture.uniqueID)")
        press.capture.cancel()
    }

    private func prepare(_ output: PhotoOutput) {
        calls.append("prepare")
        pending.append(
            ("the preparation", Task { _ = try? await output.setPreparedPhotoSettings([PhotoOutput.quickSettings()]) }))
    }

    /// Changes the state of a host, or releases it and makes another.
    private func changeState() {
        let index = Int.random(in: hosts.indices, using: &random)
        let state = RandomSettings.pick([Element.State.null, .ready, .paused, .playing, .playing], &random)
        changed.insert(ObjectIdentifier(hosts[index]))
        if Int.random(in: 0..<4, using: &random) == 0, let host = try? HostPipeline() {
            calls.append("release the host")
            hosts[index] = host
            try? host.play()
            return
        }
        calls.append("host \(state)")
        do { try hosts[index].pipeline.setState(state) } catch { check(false, "the host fails: \(error)") }
    }

    private func releaseOutput() async {
        calls.append("release the output")
        outputs[Int.random(in: outputs.indices, using: &random)] = PhotoOutput()
    }

    private func pause() async {
        let time = Int.random(in: 1...30, using: &random)
        calls.append("pause \(time) ms")
        await TestClocks.pause(time)
    }

    private func note(_ output: PhotoOutput) {
        guard let running = output.running, !engines.contains(where: { $0 === running.engine }) else { return }
        engines.append(running.engine)
    }

    // MARK: - The end

    private func finish() async {
        calls.append("the end")
        for item in pending {
            let hasEnded = await ends { await item.task.value }
            check(hasEnded, "\(item.name) did not end")
        }
        for output in outputs { await detach(output) }
        for press in presses { violations += await press.violations() }
        presses = []
        check(outputs.allSatisfy { !$0.isAttached && $0.queueDepth == 0 }, "an output is not detached")
        let areOut = await reached { hosts.allSatisfy { $0.branches == 1 } }
        check(areOut, "a branch remains in its host")
        for engine in engines { check(engine.pending == 0, "\(engine.pending) captures in the engine") }
        for host in hosts {
            if !changed.contains(ObjectIdentifier(host)) {
                // The first frame may still be on its way.
                let shows = await reached { host.shown > 0 || host.sent == 0 }
                check(shows, "the host shows no frame")
                check(host.lostFrames.isEmpty, "the host lost \(host.lossReport)")
            }
            await takeLastPhoto(from: host)
            host.stop()
        }
    }

    /// After the sequence, the host still runs and gives a photo.
    private func takeLastPhoto(from host: HostPipeline) async {
        let output = PhotoOutput()
        do {
            try host.play()
            try await output.attach(toTee: host.tee)
            guard await output.becomesReady() else { return check(false, "the last output is not ready") }
            let capture = try output.capturePhoto(with: PhotoOutput.quickSettings())
            let outcome = await result { () async -> String in
                do { return "\(try await capture.photos.count)" } catch { return "\(error)" }
            }
            check(outcome == "1", "the last capture has not one photo: \(outcome ?? "it did not end")")
            await output.detach()
        } catch {
            check(false, "no photo after the sequence: \(error)")
        }
    }
}
