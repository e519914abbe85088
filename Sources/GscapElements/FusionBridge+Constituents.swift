internal import Demosaic
internal import Develop
internal import FrameStream
internal import Fusion
internal import GStreamer
internal import RawImage
internal import Synchronization
internal import Waiting

extension FusionBridge {
    /// Fuses the photo of a wide camera with that of the tele camera in the same capture, if there is one; passes the
    /// tele's photo on to it. Without the tele's photo, or if it does not fit, the photo is of the wide camera alone. A
    /// message says that it does not fit; why there is none is known to the capture of both.
    func joined(_ result: BurstFusionState.Result, _ key: BurstFusionState.Key?) throws -> JoinedPhoto {
        guard let part = key?.ticket?.companion?.object as? ConstituentPair.Part else {
            return JoinedPhoto(result: result)
        }
        let photo = try result.linear()
        switch part.role {
        case .tele: part.pair.deliver(photo)
        case .wide:
            guard let tele = take(from: part.pair) else { break }
            let fused = try fused(photo, tele, photo.metadata.capture?.statedID)
            let recipe = recipe(of: photo.metadata) { () throws(GscapError) in
                try atPhotoPriority(photo.metadata.photoPriority) { () throws(GscapError) in
                    try RecipeMaker().recipe(for: photo)
                }
            }
            return JoinedPhoto(result: .photo(fused), recipe: recipe)
        }
        return JoinedPhoto(result: .photo(photo))
    }

    /// Waits for the tele camera's photo; nil if there is none, or the fusion is cancelled.
    private func take(from pair: ConstituentPair) -> LinearImage? {
        awaitedPair.withLock { $0 = pair }
        defer { awaitedPair.withLock { $0 = nil } }
        return pair.take { isCancelled.isRaised }
    }

    private func fused(_ wide: LinearImage, _ tele: LinearImage, _ id: UInt64?) throws -> LinearImage {
        do throws(GscapError) {
            let fusion = try WideTeleFusion(wide: wide, tele: tele, options: .init(scale: .two)) { [isCancelled] in
                isCancelled.isRaised
            }
            let (photo, report) = try atPhotoPriority(wide.metadata.photoPriority) { () throws(GscapError) in
                try fusion.photo()
            }
            if report.usedFraction == 0 { element.postLoss(Self.text(ofUnused: report, wide.format), capture: id) }
            return photo
        } catch {
            if error.code == .cancelled { throw error }
            element.postLoss("the photo is of the wide camera alone: \(error.message)", capture: id)
            return wide
        }
    }

    /// Returns the message that nothing of the tele's photo is used, with the likely reason.
    private static func text(ofUnused report: WideTeleFusion.Report, _ wide: LinearFormat) -> String {
        let size = "pictures of \(wide.width)×\(wide.height) pixels are too small for the fusion"
        return "the photo is of the wide camera alone: the tele camera's agrees with it in too little of the scene, as "
            + "if out of focus or hidden behind near things"
            + (report.seesFewPixels ? ", likely because \(size)" : "")
    }
}

/// The result of a fusion after that with another camera's photo.
struct JoinedPhoto {
    var result: BurstFusionState.Result
    /// The look of the wide camera's photo, which the photo of both keeps: the tele's detail would change its
    /// brightness. Nil if the look is computed from the photo itself.
    var recipe: Recipe?
}

extension BurstFusionState.Result {
    /// Returns the result as a linear photo.
    fileprivate func linear() throws -> LinearImage {
        switch self {
        case .photo(let photo): photo
        case .mosaic(let mosaic):
            try atPhotoPriority(mosaic.metadata.photoPriority) { () throws in try Demosaic.linear(mosaic) }
        }
    }
}
