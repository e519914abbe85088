internal import KernelTypes
internal import PixelMemory
public import RawImage

/// Fuses a photo of a wide lens with one of a tele lens, taken at the same moment: where both see the scene, the photo
/// shows the tele's detail.
///
/// The calibrations of the cameras give the tele pixel that shows the same direction as a wide pixel. The shift between
/// the views that remains, because the lenses are at different positions, is searched tile by tile. The tele's colours
/// and brightness are matched to the wide's. Where the photos then agree within their noise, the wide pixels are
/// averaged with the tele's, and the tele's finer structure is added. Elsewhere (hidden behind something near, moved,
/// out of focus, saturated) the photo shows the wide's pixels, enlarged.
public struct WideTeleFusion: Sendable {
    /// The settings of the fusion.
    public struct Options: Sendable, Hashable {
        /// The size of the photo relative to the wide one.
        public var scale: SuperResolutionScale
        /// Distance in millimetres of the nearest things in the scene, which bounds the search of shifts.
        public var nearest: Double
        /// How strongly the two photos may deviate beyond their noise, 0…4; 0 uses the wide photo alone.
        public var strength: Double

        /// Creates settings, by default for a photo of twice the wide's width and height.
        public init(scale: SuperResolutionScale = .two, nearest: Double = 400, strength: Double = 1) {
            self.scale = scale
            self.nearest = nearest
            self.strength = strength
        }
    }

    /// What the fusion found.
    public struct Report: Sendable, Hashable {
        /// The fraction of the photo that the tele lens sees.
        public var seenFraction = 0.0
        /// The fraction of the photo in which the tele's pixels were used.
        public var usedFraction = 0.0
        /// The greatest shift between the views beyond that of the calibrations, in pixels of the wide photo.
        public var largestShift = 0.0
        /// The factor from the tele's brightness to the wide's.
        public var gain = 1.0
        /// Whether the tele sees so few pixels of the wide photo that the fusion often finds too little agreement,
        /// whatever the photos show.
        public var seesFewPixels = false
    }

    /// The smallest fraction of the strong structure that the tele sees in which the photos must agree. With less, the
    /// tele shows another scene or is out of focus; then nothing of it is used. Smooth areas do not count: they agree
    /// also if the tele is out of focus, and behind near things, which hide more of the scene the farther apart the
    /// lenses are, they may not.
    private static let leastStructure = 0.34
    /// The smallest fraction of all that the tele sees in which the photos must agree if hardly any of it has strong
    /// structure: less than this part.
    private static let (leastAgreement, littleStructure) = (0.4, 0.01)

    /// The number of pixels below which the tele sees few. With 20,000 and less, photos of the simulated cameras, which
    /// show the same scene, are often not fused.
    private static let fewPixels = 40_000

    /// How often the shifts are corrected with the tele's pixels at the shifts found.
    private static let corrections = 2

    private let wide: LinearImage
    private let tele: LinearImage
    private let cameras: TeleCameras
    private let options: Options
    private let cores: Int?
    private let latch: CancelLatch

    /// Creates the fusion of two photos whose metadata state the calibration of their cameras or, at least, the focal
    /// lengths in terms of 35 mm film.
    public init(
        wide: LinearImage, tele: LinearImage, options: Options = Options(), cores: Int? = nil,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(GscapError) {
        self.wide = wide
        self.tele = tele
        self.options = options
        self.cores = cores
        latch = CancelLatch(isCancelled)
        cameras = TeleCameras(
            wide: try Self.calibration(of: wide, "wide"), tele: try Self.calibration(of: tele, "tele"))
        guard (0...4).contains(options.strength), options.nearest > 0, options.nearest.isFinite else {
            throw GscapError(.badOptions, "the strength must be 0 to 4, and the nearest distance above 0 mm")
        }
        guard cameras.magnification > Self.leastMagnification else {
            throw GscapError(.badOptions, Self.problem(ofMagnification: cameras.magnification))
        }
    }

    /// The least ratio of the tele photo's pixels in an angle to the wide photo's.
    private static let leastMagnification = 1.05

    private static func problem(ofMagnification magnification: Double) -> String {
        let times = (magnification * 100).rounded() / 100
        let isReversed = magnification < 1 / leastMagnification
        return "the tele photo shows no finer detail than the wide one: it has \(times) times its pixels in an angle"
            + (isReversed ? "; is it the photo of the wider lens?" : ", and \(leastMagnification) is the least")
    }

    /// Returns the calibration of a photo's camera for the photo's size.
    private static func calibration(of photo: LinearImage, _ name: String) throws(GscapError) -> CameraCalibration {
        if let problem = photo.metadata.problem { throw GscapError(.badFrame, "the \(name) photo: \(problem)") }
        let (width, height) = (photo.format.width, photo.format.height)
        guard width >= 64, height >= 64 else {
            throw GscapError(.badFrame, "the \(name) photo of \(width)×\(height) pixels is too small; 64 is the least")
        }
        if let calibration = photo.metadata.calibration {
            if let problem = calibration.problem { throw GscapError(.badFrame, "the \(name) photo: \(problem)") }
            return calibration.scaled(width: width, height: height)
        }
        let focalLength = photo.metadata.details.ofWholePicture.focalLengthIn35mm
        guard focalLength > 0 else {
            throw GscapError(
                .badFrame,
                "the \(name) photo states neither the calibration of its camera nor its focal length in 35 mm")
        }
        return CameraCalibration(width: width, height: height, focalLengthIn35mm: focalLength)
    }

    /// Returns the fused photo, and a report.
    public func photo() throws(GscapError) -> (photo: LinearImage, report: Report) {
        var report = Report()
        let view = TeleView(wide: wide, tele: tele, cameras: cameras)
        var field: TeleField?
        report.seesFewPixels = wide.format.width * wide.format.height < Self.fewPixels
        if let area = cameras.area(nearest: options.nearest), options.strength > 0 {
            field = try blended(area, view, &report)
        }
        try latch.check()
        let values = TeleEnlargement(view: view, field: field, scale: options.scale, cores: cores).values()
        do throws(GscapError) {
            let format = LinearFormat(
                width: options.scale.pixels(wide.format.width), height: options.scale.pixels(wide.format.height))
            return (try LinearImage(format: format, metadata: metadata(format, report), values: values), report)
        } catch {
            throw GscapError(.badFrame, error.message)
        }
    }

    /// Registers the photos in the area that the tele sees, and blends their pixels there. Returns nil if the photos
    /// agree in too little of it.
    private func blended(
        _ area: PixelRectangle, _ view: TeleView, _ report: inout Report
    ) throws(GscapError) -> TeleField? {
        var field = TeleField(view, area, cores: cores)
        var flow = TeleRegistration(field: field, nearest: options.nearest, cores: cores).flow()
        try latch.check()
        field.project(flow)
        for _ in 0..<Self.corrections {
            try latch.check()
            flow = TeleRegistration(field: field, nearest: options.nearest, cores: cores).corrected(flow)
            field.project(flow)
        }
        let colors = TeleColorMatch(field)
        field.match(colors)
        try latch.check()
        let noise = TeleNoiseModel(view, gain: colors.gain, strength: options.strength).kernel
        let agreement = field.blend(noise, flow)
        let (pixels, seen) = (Double(wide.format.width * wide.format.height), Double(field.seenCount))
        report.seenFraction = seen / pixels
        report.seesFewPixels = field.seenCount < Self.fewPixels
        report.largestShift = flow.largestShift
        report.gain = colors.gain
        guard Self.showsSameScene(agreement, seen: seen) else { return nil }
        report.usedFraction = agreement.used / pixels
        return field
    }

    /// Whether the photos agree in so much of the pixels that the tele sees that both show the same scene in focus.
    private static func showsSameScene(_ agreement: TeleField.Agreement, seen: Double) -> Bool {
        agreement.structured < littleStructure * seen
            ? agreement.agreeing >= leastAgreement * seen
            : agreement.agreeingStructured >= leastStructure * agreement.structured
    }

    /// Returns the metadata of the fused photo: that of the whole wide one, for another size. The report of the fusion
    /// of its frames, or a new one without frames, states the use of the tele.
    private func metadata(_ format: LinearFormat, _ report: Report) -> FrameMetadata {
        var metadata = wide.metadata
        metadata.details = metadata.details.ofWholePicture
        metadata.calibration = cameras.wide.scaled(width: format.width, height: format.height)
        metadata.sensorDigests += tele.metadata.sensorDigests
        metadata.history.merge(tele.metadata.history)
        var fusion = metadata.fusion ?? FusionReport()
        fusion.teleUsedFraction = report.usedFraction
        fusion.teleEnlargement = min(2, (fusion.teleEnlargement ?? 1) * options.scale.factor)
        metadata.fusion = fusion
        let factor = Double(format.width) / Double(wide.format.width)
        metadata.lens.shading = metadata.lens.shading.map { $0.enlarged(by: factor) }
        return metadata
    }
}
