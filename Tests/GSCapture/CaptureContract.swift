import GSCapture
import TestClocks

/// A capture that was accepted, and what its contract depends on.
struct AcceptedPress: Sendable {
    /// How the test receives the capture.
    enum Reader: Sendable {
        case events(Task<[CaptureRecord], Never>)
        case delegate(RecordingDelegate)
        case photos(Task<Result<Int, any Error>, Never>)
    }

    let capture: PhotoCapture
    let settings: PhotoSettings
    let reader: Reader

    /// Returns how the capture violates its contract. Waits for its end, at most a minute.
    func violations() async -> [String] {
        let found: [String]
        switch reader {
        case .events(let task):
            guard let records = await result(of: { await task.value }) else { return name(["it did not end"]) }
            found = violations(in: records) + (await violations(ofReaderAfter: records))
        case .delegate(let delegate):
            guard await reached(.seconds(60), { delegate.isOver }) else { return name(["it did not end"]) }
            found =
                violations(in: delegate.records)
                + (delegate.overlaps == 0 ? [] : ["calls of its delegate overlapped"])
                + (await violations(ofReaderAfter: delegate.records))
        case .photos(let task):
            guard let result = await result(of: { await task.value }) else { return name(["it did not end"]) }
            found = violations(of: result) + (await violations(ofPhotosAfter: result))
        }
        return name(found)
    }

    /// A reader that comes after the end receives the events that the first one has received.
    private func violations(ofReaderAfter records: [CaptureRecord]) async -> [String] {
        let capture = capture
        let again = await result {
            var records: [CaptureRecord] = []
            for await event in capture.events { records.append(CaptureRecord(event)) }
            return records
        }
        guard let again else { return ["its events do not end for a second reader"] }
        let (first, second) = (records.map { "\($0.kind)" }, again.map { "\($0.kind)" })
        return first == second ? [] : ["a second reader has the events \(second), not \(first)"]
    }

    /// The photos can be awaited again.
    private func violations(ofPhotosAfter former: Result<Int, any Error>) async -> [String] {
        if case .failure(let error) = former, error is CancellationError { return [] }
        let capture = capture
        let again = await result { () -> Result<Int, any Error> in
            do { return .success(try await capture.photos.count) } catch { return .failure(error) }
        }
        switch (former, again) {
        case (.success(let first), .success(let second)?) where first == second: return []
        case (.failure(let first as CaptureError), .failure(let second as CaptureError)?)
        where first.code == second.code: return []
        default: return ["its photos were first \(former), then \(again.map { "\($0)" } ?? "not there")"]
        }
    }

    private func name(_ violations: [String]) -> [String] {
        violations.map { "capture \(capture.uniqueID): \($0)" }
    }

    private func violations(of result: Result<Int, any Error>) -> [String] {
        let expected = capture.resolvedSettings.expectedPhotoCount
        switch result {
        case .success(let count): return count == expected ? [] : ["\(count) photos instead of \(expected)"]
        case .failure(let error as CaptureError): return violations(ofEnd: error.code)
        case .failure(let error): return error is CancellationError ? [] : ["the error \(error)"]
        }
    }

    private func violations(ofEnd code: CaptureError.Code?) -> [String] {
        guard let code else { return [] }
        return Self.ends.contains(code) ? [] : ["it failed with the code \(code.rawValue)"]
    }

    /// The codes with which an accepted capture may end. A press that is refused, as `busy`, throws.
    private static let ends: Set<CaptureError.Code> = [
        .captureFailed, .branchFailed, .aborted, .cancelled, .interrupted, .noDevice, .pipelineFailed,
    ]
}

// MARK: - Events

extension AcceptedPress {
    /// The state of a capture according to the events received so far.
    ///
    ///     willBegin ─► (willCapture ─► didCapture)… ─► photo… ─► finished
    ///         └────────── didRecordMovie ─► movie ──────────────────▲
    private struct Progress {
        var (begun, taken) = (0, 0)
        var photos: [PhotoFormat: Int] = [:]
        var photoCount = 0
        var hasFailedPhoto = false
        /// The numbers of ends of a movie's recording, and of movies.
        var (recorded, movies) = (0, 0)
        var end: CaptureError.Code??
        var violations: [String] = []

        mutating func check(_ holds: Bool, _ violation: String) {
            if !holds { violations.append(violation) }
        }
    }

    func violations(in records: [CaptureRecord]) -> [String] {
        var progress = Progress()
        for (index, record) in records.enumerated() {
            progress.check(record.id == capture.uniqueID, "an event of capture \(record.id)")
            progress.check(progress.end == nil, "the event \(record.kind) after the end")
            add(record, at: index, to: &progress)
        }
        guard let end = progress.end else { return progress.violations + ["its events end without finished"] }
        checkCounts(&progress, end)
        return progress.violations + violations(ofEnd: end)
    }

    private func add(_ record: CaptureRecord, at index: Int, to progress: inout Progress) {
        if index == 0 || isWillBegin(record) {
            progress.check(index == 0 && isWillBegin(record), "the event \(record.kind) at \(index)")
        }
        switch record.kind {
        case .willBegin: break
        case .willCapture:
            progress.check(progress.begun == progress.taken && progress.photoCount == 0, "willCapture out of turn")
            progress.begun += 1
        case .didCapture:
            progress.check(progress.begun == progress.taken + 1 && progress.photoCount == 0, "didCapture out of turn")
            progress.taken += 1
        case .photo(let format, let number, let error):
            progress.photoCount += 1
            progress.photos[format, default: 0] += 1
            progress.check(number == progress.photoCount, "photo \(number) in place of \(progress.photoCount)")
            progress.check(record.tag ?? record.id == record.id, "a photo of capture \(record.tag ?? 0)")
            if error == nil, let title = record.title, let own = settings.details.title {
                progress.check(title == own, "\(format.name) has the title \(title), not \(own)")
            }
            if error != nil { progress.hasFailedPhoto = true }
        case .didRecordMovie:
            progress.recorded += 1
            progress.check(progress.recorded == 1 && progress.movies == 0, "didRecordMovie out of turn")
        case .movie(let error):
            // A movie that fails may never have been recorded.
            progress.check(progress.recorded == 1 || error != nil, "a movie before the end of its recording")
            progress.movies += 1
            if error != nil { progress.hasFailedPhoto = true }
        case .finished(let error): progress.end = .some(error)
        }
    }

    private func isWillBegin(_ record: CaptureRecord) -> Bool {
        if case .willBegin = record.kind { return true }
        return false
    }

    /// Checks the numbers of exposures and photos after the end, with `end` as its error.
    private func checkCounts(_ progress: inout Progress, _ end: CaptureError.Code?) {
        let resolved = capture.resolvedSettings
        let exposures = resolved.exposures.count
        progress.check(progress.begun <= exposures, "\(progress.begun) exposures instead of \(exposures)")
        if end == nil {
            progress.check(progress.taken == exposures, "\(progress.taken) exposures taken of \(exposures)")
            progress.check(!progress.hasFailedPhoto, "success with a failed photo or movie")
        }
        let movies = resolved.livePhotoFormat == nil ? 0 : 1
        progress.check(progress.movies == movies, "\(progress.movies) movies instead of \(movies)")
        let cameras = max(1, settings.constituents.count)
        var total = 0
        for format in settings.formats {
            let isBayer = format == .raw(.bayer)
            let expected =
                cameras * exposures * (isBayer && settings.everyFrame ? resolved.frames : 1)
                + (settings.fusesBracket && !isBayer ? 1 : 0)
            total += expected
            let count = progress.photos[format] ?? 0
            progress.check(count == expected, "\(count) photos of \(format.name) instead of \(expected)")
        }
        progress.check(
            total == resolved.expectedPhotoCount && total == progress.photoCount,
            "\(progress.photoCount) photos, \(resolved.expectedPhotoCount) announced, \(total) by the settings")
    }
}
