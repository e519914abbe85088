internal import PhotoMetadata
public import RawImage

/// The settings and descriptions of a photo in an XMP sidecar, a file beside the raw file that other programs read and
/// write as well.
///
/// Settings that other raw converters have with the same meaning are in Adobe's namespace (`crs:`): exposure, colour
/// temperature, tint, crop and camera profile. The others are in gscap's own (`gscap:`).
public struct DevelopSidecar: Sendable, Hashable {
    /// Rating, 1…5 stars, or -1 for a rejected photo; nil if not rated.
    public var rating: Int?
    /// Label, such as the name of a colour; nil for none.
    public var label: String?
    /// Keywords; empty for none.
    public var keywords: [String] = []
    /// Title or description; nil for none.
    public var title: String?
    /// Exif orientation, 1…8; nil for that of the raw file.
    public var orientation: Int?
    /// The part of the photo to show; nil for all.
    public var crop: Crop?
    /// Width and height of the photo in pixels before the orientation is applied; nil if unknown. darktable ignores a
    /// crop without them.
    var width: Int?
    var height: Int?
    /// Exposure adjustment in EV; nil for none.
    public var exposure: Double?
    /// Colour temperature in kelvin; nil for the camera's white balance.
    public var temperature: Double?
    /// Tint of the white point; used together with `temperature`.
    public var tint: Double?
    /// Name of the camera profile; nil for the file's first.
    public var profileName: String?
    /// The look to start with; nil for the default.
    public var look: RAWFilter.Look?
    /// Other settings, by the names of their properties without the prefix `gscap:`.
    var amounts: [String: Double] = [:]
    /// The settings of other programs that are not applied, such as `crs:Contrast2012`.
    public internal(set) var ignored: [String] = []

    /// A part of a photo, as fractions of its width and height from the upper left corner, before the orientation is
    /// applied.
    public struct Crop: Sendable, Hashable {
        /// The left edge.
        public var left: Double
        /// The top edge.
        public var top: Double
        /// The right edge.
        public var right: Double
        /// The bottom edge.
        public var bottom: Double
        /// Whether the edges are those of the upright photo instead, as darktable stores them.
        var isUpright = false

        /// Creates a part; nil unless it lies in the photo and is not empty.
        public init?(left: Double, top: Double, right: Double, bottom: Double) {
            let range = 0.0...1.0
            guard range.contains(left), range.contains(top), range.contains(right), range.contains(bottom),
                right - left > 1e-6, bottom - top > 1e-6
            else { return nil }
            (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
        }
    }

    /// A setting of `RAWFilter` in gscap's namespace: the name of its property without prefix, and its range.
    struct Amount: Sendable {
        let name: String
        let range: ClosedRange<Double>
        let property: any WritableKeyPath<RAWFilter, Double> & Sendable
    }

    static let settings: [Amount] = [
        Amount(name: "BaselineExposure", range: -10...10, property: \.baselineExposure),
        Amount(name: "Boost", range: 0...1, property: \.boostAmount),
        Amount(name: "LocalToneMap", range: 0...1, property: \.localToneMapAmount),
        Amount(name: "ShadowBias", range: -0.5...0.5, property: \.shadowBias),
        Amount(name: "Sharpness", range: 0...1, property: \.sharpnessAmount),
        Amount(name: "LuminanceNoiseReduction", range: 0...1, property: \.luminanceNoiseReductionAmount),
        Amount(name: "ColorNoiseReduction", range: 0...1, property: \.colorNoiseReductionAmount),
        Amount(name: "ExtendedDynamicRange", range: 0...1, property: \.extendedDynamicRangeAmount),
        Amount(name: "GamutMapping", range: 0...1, property: \.gamutMappingNumber),
        Amount(name: "LensCorrection", range: 0...1, property: \.lensCorrectionNumber),
    ]

    /// Creates a sidecar without settings.
    public init() {}

    /// Creates the sidecar of a photo with its present settings and descriptions; `crop` is in pixels of the upright
    /// photo. `look` and `profileName` are not set.
    public init(_ filter: RAWFilter, crop: PixelRectangle? = nil) {
        let details = filter.metadata.details
        rating = details.rating
        label = details.label.isEmpty ? nil : details.label
        keywords = details.keywords
        title = details.title.isEmpty ? nil : details.title
        orientation = filter.metadata.orientation
        let size = filter.nativeSize
        (width, height) = filter.orientation > 4 ? (size.height, size.width) : (size.width, size.height)
        self.crop = crop.flatMap { Crop($0, of: filter) }
        exposure = filter.exposure == 0 ? nil : filter.exposure
        if filter.recipe.whiteBalance != nil {
            (temperature, tint) = (filter.neutralTemperature, filter.neutralTint)
        }
        let unchanged = filter.unchanged
        for setting in Self.settings {
            let value = filter[keyPath: setting.property]
            if value != unchanged[keyPath: setting.property] { amounts[setting.name] = value }
        }
    }

    /// Applies the settings and descriptions to a photo, except `look`, `profileName` and `crop`.
    public func apply(to filter: inout RAWFilter) {
        filter.details.rating = rating ?? filter.details.rating
        filter.details.label = label ?? filter.details.label
        if !keywords.isEmpty { filter.details.keywords = keywords }
        filter.details.title = title ?? filter.details.title
        filter.orientation = orientation ?? filter.orientation
        for setting in Self.settings {
            if let value = amounts[setting.name] { filter[keyPath: setting.property] = value }
        }
        if let exposure { filter.exposure = exposure }
        if let temperature { filter.setNeutral(temperature: temperature, tint: tint ?? 0) }
    }

    /// Returns the crop in pixels of the upright photo; nil for all of it.
    public func crop(of filter: RAWFilter) -> PixelRectangle? { crop?.pixels(of: filter) }
}

extension RAWFilter {
    /// `isGamutMappingEnabled` as a number: 1 or 0.
    fileprivate var gamutMappingNumber: Double {
        get { isGamutMappingEnabled ? 1 : 0 }
        set { isGamutMappingEnabled = newValue >= 0.5 }
    }

    /// `isLensCorrectionEnabled` as a number: 1 or 0.
    fileprivate var lensCorrectionNumber: Double {
        get { isLensCorrectionEnabled ? 1 : 0 }
        set { isLensCorrectionEnabled = newValue >= 0.5 }
    }
}

extension DevelopSidecar.Crop {
    /// Returns the part after an Exif orientation is applied.
    private func upright(_ orientation: Int) -> (left: Double, top: Double, right: Double, bottom: Double) {
        switch orientation {
        case 2: (1 - right, top, 1 - left, bottom)
        case 3: (1 - right, 1 - bottom, 1 - left, 1 - top)
        case 4: (left, 1 - bottom, right, 1 - top)
        case 5: (top, left, bottom, right)
        case 6: (1 - bottom, left, 1 - top, right)
        case 7: (1 - bottom, 1 - right, 1 - top, 1 - left)
        case 8: (top, 1 - right, bottom, 1 - left)
        default: (left, top, right, bottom)
        }
    }

    /// Returns the part before an Exif orientation is applied; nil if it is empty.
    func stored(orientation: Int) -> Self? {
        guard isUpright else { return self }
        // A turn by 90 degrees to the right (6) is undone by one to the left (8); the others undo themselves.
        let inverse = orientation == 6 ? 8 : orientation == 8 ? 6 : orientation
        let part = upright(inverse)
        return Self(left: part.left, top: part.top, right: part.right, bottom: part.bottom)
    }

    fileprivate func pixels(of filter: RAWFilter) -> PixelRectangle {
        let part = isUpright ? (left, top, right, bottom) : upright(filter.orientation)
        let size = filter.nativeSize
        func edge(_ fraction: Double, _ length: Int) -> Int { Int((fraction * Double(length)).rounded()) }
        let (x, y) = (min(edge(part.0, size.width), size.width - 1), min(edge(part.1, size.height), size.height - 1))
        return PixelRectangle(
            left: x, top: y, width: max(1, edge(part.2, size.width) - x), height: max(1, edge(part.3, size.height) - y))
    }

    /// Creates the fractions of a part in pixels of the upright photo.
    fileprivate init?(_ part: PixelRectangle, of filter: RAWFilter) {
        let (width, height) = (Double(filter.nativeSize.width), Double(filter.nativeSize.height))
        let (left, right) = (Double(part.left) / width, Double(part.left + part.width) / width)
        let (top, bottom) = (Double(part.top) / height, Double(part.top + part.height) / height)
        guard var shown = Self(left: left, top: top, right: right, bottom: bottom) else { return nil }
        shown.isUpright = true
        guard let stored = shown.stored(orientation: filter.orientation) else { return nil }
        self = stored
    }
}
