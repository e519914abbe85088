/// A feature of photo captures that depends on the camera and on this version of gscap.
public enum PhotoFeature: String, Sendable, Hashable, CaseIterable {
    /// Corrects red eyes in flash photos.
    case redEyeReduction
    /// Moves the lens or the sensor against camera shake.
    case lensStabilization
    /// Measures the flash's share of the light and renders colours as under a known light.
    case constantColor
    /// Suppresses the camera's shutter sound.
    case shutterSoundSuppression
    /// Delivers a depth map with the photo.
    case depthData
    /// Delivers mattes of hair, skin, teeth, glasses and sky with the photo.
    case semanticMattes
    /// Corrects wide-angle distortion of faces at the edges of the picture.
    case contentAwareDistortionCorrection
}

/// Whether a feature is supported, and the reason if it is not.
public struct FeatureSupport: Sendable, Hashable {
    /// Whether a capture may request the feature.
    public let isSupported: Bool
    /// Why the feature is not supported; empty for a supported one.
    public let reason: String
}

extension PhotoFeature {
    /// Whether this version supports the feature. None of the features is supported yet.
    package var support: FeatureSupport { FeatureSupport(isSupported: false, reason: reason) }

    private var reason: String {
        switch self {
        case .redEyeReduction: "there is no detection of eyes yet; retouch the photo in an editor"
        case .lensStabilization:
            "no supported camera moves its lens or sensor; a fused burst compensates camera shake between its frames"
        case .constantColor: "it needs a flash of known colour, which no supported camera reports"
        case .shutterSoundSuppression: "no shutter sound is played, so there is none to suppress"
        case .depthData: "no supported camera measures depth"
        case .semanticMattes: "there is no segmentation of the scene yet"
        case .contentAwareDistortionCorrection: "there is no detection of faces yet; lens distortion is corrected"
        }
    }
}
