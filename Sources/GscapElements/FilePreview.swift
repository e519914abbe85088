package import DNG
internal import Develop
package import RawImage

/// Makes the display picture that a DNG file carries: what the photo looks like, developed as `rawdevelop` does it.
package struct FilePreview {
    /// The longest side, cut to that of the photo; nil for the photo's own size.
    package var longestSide: Int?
    /// Whether the photo's own size is halved: RawTherapee takes a preview as large as a lossy photo for the photo.
    package var isHalved = false
    /// Of the JPEG, 1…100.
    package var quality = 90

    /// A preview of some size.
    package init(longestSide: Int? = nil, isHalved: Bool = false, quality: Int = 90) {
        self.longestSide = longestSide
        self.isHalved = isHalved
        self.quality = quality
    }

    /// The preview of a mosaic; nil for one too small to be developed.
    package func of(
        _ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, _ recipe: Recipe = Recipe()
    ) throws -> DNGPreview? {
        guard format.width >= 2, format.height >= 2 else { return nil }
        let developer = try Developer(metadata: metadata, recipe: recipe)
        let output = shape(format.width, format.height)
        guard output.width == format.width, output.height == format.height else {
            return try whole(output) { bytes in
                try developer.preview(codes, format: format, into: &bytes, output: output)
            }
        }
        return try DNGPreview(width: output.width, height: output.height, quality: quality) { rows, bytes in
            // Interpolation looks at neighbours, which a band has too, and then leaves out.
            let reach = max(0, rows.lowerBound - Self.margin)..<min(format.height, rows.upperBound + Self.margin)
            let (part, shape) = (format.with(rows: reach.count), output.with(rows: reach.count))
            var rgb = [UInt8](repeating: 0, count: shape.byteCount)
            var span = rgb.mutableSpan
            try developer.develop(
                codes.extracting(reach.lowerBound * format.stride..<codes.count), format: part, into: &span,
                output: shape, cores: 1)
            let start = (rows.lowerBound - reach.lowerBound) * shape.stride
            for index in 0..<rows.count * shape.stride { bytes[index] = span[start + index] }
        }
    }

    /// Rows of neighbours: even, so that the mosaic's cells stay whole.
    private static let margin = 8

    /// The preview of a linear photo.
    package func of(
        _ values: Span<UInt16>, _ format: LinearFormat, _ metadata: FrameMetadata, _ recipe: Recipe = Recipe()
    ) throws -> DNGPreview {
        let developer = try Developer(metadata: metadata, recipe: recipe)
        let output = shape(format.width, format.height)
        guard output.width == format.width, output.height == format.height else {
            return try whole(output) { bytes in
                try developer.develop(values, format: format, into: &bytes, output: output)
            }
        }
        return try DNGPreview(width: output.width, height: output.height, quality: quality) { rows, bytes in
            let part = LinearFormat(width: format.width, height: rows.count, stride: format.stride)
            try developer.develop(
                values.extracting(rows.lowerBound * format.stride..<values.count), format: part, into: &bytes,
                output: output.with(rows: rows.count), cores: 1)
        }
    }

    private func shape(_ width: Int, _ height: Int) -> DisplayFormat {
        let longest = max(width, height)
        let side = min(longestSide ?? (isHalved ? (longest + 1) / 2 : longest), longest)
        func scaled(_ length: Int) -> Int { max(1, (length * side + longest / 2) / longest) }
        return DisplayFormat(width: scaled(width), height: scaled(height), layout: .rgb)
    }

    private func whole(
        _ output: DisplayFormat, _ develop: (inout MutableSpan<UInt8>) throws -> Void
    ) throws -> DNGPreview {
        var rgb = [UInt8](repeating: 0, count: output.byteCount)
        var span = rgb.mutableSpan
        try develop(&span)
        return try DNGPreview(width: output.width, height: output.height, rgb: rgb).compressed(quality: quality)
    }
}

extension MosaicFormat {
    fileprivate func with(rows: Int) -> MosaicFormat {
        MosaicFormat(width: width, height: rows, pattern: pattern, bitDepth: bitDepth, stride: stride)
    }
}

extension DisplayFormat {
    fileprivate func with(rows: Int) -> DisplayFormat {
        DisplayFormat(width: width, height: rows, layout: layout, stride: stride)
    }
}
