import RandomSequences
import RawImage

@testable import GSCapture

extension SequenceRun {
    /// Returns legal settings, mostly with formats that are available now.
    func legalSettings() -> PhotoSettings {
        var settings = legalSettingsOfOneCamera()
        if kind != .virtual, session?.videoZoomFactor == 1, Int.random(in: 0..<6, using: &random) == 0 {
            deferDelivery(of: &settings)
        }
        if kind == .live, Bool.random(using: &random) { makeLivePhoto(of: &settings) }
        guard kind == .virtual else { return settings }
        let names = Set(["wide", "tele"].filter { _ in Bool.random(using: &random) })
        settings.constituents = names.isEmpty && settings.rawFormats.contains(.bayer) ? ["tele"] : names
        guard !settings.constituents.isEmpty else { return settings }
        (settings.exposureTime, settings.iso, settings.exposureBias, settings.flashMode) = (nil, nil, 0, .off)
        (settings.bracket, settings.fusesBracket) = ([], false)
        return settings
    }

    /// Requests deferred delivery, if the output has a folder for it.
    private func deferDelivery(of settings: inout PhotoSettings) {
        guard output?.deferredFolder != nil else { return }
        (settings.bracket, settings.fusesBracket, settings.everyFrame) = ([], false, false)
        settings.isDeferred = true
    }

    /// Requests a Live Photo, if the settings and the output allow one.
    private func makeLivePhoto(of settings: inout PhotoSettings) {
        guard output?.isLivePhotoCaptureEnabled == true, session?.videoZoomFactor == 1 else { return }
        guard settings.processedFormats.contains(.jpeg) else { return }
        settings.rawFormats.remove(.proRAW)
        (settings.bracket, settings.fusesBracket, settings.isDeferred) = ([], false, false)
        settings.livePhotoFormat = RandomSettings.pick(LivePhotoFormat.allCases, &random)
    }

    private func legalSettingsOfOneCamera() -> PhotoSettings {
        let title = "photo \(calls.count) \(presses.count)"
        let (raw, processed) = (RAWPhotoFormat.allCases, [ProcessedPhotoFormat.jpeg, .png, .uncompressed])
        guard let output, Int.random(in: 0..<8, using: &random) > 0 else {
            return RandomSettings.legal(raw: raw, processed: processed, title: title, using: &random)
        }
        let (allowedRAW, allowed) = (output.availableRAWFormats, output.availableProcessedFormats)
        return RandomSettings.legal(
            raw: raw.filter(allowedRAW.contains), processed: processed.filter(allowed.contains), title: title,
            using: &random)
    }

    /// Presses the shutter with legal settings; at times once more with the same, which is refused.
    func pressLegally() {
        guard let output else { return }
        notePipeline()
        let settings = legalSettings()
        calls.append("press \(describe(settings))")
        let isReady = output.captureReadiness(for: settings) == .ready
        let reader = Int.random(in: 0..<3, using: &random)
        let delegate = RecordingDelegate()
        do throws(CaptureError) {
            let capture =
                reader == 0
                ? try output.capturePhoto(
                    with: settings, delegate: delegate, on: Bool.random(using: &random) ? queue : nil)
                : try output.capturePhoto(with: settings)
            add(capture, settings, reader == 0 ? .delegate(delegate) : read(capture, reader == 1))
        } catch {
            if reader == 0 { refusedDelegates.append(delegate) }
            check(!isReady || error.code != .busy, "refused as busy although the output was ready")
            check(!output.hasCaptured(settings.uniqueID), "the settings of a refused press count as used")
            return checkRefusal(of: settings, error)
        }
        guard Int.random(in: 0..<4, using: &random) == 0 else { return }
        do throws(CaptureError) {
            _ = try output.capturePhoto(with: settings)
            violations.append("settings were captured twice")
        } catch {
            checkRefusal(of: settings, error, .settingsReused)
        }
    }

    /// Presses the shutter with settings that violate a rule.
    func pressIllegally() {
        guard let output else { return }
        var settings = legalSettings()
        let change = RandomSettings.spoil(&settings, using: &random)
        calls.append("illegal press \(change)")
        do throws(CaptureError) {
            try output.validate(settings)
            violations.append("\(change) is valid")
        } catch {
            check(CaptureError.Code.rules.contains(error.code), "\(change) is refused as \(error.code.rawValue)")
        }
        let delegate = RecordingDelegate()
        do throws(CaptureError) {
            try output.capturePhoto(with: settings, delegate: delegate)
            violations.append("\(change) was accepted")
        } catch {
            refusedDelegates.append(delegate)
            let allowed = CaptureError.Code.rules.union(refusalsWithoutFrames)
            check(allowed.contains(error.code), "\(change) was refused as \(error.code.rawValue)")
        }
    }

    /// Presses the shutter from several tasks at once, with settings of which two are the same.
    func pressFromTasks() async {
        guard let output else { return }
        notePipeline()
        var all = [legalSettings(), legalSettings()]
        all.append(all[0])
        calls.append("press from tasks \(all.map(describe))")
        var accepted: Set<UInt64> = []
        await withTaskGroup(of: (PhotoSettings, Result<PhotoCapture, CaptureError>).self) { group in
            for settings in all {
                group.addTask {
                    do throws(CaptureError) {
                        return (settings, .success(try output.capturePhoto(with: settings)))
                    } catch {
                        return (settings, .failure(error))
                    }
                }
            }
            for await (settings, result) in group {
                switch result {
                case .success(let capture):
                    check(accepted.insert(settings.uniqueID).inserted, "settings were captured twice")
                    add(capture, settings, read(capture, true))
                case .failure(let error): checkRefusal(of: settings, error, .settingsReused)
                }
            }
        }
    }

    /// Cancels a capture, or the task that waits for its photos.
    func cancel() {
        guard !presses.isEmpty else { return }
        let press = RandomSettings.pick(presses, &random)
        calls.append("cancel \(press.capture.uniqueID)")
        if case .photos(let task) = press.reader { task.cancel() } else { press.capture.cancel() }
    }

    /// Waits for the newest capture.
    func waitForLast() async {
        guard let press = presses.popLast() else { return }
        calls.append("wait for \(press.capture.uniqueID)")
        violations += await press.violations()
    }

    private func add(_ capture: PhotoCapture, _ settings: PhotoSettings, _ reader: AcceptedPress.Reader) {
        check(capture.uniqueID == settings.uniqueID, "capture \(capture.uniqueID) of settings \(settings.uniqueID)")
        presses.append(AcceptedPress(capture: capture, settings: settings, reader: reader))
    }

    private func read(_ capture: PhotoCapture, _ readsEvents: Bool) -> AcceptedPress.Reader {
        if readsEvents {
            return .events(
                Task {
                    var records: [CaptureRecord] = []
                    for await event in capture.events { records.append(CaptureRecord(event)) }
                    return records
                })
        }
        return .photos(
            Task {
                do { return .success(try await capture.photos.count) } catch { return .failure(error) }
            })
    }

    /// The refusals of any press, legal or not, when the session is not running, the camera delivers no frames, or its
    /// stream has ended and the session has not noticed yet.
    private var refusalsWithoutFrames: Set<CaptureError.Code> {
        let isSteady = !kind.mayPause && !kind.mayFail && kind != .plan
        let refusals: Set<CaptureError.Code> = isSteady ? [] : [.interrupted, .aborted, .noDevice, .pipelineFailed]
        return refusals.union([.sessionNotRunning])
    }

    /// Checks the error of a press with legal settings: the session does not run, the output is not ready, the camera
    /// delivers no frames, or the pipeline in use was built before the format or Live Photos were enabled.
    private func checkRefusal(of settings: PhotoSettings, _ error: CaptureError, _ other: CaptureError.Code? = nil) {
        var allowed = refusalsWithoutFrames
        allowed.formUnion([.formatNotAvailable, .proRAWNotEnabled, .livePhotoNotEnabled, .busy])
        if let other { allowed.insert(other) }
        check(error.code != .busy || error.retryAfter != nil, "busy without a time to press again")
        check(allowed.contains(error.code), "a legal press was refused: \(error.code.rawValue), \(error)")
    }

    private func describe(_ settings: PhotoSettings) -> String {
        let frames = settings.frames.map { "\($0)" } ?? "-"
        let live = settings.livePhotoFormat.map { ", \($0.rawValue)" } ?? ""
        let size = "\(frames)×\(max(1, settings.bracket.count))"
        return "\(settings.uniqueID) \(settings.formats.map(\.name)) of \(size)\(live)"
    }
}
