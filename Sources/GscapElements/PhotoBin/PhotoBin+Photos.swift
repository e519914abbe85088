internal import Files
internal import FrameStream
internal import GStreamer
internal import Glibc
internal import RawImage

// The photos at the ends of the branches.

extension PhotoBin {
    /// Delivers a photo that has arrived at the sink of a branch: stores its file if there is a location, and posts the
    /// message. Streaming thread of the branch.
    func take(_ sample: Sample, _ format: PhotoBranchFormat) {
        guard let buffer = sample.buffer, let metadata = buffer.frameMetadata, let tag = metadata.capture else {
            return
        }
        let key = PhotoLedger.Key(format: format, exposure: tag.exposure, frame: format.isFused ? 0 : tag.index)
        guard let wishes = ledger.wishes(tag.id, owing: key) else { return }
        var path: String?
        do {
            path = try store(sample, key, tag, wishes)
        } catch {
            element.postCaptureWarning(tag.id, "\(error)")
            return ledger.fail(tag.id, key, element: format.elementName, "\(error)")
        }
        let now = element.runningTime
        let receipt = PhotoReceipt(metadata, runningTime: now)
        let message = CaptureMessage.photo(id: tag.id, element: format.elementName, bytes: buffer.size, error: nil)
        var photo = message.structure
        photo["format"] = .string(format.rawValue)
        if tag.exposureCount > 1 { photo["exposure"] = .int(Int32(clamping: tag.exposure)) }
        photo["sample"] = .sample(sample)
        photo["path"] = path.map(Value.string)
        photo["receipt"] = receipt.map { .structure($0.structure) }
        let isDelivered = ledger.deliver(tag.id, key, photo, age: receipt?.age, now: now)
        // A capture that ended meanwhile names no file.
        if !isDelivered, let path { unsafe unlink(path) }
    }

    /// The most numbers that are tried for a file before storing it fails.
    private static let mostNumbers = 100

    /// Stores the file of a photo and returns its path; nil without a location. No file is replaced: if another program
    /// took the name in the meantime, the capture's remaining files get the next one.
    private func store(
        _ sample: Sample, _ key: PhotoLedger.Key, _ tag: CaptureTag, _ wishes: PhotoLedger.Wishes
    ) throws -> String? {
        guard let names = fileNames else { return nil }
        var part: Int?
        if tag.exposureCount > 1 { part = tag.exposure + 1 }
        if wishes.takesEveryFrame, !key.format.isFused { part = tag.exposure * tag.count + tag.index + 1 }
        var used: String?
        for _ in 1..<Self.mostNumbers {
            let path = try reservations.path(tag.id, names, key.format, part: part, used: used)
            do {
                try write(sample, key.format, to: path)
                return path
            } catch let error as GscapError where error.isNameTaken {
                used = path
            }
        }
        throw GscapError(
            message: "no free name for a file was found; choose another location", place: names.folder)
    }

    /// The names of files at the location; nil without one.
    var fileNames: PhotoFileNames? {
        let location = settings.current.location
        return location.isEmpty ? nil : PhotoFileNames(location: location, formats: formats)
    }

    private func write(_ sample: Sample, _ format: PhotoBranchFormat, to path: String) throws {
        if format.isUncompressed {
            let bytes = try PictureFile.tiff(of: sample, at: element.runningTime)
            try bytes.withBytes { (bytes) throws(GscapError) in try WholeFile.write(bytes, to: path) }
        } else if let buffer = sample.buffer {
            try buffer.withBytes { (bytes) throws(GscapError) in try WholeFile.write(bytes, to: path) }
        }
    }
}
