internal import CaptureSettings

// The rules about the options of processed formats and about thumbnails.

extension CaptureRules {
    var options: CaptureError? {
        for case .processed(let format) in formats {
            guard let options = settings.processedOptions[format] else { continue }
            if let broken = broken(options.quality, of: format) ?? broken(options.colorSpace, of: format) {
                return broken
            }
        }
        return sharedLook
    }

    private func branches(of format: ProcessedPhotoFormat) -> [PipelinePlan.Branch] {
        plan?.branches.filter { $0.format == .processed(format) } ?? []
    }

    private func broken(_ quality: Double?, of format: ProcessedPhotoFormat) -> CaptureError? {
        guard let quality else { return nil }
        let place = "processedOptions[\(format.rawValue)].quality"
        guard format.hasQuality else {
            return CaptureError(
                .compressionQualityNotSupported, .quality,
                "\(format.summary) has no quality setting for one capture: leave it out", place: place)
        }
        guard (0...1).contains(quality) else {
            return CaptureError(
                .compressionQualityOutOfRange, .quality, "a compression quality is from 0 to 1, not \(quality)",
                place: place)
        }
        guard branches(of: format).contains(where: { $0.encoder == nil }) else { return nil }
        return CaptureError(
            .compressionQualityNotSupported, .quality,
            """
            the pipeline's encoder of \(format.summary) has no quality for one capture: leave it out, or use \
            \(format.ownEncoder ?? "an encoder of gscap")
            """, place: place)
    }

    private func broken(_ space: ColorSpace?, of format: ProcessedPhotoFormat) -> CaptureError? {
        guard let space else { return nil }
        let place = "processedOptions[\(format.rawValue)].colorSpace"
        guard format.supportedColorSpaces.contains(space) else {
            let names = ColorSpace.allCases.filter(format.supportedColorSpaces.contains).map(\.rawValue)
            return CaptureError(
                .colorSpaceNotSupported, .colorSpace,
                """
                \(format.summary) cannot have the colour space \(space.rawValue): choose \
                \(names.joined(separator: " or "))
                """, place: place)
        }
        guard let branch = branches(of: format).first(where: { !$0.supportedColorSpaces.contains(space) }) else {
            return nil
        }
        return CaptureError(
            .colorSpaceNotSupported, .colorSpace,
            """
            the pipeline's branch of \(format.summary) has the colour space \(branch.colorSpace.rawValue) only: leave \
            it out
            """, place: place)
    }

    /// Branches behind one rawdevelop have the same colour space.
    private var sharedLook: CaptureError? {
        var chosen: [String: (space: ColorSpace, isRequested: Bool)] = [:]
        for branch in plan?.branches ?? [] where formats.contains(branch.format) {
            guard let look = branch.look else { continue }
            let space = settings.colorSpace(of: branch) ?? branch.colorSpace
            let isRequested = settings.colorSpace(of: branch) != nil
            if let (other, isOtherRequested) = chosen[look], other != space, isRequested || isOtherRequested {
                return CaptureError(
                    .optionsConflict,
                    "\(branch.format.summary) and another format are rendered by the same element and have the colour "
                        + "spaces \(space.rawValue) and \(other.rawValue): request one of them for both", place: look)
            }
            chosen[look] = (space, isRequested)
        }
        return nil
    }
}

extension PhotoSettings {
    /// Returns the colour space requested for a branch's photos; nil if none is.
    func colorSpace(of branch: PipelinePlan.Branch) -> ColorSpace? {
        guard case .processed(let format) = branch.format else { return nil }
        return processedOptions[format]?.colorSpace
    }
}
