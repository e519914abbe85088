package import GStreamer
internal import RawImage
internal import Waiting

// The request that is sent to the shutter's signal `capture`.

extension PipelinePlan {
    /// Returns the structure of the shutter's signal `capture` for settings that were resolved for this plan.
    package func request(_ settings: PhotoSettings, _ resolved: ResolvedPhotoSettings) -> Structure {
        var request = Structure(
            "capture", ["id": .uint64(resolved.uniqueID), "frames": .int(Int32(clamping: resolved.frames))])
        request["receipt-id"] = settings.receiptID.map(Value.uint64)
        request["fusion-mode"] = resolved.fusionMode.map { .string($0.rawValue) }
        request["tolerance"] = resolved.momentTolerance.map { .double($0.inSeconds) }
        request["zero-shutter-lag"] = settings.zeroShutterLag.map(Value.boolean)
        if !settings.everyFrame { request["every-frame"] = .boolean(false) }
        if settings.processingPriority != .normal {
            request["priority"] = .string(settings.processingPriority.rawValue)
        }
        if settings.flashMode != .off { request["flash"] = .string(settings.flashMode.rawValue) }
        setExposure(&request, settings)
        settings.details.fill(&request)
        if resolved.cropFactor > 1 { request["crop-factor"] = .double(resolved.cropFactor) }
        if case .temperature(let kelvin, let tint)? = settings.whiteBalance {
            request["white-temperature"] = .double(kelvin)
            request["white-tint"] = .double(tint)
        }
        let values = elementSettings(settings, resolved)
        if !values.fields.isEmpty { request["settings"] = .structure(values) }
        return request
    }

    private func setExposure(_ request: inout Structure, _ settings: PhotoSettings) {
        if settings.bracket.isEmpty {
            request["exposure-time"] = settings.exposureTime.map(Value.double)
            request["iso"] = settings.iso.map(Value.double)
            if settings.exposureBias != 0 { request["exposure-bias"] = .double(settings.exposureBias) }
        } else {
            request["bracket"] = .array(settings.bracket.map { .structure($0.structure) })
            if settings.fusesBracket { request["fuse-bracket"] = .boolean(true) }
        }
    }

    /// Returns the property values for this capture alone: a structure for each element that has some.
    func elementSettings(_ settings: PhotoSettings, _ resolved: ResolvedPhotoSettings) -> Structure {
        var elements = Structure("settings")
        func set(_ property: String, of element: String?, _ value: Value?) {
            guard let element, let value else { return }
            var values = Structure("values")
            if case .structure(let present)? = elements[element] { values = present }
            values[property] = value
            elements[element] = .structure(values)
        }
        let branches = branches(for: settings)
        if !branches.contains(where: { $0.format == .raw(.proRAW) }) {
            // Only the linear DNG needs a linear photo. Rendering a mosaic takes less time and memory.
            for branch in branches { set("demosaic", of: branch.fusion, .boolean(false)) }
        }
        for branch in branches {
            switch branch.format {
            case .raw(let format):
                let longest = resolved.thumbnailDimensions[format]?.longestSide
                let side =
                    settings.halvesPreview(of: format)
                    ? longest : settings.thumbnailLongestSide.map { min($0, longest ?? Int(UInt16.max)) }
                set("preview-size", of: branch.encoder, side.map { .int(Int32(clamping: $0)) })
            case .processed(let format):
                let options = settings.processedOptions[format]
                let isStill = resolved.livePhotoStill == format
                set(
                    "content-identifier", of: branch.encoder,
                    isStill ? resolved.livePhotoContentIdentifier.map(Value.string) : nil)
                set("quality", of: branch.encoder, options?.quality.map(Value.double))
                guard branch.supportedColorSpaces.count > 1 else { continue }
                set("color-space", of: branch.look, options?.colorSpace.map { .string($0.elementText) })
            case .proxy, .deferred, .other: break
            }
        }
        return elements
    }
}

extension ColorSpace {
    /// The value of rawdevelop's property `color-space`.
    fileprivate var elementText: String { self == .sRGB ? "srgb" : rawValue }
}

extension BracketExposure {
    /// The exposure in a capture request.
    fileprivate var structure: Structure {
        var structure = Structure("exposure")
        switch self {
        case .bias(let bias): structure["exposure-bias"] = .double(bias)
        case .manual(let time, let iso):
            structure["exposure-time"] = time.map(Value.double)
            structure["iso"] = iso.map(Value.double)
        }
        return structure
    }
}

extension ShotDetails {
    /// Sets the details in a capture request.
    fileprivate func fill(_ request: inout Structure) {
        request["artist"] = artist.map(Value.string)
        request["title"] = title.map(Value.string)
        request["copyright"] = copyright.map(Value.string)
        request["orientation"] = orientation.map { .int(Int32(clamping: $0)) }
        request["latitude"] = location.map { .double($0.latitude) }
        request["longitude"] = location.map { .double($0.longitude) }
        request["altitude"] = location?.altitude.map(Value.double)
    }
}
