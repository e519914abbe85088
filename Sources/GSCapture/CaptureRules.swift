internal import RawImage

/// The validation of photo settings before a capture starts.
package struct CaptureRules {
    let settings: PhotoSettings
    /// The formats of the photos that the capture would deliver.
    let formats: [PhotoFormat]
    /// The plan of the session's pipeline; nil before there is one.
    let plan: PipelinePlan?
    let conditions: CaptureConditions

    /// The greatest number of frames in all exposures of a capture.
    static let mostFrames = 64
    /// The greatest number of exposures in a bracket.
    static let mostExposures = 16
    /// The greatest number of exposures in a bracket that is fused.
    static let mostFusedExposures = 9
    /// The largest exposure bias in EV, above and below 0.
    static let mostBias = 20.0

    init(_ settings: PhotoSettings, _ plan: PipelinePlan?, _ conditions: CaptureConditions) {
        self.settings = settings
        self.plan = plan
        self.conditions = conditions
        formats = settings.takesAllBranches ? plan?.branches.map(\.format) ?? [] : settings.formats
    }

    /// Returns the first rule that the settings violate under these conditions; nil if they are valid. `plan` is nil
    /// before the session's pipeline is known.
    package static func broken(
        by settings: PhotoSettings, plan: PipelinePlan?, _ conditions: CaptureConditions
    ) -> CaptureError? {
        all(brokenBy: settings, plan: plan, conditions).first
    }

    /// Returns all rules that the settings violate under these conditions, in the order of the checks.
    package static func all(
        brokenBy settings: PhotoSettings, plan: PipelinePlan?, _ conditions: CaptureConditions
    ) -> [CaptureError] {
        let rules = CaptureRules(settings, plan, conditions)
        let formats = [rules.request, rules.deferredDelivery, rules.quality, rules.rawFormats, rules.availability]
        let cameras = [rules.constituents, rules.livePhoto, rules.zoom]
        let files = [rules.whiteBalance, rules.options, rules.orientation, rules.location, rules.features]
        let checks = formats + [rules.frames, rules.tolerance] + rules.bracket + cameras + rules.exposure + files
        return checks.compactMap(\.self)
    }

    // MARK: Frames

    private var frames: CaptureError? {
        if let frames = settings.frames, !(1...Self.mostFrames).contains(frames) {
            return CaptureError(
                .framesOutOfRange, "a burst has 1 to \(Self.mostFrames) frames, not \(frames)", place: "frames")
        }
        return nil
    }

    private var tolerance: CaptureError? {
        if let tolerance = settings.momentTolerance, tolerance < .zero {
            return CaptureError(
                .toleranceOutOfRange, "the tolerance is \(tolerance); set a time from 0", place: "momentTolerance")
        }
        return nil
    }

    // MARK: Details and features

    private var orientation: CaptureError? {
        if let orientation = settings.details.orientation, !(1...8).contains(orientation) {
            return CaptureError(
                .orientationOutOfRange, "an Exif orientation is from 1 to 8, not \(orientation)",
                place: "details.orientation")
        }
        return nil
    }

    private var location: CaptureError? {
        guard let place = settings.details.location,
            Location(latitude: place.latitude, longitude: place.longitude, altitude: place.altitude) == nil
        else { return nil }
        return CaptureError(
            .locationOutOfRange,
            "a latitude is from -90 to 90, a longitude from -180 to 180, and an altitude a number: not "
                + "\(place.latitude), \(place.longitude), \(place.altitude.map { "\($0)" } ?? "unknown")",
            place: "details.location")
    }

    private var features: CaptureError? {
        for feature in PhotoFeature.allCases where settings.features.contains(feature) {
            let support = feature.support
            if support.isSupported { continue }
            return CaptureError(
                .featureNotSupported, "this feature is not available: \(support.reason)", place: feature.rawValue)
        }
        return nil
    }
}
