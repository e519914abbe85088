internal import CaptureSettings

extension CaptureRules {
    /// The rules of deferred delivery.
    var deferredDelivery: CaptureError? {
        guard settings.isDeferred else { return nil }
        if let plan, !plan.hasBranch(for: .deferred) {
            return CaptureError(
                .deferredDeliveryNotEnabled, .deferred,
                "the output has no folder for deferred photos; set deferredFolder before the session starts")
        }
        if settings.takesAllBranches {
            return CaptureError(
                .deferredDeliveryNotSupported, .deferred,
                "a pipeline text does not say how to finish a deferred photo; request formats instead")
        }
        if settings.finalFormats.isEmpty {
            return CaptureError(.nothingRequested, "the settings request no format; add a RAW or a processed format")
        }
        if !settings.bracket.isEmpty || settings.everyFrame {
            return CaptureError(
                .deferredDeliveryNotSupported, .deferred,
                "the photos of a bracket, or of every frame, cannot be deferred")
        }
        if let name = settings.deferredName, name.isEmpty || name.contains("/") || name.hasPrefix(".") {
            return CaptureError(
                .deferredDeliveryNotSupported, .deferredName,
                "\"\(name)\" is no name for a folder: leave out / and . at its start")
        }
        var final = settings
        final.isDeferred = false
        return CaptureRules.broken(by: final, plan: nil, conditions)
    }
}
