internal import Waiting

// The formats and settings that captures may request. While the session runs, the answers are those of its pipeline;
// before, they are predicted from the session's camera.

extension PhotoOutput {
    /// Whether the camera has reported in the last five seconds that it computes a frame, as the simulated one does.
    package var isCameraComputing: Bool {
        guard let last = running?.lastWork else { return false }
        return WaitClock.current.now < last + .seconds(5)
    }

    // MARK: Formats

    /// Whether ProRAW can be enabled: the output is in a session that has a camera or a plan.
    public var isProRAWSupported: Bool { conditions.hasCamera }

    /// Enables ProRAW, or disables it, before the session starts; throws if it is not supported.
    public func setProRAWEnabled(_ isEnabled: Bool) throws(CaptureError) {
        if isEnabled, !isProRAWSupported {
            throw CaptureError(
                .proRAWNotSupported,
                "ProRAW needs a camera; add the output to a session with a CaptureDeviceInput or a plan first",
                place: "isProRAWEnabled")
        }
        isProRAWEnabled = isEnabled
    }

    /// The RAW formats that captures may request now.
    public var availableRAWFormats: Set<RAWPhotoFormat> {
        let conditions = conditions
        let formats: Set<RAWPhotoFormat> =
            if let plan = knownPlan {
                Set(RAWPhotoFormat.allCases.filter { plan.hasBranch(for: .raw($0)) })
            } else {
                conditions.isProRAWEnabled && conditions.hasCamera ? [.bayer, .proRAW] : [.bayer]
            }
        return conditions.isVirtual ? formats.subtracting([.bayer]) : formats
    }

    /// The processed formats that captures may request now; before the session starts, all whose encoders are
    /// installed.
    public var availableProcessedFormats: Set<ProcessedPhotoFormat> {
        let plan = knownPlan
        return Set(
            ProcessedPhotoFormat.allCases.filter { plan?.hasBranch(for: .processed($0)) ?? $0.hasElement })
    }

    /// The formats of uncompressed photos that captures may request now.
    public var availablePhotoPixelFormats: Set<ProcessedPhotoFormat> {
        availableProcessedFormats.filter(\.isUncompressed)
    }

    /// The compressions of the processed photos that captures may request now.
    public var availablePhotoCodecs: Set<PhotoCodec> { Set(availableProcessedFormats.compactMap(\.codec)) }

    /// The types of the files that captures may request now.
    public var availablePhotoFileTypes: Set<PhotoFileType> {
        Set(availableRAWFormats.map(\.fileType)).union(availableProcessedFormats.map(\.fileType))
    }

    /// Returns the processed formats, of those available now, whose photos are files of this type.
    public func supportedProcessedFormats(for fileType: PhotoFileType) -> Set<ProcessedPhotoFormat> {
        availableProcessedFormats.filter { $0.fileType == fileType }
    }

    /// Returns the RAW formats, of those available now, whose photos are files of this type.
    public func supportedRAWFormats(for fileType: PhotoFileType) -> Set<RAWPhotoFormat> {
        availableRAWFormats.filter { $0.fileType == fileType }
    }

    /// Returns the compressions of the processed photos, of those available now, that are files of this type.
    public func supportedPhotoCodecs(for fileType: PhotoFileType) -> Set<PhotoCodec> {
        Set(supportedProcessedFormats(for: fileType).compactMap(\.codec))
    }

    // MARK: Limits

    /// The size of the camera's frames, which is that of the photos; nil when unknown.
    public var maxPhotoDimensions: PhotoDimensions? { conditions.frameSize }

    /// The greatest number of exposures in a bracket of one frame each: 16, less if the memory for captures is too
    /// small. A bracket may have 64 frames in all.
    public var maxBracketedCapturePhotoCount: Int { conditions.maxExposures }

    /// The flash modes that captures may request.
    public var supportedFlashModes: Set<FlashMode> { conditions.hasFlash ? Set(FlashMode.allCases) : [.off] }

    /// The compressions of the previews embedded in RAW files.
    public var availableThumbnailCodecs: Set<PhotoCodec> { [.jpeg] }

    /// The largest size of the previews embedded in RAW files: that of the photos; nil when unknown.
    public var maxThumbnailDimensions: PhotoDimensions? { maxPhotoDimensions }

    /// Returns whether a feature is supported, with the reason if it is not.
    public func support(for feature: PhotoFeature) -> FeatureSupport { feature.support }
}
