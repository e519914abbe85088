internal import KernelTypes
internal import PixelMemory
internal import RawImage

/// The two photos with their cameras.
struct TeleView: Sendable {
    let wide: LinearImage
    let tele: LinearImage
    let cameras: TeleCameras
    /// The black level and the factor from codes above it to linear values, of the wide photo.
    let wideLevels: (black: Float, scale: Float)
    private let teleLevels: (black: Float, scale: Float)
    /// The code from which the tele photo counts as saturated.
    private let clip: UInt16

    init(wide: LinearImage, tele: LinearImage, cameras: TeleCameras) {
        self.wide = wide
        self.tele = tele
        self.cameras = cameras
        wideLevels = Self.levels(wide.metadata)
        teleLevels = Self.levels(tele.metadata)
        let (black, white) = (tele.metadata.blackLevel[0], tele.metadata.whiteLevel)
        clip = UInt16(min(max(black + (white - black) * 0.985, 0), 65_535))
    }

    private static func levels(_ metadata: FrameMetadata) -> (Float, Float) {
        let black = metadata.blackLevel[0]
        return (Float(black), Float(1 / (metadata.whiteLevel - black)))
    }

    /// Calls `body` with the tele's codes as the kernels take them.
    func withTele<Result>(_ body: (TelePhoto) -> Result) -> Result {
        let format = tele.format
        return tele.values.withView { codes in
            unsafe body(
                TelePhoto(
                    codes: codes.pointer(format.valueCount), stride: format.stride, width: format.width,
                    height: format.height, black: teleLevels.black, scale: teleLevels.scale, clip: clip))
        }
    }
}
