package import GStreamer
package import RawImage

/// The format of the frames that elements develop or store: canonical mosaics or linear photos.
package enum RawFrameFormat {
    case mosaic(MosaicFormat)
    case linear(LinearFormat)

    /// The pad template caps of both formats.
    package static let template = BayerCaps.template + "; " + LinearCaps.template

    /// Parses caps; throws if they are neither canonical Bayer caps nor those of a linear photo.
    package init(_ caps: Caps) throws(GscapError) {
        self =
            caps.first?.name == "video/x-bayer"
            ? .mosaic(try BayerCaps.format(caps)) : .linear(try LinearCaps.format(caps))
    }

    /// The width and height in pixels.
    package var size: (width: Int, height: Int) {
        switch self {
        case .mosaic(let format): (format.width, format.height)
        case .linear(let format): (format.width, format.height)
        }
    }

    /// The metadata assumed for frames without any: black at 0, white at the largest code, no colour calibration.
    package var metadata: FrameMetadata {
        switch self {
        case .mosaic(let format): FrameMetadata(of: format)
        case .linear: FrameMetadata()
        }
    }

    /// The size of a frame in bytes.
    package var byteCount: Int {
        switch self {
        case .mosaic(let format): BayerCaps.size(format)
        case .linear(let format): LinearCaps.size(format)
        }
    }

    /// The bits of the frames' values.
    package var bits: Int {
        switch self {
        case .mosaic(let format): format.bitDepth
        case .linear: 16
        }
    }
}

extension Buffer {
    /// Returns the frame with its rows placed as its caps say.
    package consuming func placingRows(of format: RawFrameFormat) throws(GscapError) -> Buffer {
        switch format {
        case .mosaic(let format): try placingRows(of: format)
        case .linear(let format):
            try placingRows(
                width: format.width, count: format.height, stride: 2 * format.stride,
                length: 2 * LinearFormat.channels * format.width)
        }
    }

    /// Returns the frame with its rows placed as its caps say.
    package consuming func placingRows(of format: MosaicFormat) throws(GscapError) -> Buffer {
        try placingRows(
            width: format.width, count: format.height, stride: 2 * format.stride, length: 2 * format.width)
    }
}
