internal import PixelMemory
public import RawImage

extension Renderer {
    /// The requested form of a rendered picture.
    public struct Output: Sendable, Hashable {
        /// The sample format.
        public enum Depth: String, Sendable, Hashable, Codable, CaseIterable {
            /// 8-bit unsigned integers.
            case eight
            /// 16-bit unsigned integers.
            case sixteen
            /// Half-precision floats, which can exceed 1 and fall below 0.
            case half
        }

        /// The colour space and transfer function. With the linear transfer the picture is scene-linear: no gains,
        /// tone curve or gamut mapping.
        public var color: PictureColor
        /// The sample format.
        public var depth: Depth
        /// The part to render, in raw image coordinates; nil for the active area.
        public var crop: PixelRectangle?
        /// The size to scale down to, before orientation is applied; nil for the size of the crop.
        public var size: Size?
        /// Whether the EXIF orientation of the metadata is applied.
        public var appliesOrientation: Bool

        /// A size in pixels.
        public struct Size: Sendable, Hashable, Codable {
            /// Width in pixels.
            public var width: Int
            /// Height in pixels.
            public var height: Int

            /// Creates a size.
            public init(width: Int, height: Int) {
                self.width = width
                self.height = height
            }
        }

        /// Creates a description; the default is full-size 8-bit sRGB without the orientation applied.
        public init(
            color: PictureColor = .sRGB, depth: Depth = .eight, crop: PixelRectangle? = nil, size: Size? = nil,
            appliesOrientation: Bool = false
        ) {
            self.color = color
            self.depth = depth
            self.crop = crop
            self.size = size
            self.appliesOrientation = appliesOrientation
        }
    }

    /// Returns the size of the picture, after any orientation; throws if the output is invalid.
    public func size(of output: Output) throws(GscapError) -> Output.Size {
        let frame = try frame(output)
        let size = Output.Size(width: frame.width, height: frame.height)
        return frame.orientation > 4 ? Output.Size(width: size.height, height: size.width) : size
    }

    /// Renders a picture on all cores, or on one if `cores` is 1.
    public func picture(_ output: Output, cores: Int? = nil) throws(GscapError) -> Picture {
        let size = try size(of: output)
        let count = size.width * size.height * Picture.channels
        let samples: Picture.Samples
        switch output.depth {
        case .eight: samples = .bytes(try rendered(output, count, PixelDestination.bytes, cores))
        case .sixteen: samples = .words(try rendered(output, count, PixelDestination.words, cores))
        case .half: samples = .halves(try rendered(output, count, PixelDestination.halves, cores))
        }
        return try GscapError.checking { () throws(GscapError) in
            try Picture(width: size.width, height: size.height, color: output.color, samples: samples)
        }
    }

    private func rendered<Sample: BitwiseCopyable>(
        _ output: Output, _ count: Int, _ destination: (MutableMemoryView<Sample>) -> PixelDestination, _ cores: Int?
    ) throws(GscapError) -> [Sample] {
        try [Sample](fillingLarge: count) { samples throws(GscapError) in
            try render(output, destination(samples), cores: cores)
        }
    }

    /// Renders into a buffer of 8-bit pixels; the depth of `output` is ignored.
    ///
    /// `display` must have the dimensions that `size(of:)` returns.
    public func render(
        _ output: Output, into bytes: inout MutableSpan<UInt8>, display: DisplayFormat, cores: Int? = nil
    ) throws(GscapError) {
        try display.check(count: bytes.count)
        let size = try size(of: output)
        guard display.width == size.width, display.height == size.height else {
            throw GscapError(
                .badOutput,
                "the display format is \(display.width)×\(display.height) but the picture is "
                    + "\(size.width)×\(size.height): pass the size of the output")
        }
        try bytes.withMutableView { bytes throws(GscapError) in
            try render(output, .display(bytes, display), cores: cores)
        }
    }
}
