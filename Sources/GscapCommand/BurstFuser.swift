internal import DNG
internal import Fusion
internal import GStreamer
internal import GscapElements
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
        // The reference is read first: frames before it would have to be kept until it comes.
        let order = [reference].compactMap(\.self) + paths.indices.filter { $0 != reference }
        let fusion = BurstFusion(options)
        try forEachFrame(of: order.map { paths[$0] }) { frame, done throws(FusionError) in
            try fusion.add(frame)
            progress(done)
        }
        var (mosaic, report) = try Self.named(paths[order[0]]) { () throws(FusionError) in try fusion.finish() }
        report = report.reordered(by: order)
        mosaic.metadata.fusion = report
        let file = try isMosaic ? Self.file(of: mosaic) : Self.file(of: Demosaic.linear(mosaic))
        return Result(file: file, report: report)
    }

    private var options: FusionOptions {
        FusionOptions(
            mode: mode, strength: strength, spatialDenoise: denoise ?? (isMosaic ? 0 : 1),
            reference: reference == nil ? nil : 0)
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
            throw Failure(.badInput, error.message.hasPrefix(path) ? error.message : "\(path): \(error.message)")
        } catch let error as GStreamerError {
            throw Failure(.badInput, error.message)
        }
    }

    private static func file(of mosaic: Mosaic) throws -> DNGData {
        var writer = DNGWriter()
        writer.softwareVersion = Command.version
        let codes = mosaic.codes
        writer.preview = try FilePreview().of(codes.span, mosaic.format, mosaic.metadata)
        return try writer.encode(mosaic: codes.span, format: mosaic.format, metadata: mosaic.metadata)
    }

    private static func file(of photo: LinearImage) throws -> DNGData {
        var writer = DNGWriter()
        writer.softwareVersion = Command.version
        let values = photo.values
        writer.preview = try FilePreview().of(values.span, photo.format, photo.metadata)
        return try writer.encode(linear: values.span, format: photo.format, metadata: photo.metadata)
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
