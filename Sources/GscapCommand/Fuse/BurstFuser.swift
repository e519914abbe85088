internal import DNG
internal import Demosaic
internal import Fusion
internal import GStreamer
internal import GscapElements
internal import PhotoMetadata
internal import RawImage

/// Makes one photo of frames on disk, which are read one by one.
struct BurstFuser {
    var mode = FusionOptions.Mode.balanced
    var strength = 1.0
    /// nil for the usual: for those who have their own converter, none.
    var denoise: Double?
    /// The frame that the others are aligned with, counted from 0; nil for the sharpest of the first.
    var reference: Int?
    var isMosaic = false
    /// Detail finer than one frame has: where the burst shows it (nil), never, or at a size.
    var detail: Detail = .automatic
    var bracket: Bracket = .automatic

    enum Detail: Equatable {
        case automatic, off
        case scale(DetailScale)
    }

    enum Bracket: String, CaseIterable {
        case automatic = "auto"
        case on, off
    }

    /// A photo as a file, and what became of the frames.
    struct Result {
        var file: DNGData
        var report: FusionReport
    }

    /// Fuses the frames of a burst. `progress` hears how many are done.
    func fuse(_ paths: [String], progress: (Int) -> Void) throws -> Result {
        if let reference, !paths.indices.contains(reference) {
            throw Failure(.usage, "--reference \(reference): there are \(paths.count) frames, counted from 0")
        }
        // Said before the work, and not after most of it.
        guard paths.count <= BurstFusion.mostFrames else {
            let most = BurstFusion.mostFrames
            throw Failure(.usage, "\(paths.count) frames are too many for a burst: name \(most) at most")
        }
        // The reference is read first: frames before it would have to be kept until it comes.
        let order = [reference].compactMap(\.self) + paths.indices.filter { $0 != reference }
        let ordered = order.map { paths[$0] }
        var (picture, report) =
            try isBracket(ordered) ? fuseBracket(ordered, progress) : fuseBurst(ordered, progress)
        report = report.reordered(by: order)
        picture.receipt = report
        return Result(file: try picture.file(), report: report)
    }

    /// Whether frames are to be fused as a bracket: their exposures lie more than half a stop apart.
    private func isBracket(_ paths: [String]) throws -> Bool {
        guard bracket == .automatic, paths.count <= BracketFusion.mostFrames else { return bracket == .on }
        let light = try paths.map { path in
            let metadata = try DNGInput.open(path).metadata
            return metadata.exposureTime * metadata.iso
        }
        guard let least = light.min(), let most = light.max(), least > 0 else { return false }
        return most / least > 2.0.squareRoot()
    }

    private func fuseBurst(_ paths: [String], _ progress: (Int) -> Void) throws -> (FusedPicture, FusionReport) {
        let fusion = BurstFusion(options)
        try forEachFrame(of: paths) { frame, done throws(FusionError) in
            try fusion.add(frame)
            progress(done)
        }
        return try Self.named(paths[0]) { () throws(FusionError) in
            if isMosaic {
                let (mosaic, report) = try fusion.finish()
                return (.mosaic(mosaic), report)
            }
            let scale: DetailScale? = if case .scale(let scale) = detail { scale } else { nil }
            let (photo, report) = try fusion.finishPhoto(scale)
            return (.photo(photo), report)
        }
    }

    private func fuseBracket(_ paths: [String], _ progress: (Int) -> Void) throws -> (FusedPicture, FusionReport) {
        let fusion = BracketFusion(reference: reference == nil ? nil : 0)
        try forEachFrame(of: paths) { frame, done throws(FusionError) in
            try fusion.add(frame)
            progress(done)
        }
        let (mosaic, report) = try Self.named(paths[0]) { () throws(FusionError) in try fusion.finish() }
        return (isMosaic ? .mosaic(mosaic) : .photo(try Demosaic.linear(mosaic)), report)
    }

    private var options: FusionOptions {
        FusionOptions(
            mode: mode, strength: strength, spatialDenoise: denoise ?? (isMosaic ? 0 : 1),
            reference: reference == nil ? nil : 0, keepsDetail: keepsDetail)
    }

    /// What was asked for by its size is made however little work the mode wants.
    private var keepsDetail: Bool {
        switch detail {
        case .automatic: !isMosaic && mode != .speed
        case .off: false
        case .scale: true
        }
    }

    /// Reads frames one by one; `body` takes each, and how many that makes. What is wrong with one is said with its name.
    private func forEachFrame(of paths: [String], _ body: (Mosaic, Int) throws(FusionError) -> Void) throws {
        for (index, path) in paths.enumerated() {
            let frame = try Self.frame(path)
            try Self.named(path) { () throws(FusionError) in try body(frame, index + 1) }
        }
    }

    /// What is wrong is said with a file's name.
    private static func named<R>(_ path: String, _ work: () throws(FusionError) -> R) throws(Failure) -> R {
        do throws(FusionError) {
            return try work()
        } catch {
            throw Failure(.badInput, "\(path): \(error.message)")
        }
    }

    /// A file's frame, which names itself by its digest.
    private static func frame(_ path: String) throws -> Mosaic {
        _ = try WholeFileReader.beginning(of: path, count: 1)
        do {
            var mosaic = try DNGFrame.mosaic(path: path)
            let codes = mosaic.codes
            mosaic.metadata.sensorDigests = [try RawDigest(mosaic: codes.span, format: mosaic.format).description]
            return mosaic
        } catch let error as DNGError {
            throw Failure(ExitCode(error), error.message.hasPrefix(path) ? error.message : "\(path): \(error.message)")
        } catch let error as GStreamerError {
            throw Failure(.badInput, error.message)
        }
    }
}

extension FusionReport {
    /// The receipt of frames that were given in another order: the one at `i` was that of `order[i]`.
    fileprivate func reordered(by order: [Int]) -> FusionReport {
        func place(_ index: Int) -> Int { order.indices.contains(index) ? order[index] : index }
        var report = self
        for index in report.frames.indices { report.frames[index].index = place(report.frames[index].index) }
        report.frames.sort { $0.index < $1.index }
        report.reference = place(reference)
        return report
    }
}
