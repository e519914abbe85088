import GSCapture
import RawImage
import Testing

/// Each rule for photo settings has its own error, raised before anything is captured.
@Suite struct PhotoRulesTests {
    /// Settings, and the conditions under which they are checked.
    struct Situation {
        var settings: PhotoSettings
        var conditions = CaptureConditions()
    }

    /// A change that makes valid settings violate one rule.
    struct Row: Sendable, CustomTestStringConvertible {
        let code: CaptureError.Code
        var raw: Set<RAWPhotoFormat> = []
        var processed: Set<ProcessedPhotoFormat> = [.jpeg]
        var change: @Sendable (inout Situation) -> Void = { _ in }

        var testDescription: String { code.rawValue }
    }

    static let rows: [Row] = formats + brackets + exposures + options + details

    static let formats: [Row] = [
        Row(code: .nothingRequested, processed: []),
        Row(code: .qualityNotAllowed) {
            $0.conditions.maxQuality = .speed
        },
        Row(code: .proRAWNotEnabled, raw: [.proRAW]) {
            $0.conditions.isProRAWEnabled = false
        },
        Row(code: .proRAWNotSupported, raw: [.proRAW]) {
            $0.conditions.hasCamera = false
        },
        Row(code: .bayerRAWOnVirtualDevice, raw: [.bayer]) {
            $0.conditions.isVirtual = true
        },
        Row(code: .bayerRAWNeedsSpeed, raw: [.bayer]) { $0.settings.photoQualityPrioritization = .quality },
        Row(code: .bayerRAWWithStabilization, raw: [.bayer]) { $0.settings.features = [.lensStabilization] },
        Row(code: .proRAWWithLivePhoto, raw: [.proRAW]) { $0.settings.livePhotoFormat = .pair },
        Row(code: .livePhotoNotEnabled) {
            $0.conditions.livePhoto = .notEnabled
            $0.settings.livePhotoFormat = .pair
        },
        Row(code: .movieInProgress) {
            $0.conditions.livePhoto = .recordingMovie
            $0.settings.livePhotoFormat = .pair
        },
        Row(code: .livePhotoNotSupported, processed: [.png]) { $0.settings.livePhotoFormat = .pair },
        Row(code: .livePhotoNotSupported, processed: [.heif]) { $0.settings.livePhotoFormat = .motionPhoto },
        Row(code: .livePhotoNotSupported) {
            $0.settings.livePhotoFormat = .pair
            $0.settings.bracket = [.bias(-1), .bias(1)]
        },
        Row(code: .livePhotoNotSupported) {
            $0.settings.livePhotoFormat = .motionPhoto
            $0.settings.isDeferred = true
        },
        Row(code: .rawWithDepthData, raw: [.bayer]) { $0.settings.features = [.depthData] },
        Row(code: .rawWithDepthData, raw: [.proRAW]) { $0.settings.features = [.depthData] },
        Row(code: .rawWithDistortionCorrection, raw: [.bayer]) {
            $0.settings.features = [.contentAwareDistortionCorrection]
        },
        Row(code: .rawWithDistortionCorrection, raw: [.proRAW]) {
            $0.settings.features = [.contentAwareDistortionCorrection]
        },
    ]

    static let brackets: [Row] = [
        Row(code: .bracketTooLong) { $0.settings.bracket = Array(repeating: .bias(1), count: 17) },
        Row(code: .bracketTooLong) {
            $0.settings.bracket = [.bias(-2), .bias(0), .bias(2)]
            $0.settings.frames = 22
        },
        // Four frames of 12 megapixels need 98 MB.
        Row(
            code: .bracketTooLong
        ) {
            $0.conditions.frameSize = PhotoDimensions(width: 4032, height: 3024)
            $0.conditions.memoryBudget = 80 << 20
            $0.settings.bracket = Array(repeating: .bias(1), count: 4)
        },
        Row(code: .bracketTooLong) {
            $0.settings.bracket = Array(repeating: .bias(1), count: 10)
            $0.settings.fusesBracket = true
        },
        Row(code: .bracketMixed) { $0.settings.bracket = [.bias(0), .manual(exposureTime: 0.01, iso: 100)] },
        Row(code: .bracketWithFlash) {
            $0.conditions.hasFlash = true
            $0.settings.bracket = [.bias(-1), .bias(1)]
            $0.settings.flashMode = .on
        },
        Row(code: .nothingToFuse) { $0.settings.fusesBracket = true },
        Row(code: .nothingToFuse, raw: [.bayer], processed: []) {
            $0.settings.bracket = [.bias(-1), .bias(1)]
            $0.settings.fusesBracket = true
        },
        Row(code: .exposureSetTwice) {
            $0.settings.bracket = [.bias(-1), .bias(1)]
            $0.settings.exposureTime = 0.01
        },
    ]

    static let exposures: [Row] = [
        Row(code: .exposureSetTwice) {
            $0.settings.exposureTime = 0.01
            $0.settings.iso = 100
            $0.settings.exposureBias = 1
        },
        Row(code: .exposureTimeOutOfRange) { $0.settings.exposureTime = 0 },
        Row(code: .exposureTimeOutOfRange) { $0.settings.exposureTime = .nan },
        Row(code: .exposureTimeOutOfRange) { $0.settings.exposureTime = .infinity },
        Row(code: .exposureTimeOutOfRange) {
            $0.conditions.exposureTimes = 1e-4...1
            $0.settings.exposureTime = 2
        },
        Row(code: .exposureTimeOutOfRange) {
            $0.conditions.exposureTimes = 1e-4...1

            $0.settings.bracket = [.manual(exposureTime: 0.1, iso: nil), .manual(exposureTime: 1e-5, iso: nil)]
        },
        Row(code: .isoOutOfRange) { $0.settings.iso = -100 },
        Row(code: .isoOutOfRange) {
            $0.conditions.isos = 50...6400
            $0.settings.iso = 25
        },
        Row(code: .isoOutOfRange) {
            $0.conditions.isos = 50...6400

            $0.settings.bracket = [.manual(exposureTime: nil, iso: 12_800)]
        },
        Row(code: .exposureBiasOutOfRange) { $0.settings.exposureBias = .nan },
        Row(code: .exposureBiasOutOfRange) { $0.settings.bracket = [.bias(-21)] },
        Row(code: .whiteBalanceOutOfRange) { $0.settings.whiteBalance = .temperature(900, tint: 0) },
        Row(code: .whiteBalanceOutOfRange) { $0.settings.whiteBalance = .temperature(.nan, tint: 0) },
        Row(code: .whiteBalanceOutOfRange) { $0.settings.whiteBalance = .temperature(5000, tint: .infinity) },
        Row(code: .whiteBalanceOutOfRange) { $0.settings.whiteBalance = .temperature(5000, tint: 501) },
        Row(code: .whiteBalanceNotSupported) { $0.settings.whiteBalance = .chromaticity(x: 0.3, y: 0.3) },
        Row(code: .whiteBalanceNotSupported) { $0.settings.whiteBalance = .neutral([0.5, 1, 0.5]) },
        Row(code: .flashNotSupported) { $0.settings.flashMode = .auto },
        Row(code: .framesOutOfRange) { $0.settings.frames = 0 },
        Row(code: .framesOutOfRange) { $0.settings.frames = 65 },
        Row(code: .toleranceOutOfRange) { $0.settings.momentTolerance = .seconds(-1) },
    ]

    static let options: [Row] = [
        Row(code: .compressionQualityOutOfRange) { $0.settings.processedOptions[.jpeg] = .init(quality: 1.1) },
        Row(code: .compressionQualityOutOfRange) { $0.settings.processedOptions[.jpeg] = .init(quality: .nan) },
        Row(code: .compressionQualityNotSupported, processed: [.tiff]) {
            $0.settings.processedOptions[.tiff] = .init(quality: 0.5)
        },
        Row(code: .colorSpaceNotSupported, processed: [.heifPQ]) {
            $0.settings.processedOptions[.heifPQ] = .init(colorSpace: .displayP3)
        },
        Row(code: .colorSpaceNotSupported, processed: [.openEXR]) {
            $0.settings.processedOptions[.openEXR] = .init(colorSpace: .sRGB)
        },
        Row(code: .thumbnailSizeOutOfRange, raw: [.proRAW]) { $0.settings.thumbnailLongestSide = 0 },
    ]

    static let details: [Row] =
        [
            Row(code: .deferredDeliveryNotSupported) {
                $0.settings.isDeferred = true
                $0.settings.bracket = [.bias(-1), .bias(1)]
            },
            Row(code: .deferredDeliveryNotSupported) {
                $0.settings.isDeferred = true
                $0.settings.deferredName = "a/b"
            },
            Row(code: .orientationOutOfRange) { $0.settings.details.orientation = 9 },
            Row(code: .orientationOutOfRange) { $0.settings.details.orientation = 0 },
            Row(code: .locationOutOfRange) {
                $0.settings.details.location = Location(latitude: 0, longitude: 0)
                $0.settings.details.location?.latitude = 91
            },
            Row(code: .locationOutOfRange) {
                $0.settings.details.location = Location(latitude: 0, longitude: 0)
                $0.settings.details.location?.altitude = .nan
            },
        ]
        + PhotoFeature.allCases.map { feature in
            Row(code: .featureNotSupported) { $0.settings.features = [feature] }
        }

    @Test(arguments: rows) func aRuleHasItsError(row: Row) {
        var situation = Situation(settings: PhotoSettings(raw: row.raw, processed: row.processed))
        row.change(&situation)
        let error = CaptureRules.broken(by: situation.settings, plan: nil, situation.conditions)
        #expect(error?.code == row.code)
        #expect(error?.message.isEmpty == false)
        #expect(CaptureError.Code.rules.contains(row.code))
    }

    /// The codes that need a pipeline or a capture are tested elsewhere; every other one has a row.
    @Test func everyRuleHasARow() {
        let elsewhere: Set<CaptureError.Code> = [
            .settingsReused, .formatNotAvailable, .optionsConflict, .deferredDeliveryNotEnabled, .movieSettingsInvalid,
            .constituentsNotSupported, .constituentUnknown, .constituentsWithExposure, .constituentsWithLivePhoto,
            .constituentsWithDeferredDelivery, .constituentsAreFused, .zoomNotSupported,
        ]
        #expect(Set(Self.rows.map(\.code)) == CaptureError.Code.rules.subtracting(elsewhere))
    }

    @Test func validSettingsBreakNoRule() {
        var conditions = CaptureConditions()
        conditions.hasFlash = true
        conditions.exposureTimes = 1e-4...1
        conditions.isos = 50...6400
        var settings = PhotoSettings(raw: [.proRAW], processed: [.jpeg, .heif10, .heifPQ, .tiff16])
        settings.processedOptions = [
            .jpeg: .init(quality: 0, colorSpace: .displayP3), .heif10: .init(quality: 1, colorSpace: .rec2020),
            .heifPQ: .init(quality: 0.5, colorSpace: .rec2020), .tiff16: .init(colorSpace: .sRGB),
        ]
        settings.thumbnailLongestSide = 1_000_000
        settings.details = ShotDetails(artist: "A", orientation: 6)
        settings.exposureBias = -1.5
        settings.iso = 100
        settings.flashMode = .auto
        #expect(CaptureRules.broken(by: settings, plan: nil, conditions) == nil)
        settings.flashMode = .off
        settings.iso = nil
        settings.exposureBias = 0
        settings.bracket = [.bias(-2), .bias(0), .bias(2)]
        settings.fusesBracket = true
        #expect(CaptureRules.broken(by: settings, plan: nil, conditions) == nil)
    }

    // MARK: Rules that need a plan

    private static func plan(_ end: String) throws -> PipelinePlan {
        try PipelinePlan(
            reading: """
                gscapsensorsrc ! video/x-bayer,format=rggb12le,width=64,height=48 ! rawunpack
                  ! rawshutter frames=1 ! rawfusion ! \(end)
                """)
    }

    private func code(_ settings: PhotoSettings, _ plan: PipelinePlan) -> CaptureError.Code? {
        CaptureRules.broken(by: settings, plan: plan, CaptureConditions(PhotoSource.plan(plan)))?.code
    }

    @Test func aFormatWithoutABranchIsRefused() throws {
        let plan = try Self.plan("rawdevelop ! gscapjpegenc ! filesink location=a.jpg")
        #expect(code(PhotoSettings(processed: [.jpeg]), plan) == nil)
        #expect(code(PhotoSettings(processed: [.png]), plan) == .formatNotAvailable)
        #expect(code(PhotoSettings(raw: [.proRAW]), plan) == .formatNotAvailable)
    }

    @Test func theColorSpaceOfATextIsFixed() throws {
        let plan = try Self.plan(
            """
            rawdevelop ! video/x-raw,format=RGBA64_LE,colorimetry=(string)1:1:7:11
              ! tiffenc bit-depth=16 ! filesink location=a.tif
            """)
        #expect(plan.branches.first?.colorSpace == .displayP3)
        var settings = PhotoSettings(processed: [.tiff16])
        settings.processedOptions[.tiff16] = .init(colorSpace: .displayP3)
        #expect(code(settings, plan) == nil)
        settings.processedOptions[.tiff16] = .init(colorSpace: .sRGB)
        #expect(code(settings, plan) == .colorSpaceNotSupported)
    }

    @Test func formatsOfOneLookHaveOneColorSpace() throws {
        let plan = try Self.plan(
            """
            rawdevelop ! tee name=picture
            picture. ! queue ! gscapjpegenc ! filesink location=a.jpg
            picture. ! queue ! gscappngenc ! filesink location=a.png
            """)
        var settings = PhotoSettings(processed: [.jpeg, .png])
        #expect(code(settings, plan) == nil)
        settings.processedOptions[.jpeg] = .init(colorSpace: .displayP3)
        #expect(code(settings, plan) == .optionsConflict)
        settings.processedOptions[.png] = .init(colorSpace: .displayP3)
        #expect(code(settings, plan) == nil)
    }

    // MARK: Tickets

    @Test func usedTicketsAreRefusedInBoundedMemory() {
        var used = UsedTickets(capacity: 8)
        let tickets = (UInt64(1)...100).map { 3 * $0 }
        for ticket in tickets {
            let (isNew, isNewAgain) = (used.insert(ticket), used.insert(ticket))
            #expect(isNew && !isNewAgain)
        }
        let repeated = tickets.filter { used.insert($0) }
        #expect(repeated.isEmpty)
        // Newer tickets that were not used are accepted, out of order, too.
        let accepted = [302, 301, 299].filter { used.insert($0) }
        #expect(accepted == [302, 301, 299])
    }

    @Test func everyChangeRenewsTheTicket() {
        let changes: [(inout PhotoSettings) -> Void] = [
            { $0.bracket = [.bias(1)] }, { $0.fusesBracket = true }, { $0.exposureTime = 1 }, { $0.iso = 100 },
            { $0.exposureBias = 1 }, { $0.flashMode = .on }, { $0.processedOptions[.jpeg] = .init(quality: 1) },
            { $0.thumbnailLongestSide = 1 }, { $0.details.title = "T" }, { $0.zeroShutterLag = false },
            { $0.features = [.depthData] },
        ]
        for change in changes {
            let settings = PhotoSettings(processed: [.jpeg])
            var copy = settings
            #expect(copy.uniqueID == settings.uniqueID)
            change(&copy)
            #expect(copy.uniqueID != settings.uniqueID)
            #expect(PhotoSettings(from: copy).uniqueID != copy.uniqueID)
        }
    }
}
