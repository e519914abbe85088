extension PipelinePlan {
    /// The camera or the pipeline text for which photo settings are validated and resolved before a session runs.
    public struct Circumstances: Sendable {
        private let plan: PipelinePlan?
        private let conditions: CaptureConditions

        /// The circumstances of a pipeline text.
        public init(plan: PipelinePlan) {
            self.plan = plan
            let source = PhotoSource.plan(plan)
            var conditions = CaptureConditions(source)
            conditions.frameSize = source.frameSize
            self.conditions = conditions
        }

        /// The circumstances of a camera whose pipeline is composed from the settings.
        public init(device: CaptureDevice) {
            plan = nil
            conditions = CaptureConditions(device)
        }

        /// Returns every rule that the settings break, as the error that a capture would throw.
        public func brokenRules(of settings: PhotoSettings) -> [CaptureError] {
            CaptureRules.all(brokenBy: settings, plan: plan, conditions)
        }

        /// Returns the settings after all automatic choices. The photos of settings that break a rule are those that
        /// would be requested.
        public func resolved(_ settings: PhotoSettings) -> ResolvedPhotoSettings {
            let device = CaptureDevice.simulated()
            let composed = try? PipelinePlan(device: device, preview: nil, formats: settings.formats)
            return (plan ?? composed)?.resolve(settings, conditions).0
                ?? ResolvedPhotoSettings(
                    uniqueID: settings.uniqueID, frames: settings.burstFrames, exposures: settings.exposures,
                    formats: settings.formats, expectedPhotoCount: 0, momentTolerance: settings.momentTolerance,
                    fusionMode: settings.fusionMode)
        }
    }
}
