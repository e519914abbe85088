internal import GscapElements
internal import RawImage

extension PipelinePlan {
    /// Resolves photo settings for this plan; also returns the number of photos expected from each branch. `quality`
    /// replaces the quality prioritization of the settings.
    package func resolve(
        _ settings: PhotoSettings, _ conditions: CaptureConditions, at quality: PhotoQualityPrioritization? = nil
    ) -> (ResolvedPhotoSettings, owed: [String: Int]) {
        let requested = branches(for: settings)
        let quality = quality ?? settings.photoQualityPrioritization
        let frames = frames(of: settings, conditions, at: quality)
        let exposures = settings.exposures
        let owed = Dictionary(
            requested.map { branch in
                let photos = settings.everyFrame && branch.format == .raw(.bayer) ? frames : 1
                return (branch.name, exposures.count * photos + (settings.fusesBracket && branch.isFused ? 1 : 0))
            }
        ) { first, _ in first }
        var resolved = ResolvedPhotoSettings(
            uniqueID: settings.uniqueID, frames: frames, exposures: exposures, formats: requested.map(\.format),
            expectedPhotoCount: owed.values.reduce(0, +), momentTolerance: settings.momentTolerance,
            fusionMode: settings.takesAllBranches ? nil : quality.fusionMode)
        resolved.photoQualityPrioritization = settings.takesAllBranches ? textQuality : quality
        resolved.fusesBracket = settings.fusesBracket
        resolved.exposureBias = settings.exposureBias
        resolved.flashMode = settings.flashMode
        resolved.usesZeroShutterLag = settings.zeroShutterLag ?? conditions.usesZeroShutterLag
        resolved.details = settings.details
        resolved.cropFactor = conditions.cropFactor
        for branch in requested { resolve(branch, &resolved, settings, conditions) }
        if let format = settings.livePhotoFormat, conditions.livePhoto == .possible {
            resolved.livePhotoFormat = format
            resolved.livePhotoStill = settings.livePhotoStill
            resolved.livePhotoMovieDimensions = conditions.livePhotoDimensions
            if format == .pair { resolved.livePhotoContentIdentifier = .contentIdentifier() }
        }
        return (resolved, owed)
    }

    /// The quality prioritization that corresponds to the text's fusion mode; `speed` if it fuses nothing.
    private var textQuality: PhotoQualityPrioritization {
        PhotoQualityPrioritization.allCases.first { $0.fusionMode == fusionMode } ?? .speed
    }

    /// Returns the branches that deliver the photos of a capture.
    package func branches(for settings: PhotoSettings) -> [Branch] {
        branches.filter { branch in
            let isDeferred = branch.format.isOfDeferredDelivery
            return settings.takesAllBranches
                ? isDeferred == settings.isDeferred : settings.formats.contains(branch.format)
        }
    }

    /// Returns the number of frames for each exposure: that of the settings, or the default, which is less if a
    /// bracket's frames would not fit into the memory for captures.
    private func frames(
        of settings: PhotoSettings, _ conditions: CaptureConditions, at quality: PhotoQualityPrioritization
    ) -> Int {
        // Readiness is also computed for settings that break the rules; their products must not overflow.
        if let frames = settings.frames { return min(max(1, frames), CaptureRules.mostFrames) }
        let standard = settings.takesAllBranches ? burstFrames : settings.burstFrames(at: quality)
        if settings.bracket.isEmpty { return standard }
        return min(standard, max(1, conditions.maxFrames / settings.bracket.count))
    }

    /// Resolves what depends on the branch: the sizes, the quality and the colour space.
    private func resolve(
        _ branch: Branch, _ resolved: inout ResolvedPhotoSettings, _ settings: PhotoSettings,
        _ conditions: CaptureConditions
    ) {
        let frame = branch.hasFrameSize ? conditions.photoSize : nil
        switch branch.format {
        case .raw(let format):
            resolved.dimensions[branch.format] = frame ?? branch.dimensions
            var preview = conditions.previews[branch.name]
            if let side = settings.thumbnailLongestSide {
                preview = preview ?? DNGPreviewRenderer(isHalved: format == .bayer)
                preview?.longestSide = side
            } else if settings.halvesPreview(of: format) {
                preview?.isHalved = true
            }
            if let frame, let preview {
                let size = preview.size(width: frame.width, height: frame.height)
                resolved.thumbnailDimensions[format] = PhotoDimensions(width: size.width, height: size.height)
            }
        case .processed(let format):
            let isUpright = format.fileType == .openEXR && (settings.details.orientation ?? 1) > 4
            resolved.dimensions[branch.format] = (frame ?? branch.dimensions).map { isUpright ? $0.turned : $0 }
            let options = settings.processedOptions[format]
            resolved.processedOptions[format] = ProcessedPhotoOptions(
                quality: options?.quality ?? conditions.qualities[branch.name],
                colorSpace: options?.colorSpace ?? branch.colorSpace)
        case .proxy, .deferred, .other: break
        }
    }
}

extension PhotoSettings {
    /// Whether the preview in a RAW file has half the photo's size at most. Beside a finished picture it would be a
    /// second one of the same size, whose rendering takes as long as that of the first.
    func halvesPreview(of format: RAWPhotoFormat) -> Bool {
        thumbnailLongestSide == nil && format == .proRAW && !processedFormats.isEmpty
    }
}

extension String {
    /// Returns a new content identifier: a random UUID (RFC 9562, version 4).
    fileprivate static func contentIdentifier() -> String {
        let digits = Array("0123456789ABCDEF")
        var random = SystemRandomNumberGenerator()
        let number = (high: random.next() & ~0xF000 | 0x4000, low: random.next() & ~(3 << 62) | 2 << 62)
        let text = [number.high, number.low].flatMap { half in
            (0..<16).map { digits[Int(half >> (60 - 4 * $0) & 0xF)] }
        }
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return parts.map { String(text[$0]) }.joined(separator: "-")
    }
}

extension CaptureConditions {
    /// The size of the photos' pictures.
    fileprivate var photoSize: PhotoDimensions? {
        frameSize.map { frame in
            PhotoDimensions(width: frame.width * photoScale, height: frame.height * photoScale).zoomed(by: cropFactor)
        }
    }
}

extension PhotoDimensions {
    /// The size of the part of the picture that a zoom shows.
    fileprivate func zoomed(by factor: Double) -> PhotoDimensions {
        let area = PixelRectangle(width: width, height: height, zoomedBy: factor)
        return PhotoDimensions(width: area.width, height: area.height)
    }

    /// The size of the picture turned by 90°.
    fileprivate var turned: PhotoDimensions { PhotoDimensions(width: height, height: width) }
}
