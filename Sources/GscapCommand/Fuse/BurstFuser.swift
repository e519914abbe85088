internal import CameraRaw
internal import DNG
internal import Demosaic
internal import Fusion
internal import GSCapture
internal import GStreamer
internal import GscapElements
internal import JSON
internal import PhotoMetadata
internal import RawImage

/// Fuses frames on disk into one photo. Frames are read one at a time, to bound memory.
struct BurstFuser {
    var mode = FusionMode.quality
    var strength = 1.0
    /// The strength of noise reduction after merging; nil for that of the mode.
    var denoise: Double?
    /// The reference frame's index; nil takes the frame that its file states to be the burst's reference, or else the
    /// first one, unless another is clearly sharper, or the middle exposure of a bracket.
    var reference: Int?
    /// Whether the photo is stored as a mosaic instead of a demosaiced, linear photo.
    var isMosaic = false
    /// Whether and at which scale the photo is super-resolved from the frames' shifts; `automatic`: as the mode does.
    var superResolution: SuperResolution = .automatic
    var bracket: Bracket = .automatic
    /// Whether damaged frames are fused.
    var acceptsDamage = false
    /// Called with a message for each damaged frame that is fused.
    var warn: (String) -> Void = { _ in }
    /// Whether the photo replaces an existing file.
    var replacesFiles = false

    /// The choices of super-resolution: by mode, off, or at a scale.
    enum SuperResolution: Equatable {
        case automatic, off
        case scale(SuperResolutionScale)
    }

    /// Whether frames are fused as a bracket of different exposures: `automatic` decides by their exposures.
    enum Bracket: String, CaseIterable {
        case automatic = "auto"
        case on, off
    }

    /// A phase of a fusion, for display.
    enum Phase {
        /// Frames are read and merged, of which this many are done.
        case fusing(Int)
        case denoising
        /// The look and the preview are made, and the photo is encoded.
        case developing

        /// The number of phases after the frames are merged.
        static let later = 2

        /// The number of steps done before the phase, of as many as there are frames and later phases.
        func steps(of frames: Int) -> Int {
            switch self {
            case .fusing(let done): done
            case .denoising: frames
            case .developing: frames + 1
            }
        }

        /// The name in the progress line.
        func text(of frames: Int) -> String {
            switch self {
            case .fusing(let done): "fusing \(done)/\(frames)"
            case .denoising: "denoising"
            case .developing: "developing"
            }
        }
    }

    /// The fused photo as an encoded DNG, and the report of its fusion.
    struct Result {
        var file: DNGData
        var report: FusionReport
    }

    /// Fuses the frames of a burst or bracket, read from these files. Calls `progress` after each frame and at the
    /// start of each later phase.
    func fuse(_ paths: [String], progress: (Phase) -> Void) throws -> Result {
        if let reference, !paths.indices.contains(reference) {
            throw Failure(.usage, "--reference \(reference): the frames are numbered from 0 to \(paths.count - 1)")
        }
        // Before any frame is read: the fusion of a burst would fail only at the last frames.
        guard paths.count <= BurstFusion.mostFrames else {
            let most = BurstFusion.mostFrames
            throw Failure(.usage, "\(paths.count) frames are too many for a burst: name at most \(most)")
        }
        // The reference is read first, because frames before it would have to be held in memory until it is read.
        let first = try reference ?? statedReference(paths)
        let order = [first].compactMap(\.self) + paths.indices.filter { $0 != first }
        let ordered = order.map { paths[$0] }
        var (output, report) =
            try isBracket(ordered) ? fuseBracket(ordered, progress) : fuseBurst(ordered, progress)
        report = report.reordered(by: order)
        output.report = report
        progress(.developing)
        return Result(file: try output.file(warn: warn), report: report)
    }

    /// Returns the index of the only file that states to be the reference of the burst that it was stored with, if the
    /// other files state to belong to the same burst; otherwise nil.
    private func statedReference(_ paths: [String]) throws -> Int? {
        let receipts = try paths.map { try DNGInput.header(of: $0).metadata.receipt }
        guard Set(receipts.map { $0?.burst == nil ? nil : $0?.captureID }).count == 1 else { return nil }
        let references = receipts.indices.filter { receipts[$0]?.burst?.isReference == true }
        return references.count == 1 ? references[0] : nil
    }

    /// Returns whether the frames are fused as a bracket: as the option selects or, if automatic, if their exposures
    /// (time × ISO) differ by more than half a stop and they are not too many for a bracket.
    private func isBracket(_ paths: [String]) throws -> Bool {
        guard bracket == .automatic, paths.count <= BracketFusion.mostFrames else { return bracket == .on }
        let exposures = try paths.map { path in
            let metadata = try DNGInput.header(of: path).metadata
            return metadata.exposureTime * metadata.iso
        }
        guard let least = exposures.min(), let most = exposures.max(), least > 0 else { return false }
        return most / least > 2.0.squareRoot()
    }

    /// Fuses frames of equal exposure into a mosaic or a demosaiced photo.
    private func fuseBurst(_ paths: [String], _ progress: (Phase) -> Void) throws -> (FusionOutput, FusionReport) {
        let fusion = BurstFusion(options)
        try forEachFrame(of: paths) { frame, done throws(GscapError) in
            try fusion.add(frame)
            progress(.fusing(done))
        }
        progress(.denoising)
        return try Self.namingFile(paths[0]) { () throws(GscapError) in
            if isMosaic {
                let (mosaic, report) = try fusion.finish()
                return (.mosaic(mosaic), report)
            }
            let scale: SuperResolutionScale? = if case .scale(let scale) = superResolution { scale } else { nil }
            let (photo, report) = try fusion.finishLinearPhoto(scale)
            return (.photo(photo), report)
        }
    }

    /// Fuses frames of different exposures into a mosaic or a demosaiced photo.
    private func fuseBracket(_ paths: [String], _ progress: (Phase) -> Void) throws -> (FusionOutput, FusionReport) {
        let fusion = BracketFusion(reference: reference == nil ? nil : 0)
        try forEachFrame(of: paths) { frame, done throws(GscapError) in
            try fusion.add(frame)
            progress(.fusing(done))
        }
        progress(.denoising)
        let (mosaic, report) = try Self.namingFile(paths[0]) { () throws(GscapError) in try fusion.finish() }
        return (isMosaic ? .mosaic(mosaic) : .photo(try Demosaic.linear(mosaic)), report)
    }

    /// The options of a burst's fusion. If a reference frame is selected, its index is 0, since it is read first.
    private var options: FusionOptions {
        var options = isMosaic ? FusionOptions(mosaicIn: mode) : FusionOptions(photoIn: mode)
        options.strength = strength
        if let denoise { (options.spatialDenoise, options.denoisesFrameAlone) = (denoise, true) }
        options.reference = reference == nil ? nil : 0
        switch superResolution {
        case .automatic: break
        case .off: options.preparesSuperResolution = false
        case .scale: options.preparesSuperResolution = true
        }
        return options
    }

    /// Reads frames one at a time and calls `body` with each and the number read so far. Errors of `body` name the
    /// frame's file.
    private func forEachFrame(of paths: [String], _ body: (Mosaic, Int) throws(GscapError) -> Void) throws {
        var camera: String?
        // A note that concerns every frame is printed once.
        var notes: Set<Substring> = []
        for (index, path) in paths.enumerated() {
            let frame = try frame(path) { if notes.insert($0.dropFirst(path.count)).inserted { warn($0) } }
            let model = frame.metadata.model
            if let camera, camera != model {
                warn("\(path) is of the camera \"\(model)\", but \(paths[0]) of \"\(camera)\"")
            }
            camera = camera ?? model
            try Self.namingFile(path) { () throws(GscapError) in try body(frame, index + 1) }
        }
    }

    /// Runs `work` and converts its errors to failures that name the file at this path.
    private static func namingFile<R>(_ path: String, _ work: () throws(GscapError) -> R) throws(Failure) -> R {
        do throws(GscapError) {
            return try work()
        } catch {
            throw Failure(error, of: path)
        }
    }

    /// Reads a frame and records the digest of its codes in its metadata, for `gscap verify --against`.
    private func frame(_ path: String, note: (String) -> Void) throws -> Mosaic {
        _ = try InputFile.beginning(of: path, count: 1)
        do {
            var mosaic = try DNGFrameDecoder.mosaic(path: path, acceptsDamage: acceptsDamage, note: note)
            for damage in mosaic.metadata.history.acceptedDamage { warn(DNGInput.text(of: damage, in: path)) }
            let codes = mosaic.codes
            mosaic.metadata.sensorDigests = [try RawDigest(mosaic: codes.span, format: mosaic.format).description]
            return mosaic
        } catch let error as Failure {
            throw Failure(error, of: path)
        }
    }
}

extension BurstFuser.Result {
    /// Stores the photo at `target` and prints the result of the fusion; `frames` are the paths of its frames.
    func store(
        to target: String, replacing: Bool, frames: [String], _ console: Console, _ fields: [(String, JSON)] = []
    ) throws {
        let output = OutputFile(path: target, replacing: replacing, sources: SourceFiles(frames))
        console.progress("writing \(target)")
        try file.withBytes { bytes in try output.write(bytes) }
        let text = FusionReportText(report, names: frames)
        if output.isStandardOutput { return text.warnings.forEach(console.note) }
        console.event("file", [("file", .text(target)), ("bytes", .integer(file.count))] + fields + text.fields)
        guard !console.isJSON else { return }
        for warning in text.warnings { console.note(warning) }
        console.print("\(target)  \(TextFormat.size(file.count)), \(text.summary)")
        if console.isVerbose { console.print(TextFormat.table(text.frameRows.map { ["  " + $0[0]] + $0.dropFirst() })) }
    }
}

extension FusionReport {
    /// Converts the frame numbers of a report from the order of reading to the order on the command line: index `i`
    /// becomes `order[i]`.
    fileprivate func reordered(by order: [Int]) -> FusionReport {
        func original(_ index: Int) -> Int { order.indices.contains(index) ? order[index] : index }
        var report = self
        for index in report.frames.indices {
            report.frames[index].index = original(report.frames[index].index)
            if let earlier = report.frames[index].sameAs { report.frames[index].reject(asCopyOf: original(earlier)) }
        }
        report.frames.sort { $0.index < $1.index }
        report.reference = original(reference)
        return report
    }
}
