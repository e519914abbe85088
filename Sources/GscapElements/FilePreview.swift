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

    /// The preview of a mosaic.
    package func of(_ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata) throws -> DNGPreview {
        let developer = try Developer(metadata: metadata)
        let output = shape(format.width, format.height)
        return try preview(output) { bytes in
            if output.width == format.width, output.height == format.height {
                try developer.develop(codes, format: format, into: &bytes, output: output)
            } else {
                try developer.preview(codes, format: format, into: &bytes, output: output)
            }
        }
    }

    /// The preview of a linear photo.
    package func of(_ values: Span<UInt16>, _ format: LinearFormat, _ metadata: FrameMetadata) throws -> DNGPreview {
        let developer = try Developer(metadata: metadata)
        let output = shape(format.width, format.height)
        return try preview(output) { bytes in
            try developer.develop(values, format: format, into: &bytes, output: output)
        }
    }

    private func shape(_ width: Int, _ height: Int) -> DisplayFormat {
        let longest = max(width, height)
        let side = min(longestSide ?? (isHalved ? (longest + 1) / 2 : longest), longest)
        func scaled(_ length: Int) -> Int { max(1, (length * side + longest / 2) / longest) }
        return DisplayFormat(width: scaled(width), height: scaled(height), layout: .rgb)
    }

    private func preview(
        _ output: DisplayFormat, _ develop: (inout MutableSpan<UInt8>) throws -> Void
    ) throws -> DNGPreview {
        var rgb = [UInt8](repeating: 0, count: output.byteCount)
        var span = rgb.mutableSpan
        try develop(&span)
        return try DNGPreview(width: output.width, height: output.height, rgb: rgb).compressed(quality: quality)
    }
}
