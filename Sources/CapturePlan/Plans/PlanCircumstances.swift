internal import GscapElements

extension PipelinePlan {
    /// The camera or the pipeline text for which photo settings are validated and resolved before a session runs.
    public struct Circumstances: Sendable {
        private let plan: PipelinePlan?
        private let conditions: CaptureConditions
        /// The camera; nil for a pipeline text.
        private let device: CaptureDevice?

        /// The circumstances of a pipeline text.
        public init(plan: PipelinePlan) {
            self.plan = plan
            device = nil
            let source = PhotoSource.plan(plan)
            var conditions = CaptureConditions(source)
            conditions.frameSize = source.frameSize
            self.conditions = conditions
        }

        /// The circumstances of a camera whose pipeline is composed from the settings.
        public init(device: CaptureDevice) {
            plan = nil
            self.device = device
            conditions = CaptureConditions(device)
        }

        /// Returns every rule that the settings break, as the error that a capture would throw.
        public func brokenRules(of settings: PhotoSettings) -> [CaptureError] {
            CaptureRules.all(brokenBy: settings, plan: plan, conditions)
        }

        /// Returns the settings after all automatic choices. The photos of settings that break a rule are those that
        /// would be requested.
        public func resolved(_ settings: PhotoSettings) -> ResolvedPhotoSettings {
            let choice = device?.choice(for: settings, conditions)
            let simulated = CaptureDevice.simulated()
            let composed = try? PipelinePlan(device: simulated, preview: nil, formats: settings.formats)
            guard var resolved = (plan ?? composed)?.resolve(settings, choice?.conditions ?? conditions).0 else {
                return ResolvedPhotoSettings(
                    uniqueID: settings.uniqueID, frames: settings.burstFrames, exposures: settings.exposures,
                    formats: settings.formats, expectedPhotoCount: 0, momentTolerance: settings.momentTolerance,
                    fusionMode: settings.fusionMode)
            }
            if let choice {
                (resolved.constituents, resolved.fusedConstituents) = (choice.cameras, choice.fused)
                resolved.expectedPhotoCount *= max(1, choice.cameras.count)
            }
            return resolved
        }
    }
}

extension CaptureDevice {
    /// The cameras of a virtual device that take a capture, and the conditions of its photos.
    fileprivate struct Choice {
        var conditions: CaptureConditions
        var cameras: [String] = []
        var fused: [String] = []
    }

    /// Returns the cameras that the settings name or the zoom factor selects, as in a session whose cameras all work;
    /// nil for a capture that always is of the primary camera.
    fileprivate func choice(for settings: PhotoSettings, _ conditions: CaptureConditions) -> Choice? {
        guard isVirtual, !settings.isOfPrimaryCamera else { return nil }
        let names = constituents.map(\.device.uniqueID)
        var choice = Choice(conditions: conditions)
        choice.conditions.cropFactor = 1
        choice.cameras = names.filter(settings.constituents.contains)
        if !choice.cameras.isEmpty { return choice }
        let active = CameraChoice(
            at: videoZoomFactor, switchOverFactors: [1] + virtualDeviceSwitchOverVideoZoomFactors)
        choice.conditions.cropFactor = active.cropFactor
        choice.conditions.frameSize = PhotoSource.device(constituents[active.camera].device).frameSize
        if active.camera > 0 { choice.cameras = [names[active.camera]] }
        if settings.fusesConstituents, active.camera + 1 < names.count {
            choice.conditions.photoScale = ConstituentPair.photoScale
            choice.fused = Array(names[active.camera...active.camera + 1])
        }
        return choice
    }
}
