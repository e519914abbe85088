internal import RawImage

/// The pipeline of a camera of a virtual device.
struct ConstituentPlan: Sendable, Equatable {
    /// The identifier of the camera.
    let uniqueID: String
    /// The name of the camera in messages.
    let name: String
    let calibration: CameraCalibration
    /// The zoom factor from which the camera is active: 1 for the primary one.
    let switchOverFactor: Double
    /// The plan; nil for the primary constituent, whose plan is that of the session.
    let plan: PipelinePlan?

    /// Whether the camera is the primary one, without which the session takes no photos.
    var isPrimary: Bool { plan == nil }

    /// Returns an error of the camera's photos with the camera's name in its place, and whether it concerns that camera
    /// alone. A refusal for lack of memory and a cancellation concern the capture as a whole and stay as they are.
    func named(_ error: CaptureError) -> CaptureError {
        if [.busy, .cancelled].contains(error.code) { return error }
        var named = error
        named.place = error.place.isEmpty ? name : "\(name): \(error.place)"
        if !isPrimary { named.cause = ConstituentFailure(cause: error.cause) }
        return named
    }

    static func == (left: ConstituentPlan, right: ConstituentPlan) -> Bool {
        left.uniqueID == right.uniqueID && left.calibration == right.calibration
            && left.plan?.launchText == right.plan?.launchText
    }
}

extension SessionConfiguration {
    /// Returns the plans of the cameras of a virtual device, the primary one first; empty for any other source. They
    /// have the branches of the session's plan, without movies and with a sink of frames in place of previews.
    func constituentPlans() throws(CaptureError) -> [ConstituentPlan] {
        guard plan == nil, let constituents = input?.device.constituents else { return [] }
        let formats = photos.formats.filter { !$0.isOfDeferredDelivery }
        let factors = [1] + (input?.device.virtualDeviceSwitchOverVideoZoomFactors ?? [])
        let frames: [FrameOutput.Format] = previews.isEmpty ? [] : [.raw]
        return try zip(constituents, factors).enumerated().map { index, camera throws(CaptureError) in
            let (constituent, factor) = camera
            var device = constituent.device
            device.activeFormat = device.format(for: preset)
            return ConstituentPlan(
                uniqueID: device.uniqueID, name: device.localizedName, calibration: constituent.calibration,
                switchOverFactor: factor,
                plan: index == 0
                    ? nil : try PipelinePlan(device: device, previews: [], frames: frames, formats: formats))
        }
    }
}
