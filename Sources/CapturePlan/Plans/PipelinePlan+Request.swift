internal import CaptureSettings
package import GStreamer
internal import RawImage

// The request that is sent to the shutter's signal `capture`.

extension PipelinePlan {
    /// Returns the structure of the shutter's signal `capture` for settings that were resolved for this plan.
    package func request(_ settings: PhotoSettings, _ resolved: ResolvedPhotoSettings) -> Structure {
        var request = settings.structure("capture", PhotoSetting.request)
        request["id"] = .uint64(resolved.uniqueID)
        request["receipt-id"] = settings.receiptID.map(Value.uint64)
        request["frames"] = .int(Int32(clamping: resolved.frames))
        request["fusion-mode"] = resolved.fusionMode.map { .string($0.rawValue) }
        request["every-frame"] = .boolean(settings.everyFrame)
        if resolved.cropFactor > 1 { request["crop-factor"] = .double(resolved.cropFactor) }
        let values = elementSettings(settings, resolved)
        if !values.fields.isEmpty { request["settings"] = .structure(values) }
        return request
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
                set("color-space", of: branch.look, options?.colorSpace.map { .string($0.settingText) })
            case .proxy, .deferred, .other: break
            }
        }
        return elements
    }
}
