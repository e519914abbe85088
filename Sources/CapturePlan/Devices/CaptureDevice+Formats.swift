package import GStreamer

extension CaptureDevice {
    /// A format of a camera: the size of its Bayer frames and their greatest rate.
    public struct Format: Sendable, Hashable {
        /// The width of a frame in pixels.
        public var width: Int
        /// The height of a frame in pixels.
        public var height: Int
        /// The greatest number of frames per second; 0 if unknown.
        public var maxFrameRate: Double
        /// The format in GStreamer's notation of caps, as it stands in pipeline texts.
        public var mediaCaps: String

        /// Creates a format. `mediaCaps` describes Bayer frames of this size in GStreamer's notation.
        public init(width: Int, height: Int, maxFrameRate: Double, mediaCaps: String) {
            self.width = width
            self.height = height
            self.maxFrameRate = maxFrameRate
            self.mediaCaps = mediaCaps
        }

        /// The media type of Bayer frames.
        static let mediaType = "video/x-bayer"
        /// The greatest number of formats that are read from one structure of caps.
        private static let limit = 64

        /// Returns the Bayer formats in caps, in their order. Of a range of sizes or rates, the largest counts.
        package static func all(in caps: Caps) -> [Format] {
            var found: [Format] = []
            for structure in caps.structures where structure.name == mediaType {
                for format in all(in: structure) where !found.contains(format) { found.append(format) }
            }
            return found
        }

        private static func all(in structure: Structure) -> [Format] {
            let layouts = alternatives(structure["format"]).compactMap(\.text)
            let (rate, rateText) = greatestRate(structure["framerate"])
            var formats: [Format] = []
            for width in sides(structure["width"]) {
                for height in sides(structure["height"]) {
                    for layout in layouts.isEmpty ? [nil] : layouts.map(Optional.some) {
                        let text =
                            mediaType + (layout.map { ",format=\($0)" } ?? "") + ",width=\(width),height=\(height)"
                            + (rateText.map { ",framerate=\($0)" } ?? "")
                        formats.append(Format(width: width, height: height, maxFrameRate: rate, mediaCaps: text))
                        if formats.count == limit { return formats }
                    }
                }
            }
            return formats
        }

        private static func alternatives(_ value: Value?) -> [Value] {
            if case .list(let values)? = value { return values }
            return value.map { [$0] } ?? []
        }

        private static func sides(_ value: Value?) -> [Int] {
            alternatives(value).compactMap { side in
                if case .intRange(let range) = side { return Int(range.upperBound) }
                return side.integer
            }.filter { $0 > 0 }
        }

        /// Returns the greatest frame rate among the alternatives, also as text; 0 and nil if there is none.
        private static func greatestRate(_ value: Value?) -> (Double, String?) {
            let rates = alternatives(value).compactMap { rate -> Fraction? in
                switch rate {
                case .fraction(let fraction): fraction
                case .fractionRange(_, let greatest): greatest
                default: nil
                }
            }
            guard let greatest = rates.max(by: { $0.number < $1.number }), greatest.number > 0 else { return (0, nil) }
            return (greatest.number, "\(greatest.numerator)/\(greatest.denominator)")
        }
    }
}

extension CaptureDevice {
    /// Returns the format that a preset selects; nil for a camera whose formats are unknown.
    public func format(for preset: SessionPreset) -> Format? {
        func isSmaller(_ left: Format, _ right: Format) -> Bool {
            (left.width * left.height, left.maxFrameRate) < (right.width * right.height, right.maxFrameRate)
        }
        guard let limit = preset.limit else {
            return preset == .photo ? formats.max(by: isSmaller) : activeFormat
        }
        let fitting = formats.filter { $0.width <= limit.width && $0.height <= limit.height }
        return fitting.max(by: isSmaller) ?? formats.min(by: isSmaller)
    }
}
