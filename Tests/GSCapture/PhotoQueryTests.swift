import DNG
import GSCapture
import RawImage
import Testing

/// What an output lists can be captured, and the resolved settings are those of the files.
@Suite(.timeLimit(.minutes(5)), .serialized) struct PhotoQueryTests {
    private func session(_ output: PhotoOutput, width: Int = 160, height: Int = 120) throws -> CaptureSession {
        let session = CaptureSession()
        try session.add(CaptureDeviceInput(device: .simulated(width: width, height: height, framesPerSecond: 30)))
        try session.add(output)
        return session
    }

    private func code(_ body: () throws(CaptureError) -> Void) -> CaptureError.Code? {
        do throws(CaptureError) {
            try body()
            return nil
        } catch {
            return error.code
        }
    }

    // MARK: Before the start

    @Test func proRAWNeedsACamera() throws {
        let output = PhotoOutput()
        #expect(!output.isProRAWSupported)
        #expect(code { () throws(CaptureError) in try output.setProRAWEnabled(true) } == .proRAWNotSupported)
        #expect(!output.isProRAWEnabled)
        let session = CaptureSession()
        try session.add(output)
        #expect(!output.isProRAWSupported)
        try session.add(CaptureDeviceInput(device: .simulated(width: 160, height: 120)))
        #expect(output.isProRAWSupported)
        let proRAW = PhotoSettings(raw: [.proRAW])
        #expect(code { () throws(CaptureError) in try output.validate(proRAW) } == .proRAWNotEnabled)
        #expect(output.availableRAWFormats == [.bayer])
        try output.setProRAWEnabled(true)
        #expect(code { () throws(CaptureError) in try output.validate(proRAW) } == nil)
        #expect(output.availableRAWFormats == [.bayer, .proRAW])
        session.remove(output)
        #expect(!output.isProRAWSupported)
        #expect(code { () throws(CaptureError) in try output.validate(proRAW) } == .proRAWNotSupported)
    }

    @Test func aPlanIsACamera() throws {
        let plan = try PipelinePlan(
            device: .simulated(width: 160, height: 120), preview: nil, formats: [.raw(.proRAW)])
        let (session, output) = (CaptureSession(plan: plan), PhotoOutput())
        try session.add(output)
        #expect(output.isProRAWSupported)
        #expect(output.maxPhotoDimensions == PhotoDimensions(width: 160, height: 120))
        #expect(output.supportedFlashModes == Set(FlashMode.allCases))
        withExtendedLifetime(session) {}
    }

    @Test func theCameraIsKnownBeforeTheStart() throws {
        let output = PhotoOutput()
        #expect(output.maxPhotoDimensions == nil)
        #expect(output.supportedFlashModes == [.off])
        let session = try session(output)
        #expect(output.maxPhotoDimensions == PhotoDimensions(width: 160, height: 120))
        #expect(output.maxThumbnailDimensions == output.maxPhotoDimensions)
        #expect(output.supportedFlashModes == Set(FlashMode.allCases))
        #expect(output.maxBracketedCapturePhotoCount == 16)
        withExtendedLifetime(session) {}
    }

    @Test func unsupportedFeaturesHaveAReason() {
        let output = PhotoOutput()
        for feature in PhotoFeature.allCases {
            let support = output.support(for: feature)
            #expect(support.isSupported == support.reason.isEmpty)
        }
    }

    @Test func everyFormatHasAFileType() {
        for format in ProcessedPhotoFormat.allCases {
            #expect(format.fileType.fileExtension == format.fileExtension)
            #expect(!format.supportedColorSpaces.isEmpty)
        }
        #expect(ProcessedPhotoFormat.heifPQ.supportedColorSpaces == [.rec2020])
        #expect(ProcessedPhotoFormat.jpeg.codec == .jpeg)
        #expect(ProcessedPhotoFormat.png16.codec == .deflate)
        #expect(!ProcessedPhotoFormat.png16.hasQuality)
    }

    // MARK: While running

    /// Each listed format is delivered, alone and in one capture with the others.
    @Test func everythingListedCanBeCaptured() async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        output.processedFormats = Set(ProcessedPhotoFormat.allCases.filter(output.availableProcessedFormats.contains))
        let session = try session(output)
        try await session.startRunning()
        #expect(output.availableProcessedFormats == output.processedFormats)
        var together = PhotoSettings(raw: output.availableRAWFormats, processed: output.availableProcessedFormats)
        together.frames = 2
        let photos = try await output.capturePhoto(with: together).photos
        #expect(photos.allSatisfy { $0.error == nil })
        #expect(Set(photos.map(\.format)) == Set(together.formats))
        let alone =
            output.availableRAWFormats.map { PhotoSettings(raw: [$0]) }
            + output.availableProcessedFormats.map { PhotoSettings(processed: [$0]) }
        for settings in alone {
            let photos = try await output.capturePhoto(with: settings).photos
            #expect(photos.map(\.format) == settings.formats)
            #expect(photos.allSatisfy { $0.error == nil && $0.fileSize > 0 }, "\(settings.formats)")
        }
        for fileType in output.availablePhotoFileTypes {
            let raw = output.supportedRAWFormats(for: fileType)
            let processed = output.supportedProcessedFormats(for: fileType)
            #expect(!raw.isEmpty || !processed.isEmpty)
            #expect(output.supportedPhotoCodecs(for: fileType).isSubset(of: output.availablePhotoCodecs))
            for format in raw.map(PhotoFormat.raw) + processed.map(PhotoFormat.processed) {
                #expect(format.fileExtension == fileType.fileExtension)
            }
        }
        #expect(output.availablePhotoPixelFormats.isSubset(of: output.availableProcessedFormats))
        await session.stopRunning()
    }

    /// The resolved settings state what the files contain.
    @Test func theResolvedSettingsAreThoseOfTheFiles() async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        output.processedFormats = [.jpeg, .heifPQ, .openEXR]
        let session = try session(output)
        try await session.startRunning()
        var settings = PhotoSettings(raw: [.bayer, .proRAW], processed: [.jpeg, .heifPQ, .openEXR])
        settings.frames = 3
        let capture = try output.capturePhoto(with: settings)
        let resolved = capture.resolvedSettings
        #expect(resolved.frames == 3)
        #expect(resolved.exposures == [.bias(0)])
        #expect(resolved.expectedPhotoCount == 5)
        #expect(resolved.photoQualityPrioritization == .speed)
        #expect(resolved.flashMode == .off)
        #expect(resolved.usesZeroShutterLag)
        #expect(resolved.processedOptions[.jpeg]?.colorSpace == .sRGB)
        #expect(resolved.processedOptions[.heifPQ]?.colorSpace == .rec2020)
        #expect(resolved.processedOptions[.jpeg]?.quality != nil)
        #expect(resolved.processedOptions[.openEXR]?.quality == nil)
        let photos = try await capture.photos
        #expect(photos.count == resolved.expectedPhotoCount)
        for photo in photos {
            #expect(photo.error == nil)
            let size = try #require(resolved.dimensions[photo.format])
            guard case .raw(let raw) = photo.format else {
                #expect(photo.pixelSize?.width == size.width)
                #expect(photo.pixelSize?.height == size.height)
                continue
            }
            let bytes = photo.withFileBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
            let file = try DNGFile(bytes: try #require(bytes))
            #expect(file.main.map { PhotoDimensions(width: $0.width, height: $0.height) } == size)
            let preview = file.images.first { !$0.isMain }
            let previewSize = preview.map { PhotoDimensions(width: $0.width, height: $0.height) }
            #expect(previewSize == resolved.thumbnailDimensions[raw])
        }
        await session.stopRunning()
    }

    /// The preview of a ProRAW DNG has the photo's size, and half of it beside a finished picture.
    @Test(arguments: [(false, 160, 120), (true, 80, 60)])
    func thePreviewIsHalvedBesideAFinishedPicture(hasPicture: Bool, width: Int, height: Int) async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        let session = try session(output)
        try await session.startRunning()
        var settings = PhotoSettings(raw: [.proRAW], processed: hasPicture ? [.jpeg] : [])
        settings.frames = 1
        let capture = try output.capturePhoto(with: settings)
        let expected = PhotoDimensions(width: width, height: height)
        #expect(capture.resolvedSettings.thumbnailDimensions[.proRAW] == expected)
        let photo = try #require(try await capture.photos.first { $0.format == .raw(.proRAW) })
        let bytes = photo.withFileBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
        let preview = try DNGFile(bytes: try #require(bytes)).images.first { !$0.isMain }
        #expect(preview.map { PhotoDimensions(width: $0.width, height: $0.height) } == expected)
        await session.stopRunning()
    }

    /// The thumbnail of one capture has the requested size, limited to the photo's.
    @Test(arguments: [(40, 40, 30), (10_000, 160, 120)])
    func theThumbnailHasTheRequestedSize(side: Int, width: Int, height: Int) async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        let session = try session(output)
        try await session.startRunning()
        var settings = PhotoSettings(raw: [.proRAW])
        settings.frames = 1
        settings.thumbnailLongestSide = side
        let capture = try output.capturePhoto(with: settings)
        let expected = PhotoDimensions(width: width, height: height)
        #expect(capture.resolvedSettings.thumbnailDimensions[.proRAW] == expected)
        let photo = try #require(try await capture.photos.first)
        let bytes = photo.withFileBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
        let preview = try DNGFile(bytes: try #require(bytes)).images.first { !$0.isMain }
        #expect(preview.map { PhotoDimensions(width: $0.width, height: $0.height) } == expected)
        await session.stopRunning()
    }

    /// A bracket delivers one photo of each exposure and format, and the fused one last.
    @Test func aBracketDeliversEachExposure() async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        let session = try session(output)
        try await session.startRunning()
        var settings = PhotoSettings(raw: [.bayer, .proRAW])
        settings.frames = 1
        settings.momentTolerance = .seconds(60)
        settings.bracket = [.bias(-1), .bias(0), .bias(1)]
        settings.fusesBracket = true
        let capture = try output.capturePhoto(with: settings)
        #expect(capture.resolvedSettings.exposures == settings.bracket)
        #expect(capture.resolvedSettings.expectedPhotoCount == 7)
        var names: [String] = []
        var photos: [Photo] = []
        for await event in capture.events {
            switch event {
            case .willBegin: names.append("willBegin")
            case .willCapture: names.append("willCapture")
            case .didCapture: names.append("didCapture")
            case .photo(let photo): photos.append(photo)
            case .didRecordLivePhotoMovie, .livePhotoMovie: names.append("movie")
            case .finished(_, let error):
                names.append("finished")
                #expect(error == nil)
            }
        }
        let exposures = Array(repeating: ["willCapture", "didCapture"], count: 3).flatMap(\.self)
        #expect(names == ["willBegin"] + exposures + ["finished"])
        #expect(photos.count == 7)
        #expect(photos.filter { $0.format == .raw(.bayer) }.map(\.exposureIndex) == [0, 1, 2])
        #expect(photos.filter { $0.format == .raw(.proRAW) }.map(\.exposureIndex) == [0, 1, 2, nil])
        await session.stopRunning()
    }

    // MARK: Refusals

    /// A capture whose settings violate a rule takes no frame, and its settings can be corrected.
    @Test func refusedSettingsAreNotUsed() async throws {
        let output = PhotoOutput()
        let session = try session(output)
        try await session.startRunning()
        var settings = PhotoSettings(raw: [.bayer])
        settings.exposureTime = -1
        let refused = code { () throws(CaptureError) in _ = try output.capturePhoto(with: settings) }
        #expect(refused == .exposureTimeOutOfRange)
        settings.exposureTime = nil
        let copy = settings
        #expect(try await output.capturePhoto(with: settings).photos.count == 1)
        // A copy without a change has the same ticket; `init(from:)` gives it a new one.
        let reused = code { () throws(CaptureError) in _ = try output.capturePhoto(with: copy) }
        #expect(reused == .settingsReused)
        #expect(try await output.capturePhoto(with: PhotoSettings(from: copy)).photos.count == 1)
        await session.stopRunning()
    }
}
