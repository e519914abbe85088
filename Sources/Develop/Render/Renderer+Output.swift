public import RawImage

extension Renderer {
    /// What a finished picture shall be.
    public struct Output: Sendable, Hashable {
        /// How numbers are kept.
        public enum Depth: String, Sendable, Hashable, Codable, CaseIterable {
            /// A byte a number.
            case eight
            /// 16 bits a number.
            case sixteen
            /// A half-precision number each, which may go beyond 1 and below 0.
            case half
        }

        /// What numbers mean. Those of the linear transfer are the scene's own: no gain, curve or gamut touches them.
        public var color: PictureColor
        /// How numbers are kept.
        public var depth: Depth
        /// The part of the raw picture that is shown; nil for all that the lens lit.
        public var crop: PixelRectangle?
        /// The size it is made smaller to, before it is turned; nil for its own.
        public var size: Size?
        /// Whether the picture is turned upright by the metadata's orientation.
        public var appliesOrientation: Bool

        /// A width and a height.
        public struct Size: Sendable, Hashable, Codable {
            /// Pixels in a row.
            public var width: Int
            /// Rows.
            public var height: Int

            /// A size.
            public init(width: Int, height: Int) {
                self.width = width
                self.height = height
            }
        }

        /// A picture; without arguments the one that every viewer knows.
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

    /// The size of the finished picture, upright if it is turned; throws when the output is impossible.
    public func size(of output: Output) throws(DevelopError) -> Output.Size {
        let frame = try RenderFrame(self, output)
        let size = Output.Size(width: frame.width, height: frame.height)
        return frame.orientation > 4 ? Output.Size(width: size.height, height: size.width) : size
    }

    /// The finished picture. Runs on all cores unless `cores` is 1.
    public func picture(_ output: Output, cores: Int? = nil) throws(DevelopError) -> Picture {
        let size = try size(of: output)
        let count = size.width * size.height * Picture.channels
        let samples: Picture.Samples
        switch output.depth {
        case .eight: samples = unsafe .bytes(try numbers(output, count, PixelStore.bytes, cores))
        case .sixteen: samples = unsafe .words(try numbers(output, count, PixelStore.words, cores))
        case .half: samples = unsafe .halves(try numbers(output, count, PixelStore.halves, cores))
        }
        return try DevelopError.checking { () throws(RawImageError) in
            try Picture(width: size.width, height: size.height, color: output.color, samples: samples)
        }
    }

    private func numbers<Number: BitwiseCopyable>(
        _ output: Output, _ count: Int, _ store: (UnsafeMutablePointer<Number>) -> PixelStore, _ cores: Int?
    ) throws(DevelopError) -> [Number] {
        try unsafe [Number](large: count) { base throws(DevelopError) in
            try unsafe render(output, store(base), cores: cores)
        }
    }

    /// Writes the finished picture as bytes in a layout of the caller's. Its depth is taken as eight bits.
    ///
    /// `display` must have the size that `size(of:)` tells.
    public func render(
        _ output: Output, into bytes: inout MutableSpan<UInt8>, display: DisplayFormat, cores: Int? = nil
    ) throws(DevelopError) {
        try display.check(count: bytes.count)
        let size = try size(of: output)
        guard display.width == size.width, display.height == size.height else {
            throw DevelopError(
                .badOutput,
                "the buffer is for \(display.width)×\(display.height), the picture \(size.width)×\(size.height): "
                    + "make them alike")
        }
        var failure: DevelopError?
        unsafe bytes.withUnsafeMutableBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            do throws(DevelopError) { unsafe try render(output, .display(base, display), cores: cores) } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}
