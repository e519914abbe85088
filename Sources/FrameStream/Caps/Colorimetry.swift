package import RawImage

/// Conversion to and from GStreamer's colorimetry strings: a name such as "sRGB", or "range:matrix:transfer:primaries"
/// with the numbers of GstVideoColorRange, GstVideoColorMatrix, GstVideoTransferFunction and GstVideoColorPrimaries.
extension PictureColor {
    private static let transferNumbers: [Int: Transfer] = [
        1: .linear, 5: .rec709, 7: .sRGB, 11: .rec709, 13: .rec709, 14: .pq, 15: .hlg, 16: .rec709,
    ]
    private static let primariesNumbers: [Int: Primaries] = [1: .sRGB, 7: .rec2020, 11: .displayP3]

    /// Parses a colorimetry string; unknown strings, transfer functions and primaries become those of sRGB.
    package init(colorimetry word: String) {
        switch word {
        case "bt709": self.init(.sRGB, .rec709)
        case "bt2020", "bt2020-10": self.init(.rec2020, .rec709)
        case "bt2100-pq": self.init(.rec2020, .pq)
        case "bt2100-hlg": self.init(.rec2020, .hlg)
        default:
            let numbers = word.split(separator: ":").map { Int($0) ?? 0 }
            guard numbers.count == 4 else {
                self = .sRGB
                return
            }
            self.init(Self.primariesNumbers[numbers[3]] ?? .sRGB, Self.transferNumbers[numbers[2]] ?? .sRGB)
        }
    }

    /// The colorimetry string for full-range RGB. PQ and HLG are spelled in numbers, because GStreamer's names
    /// bt2100-pq and bt2100-hlg mean limited-range YCbCr.
    package var colorimetry: String {
        if self == .sRGB { return "sRGB" }
        let transfer =
            switch transfer {
            case .linear: 1
            case .rec709: 5
            case .sRGB: 7
            case .pq: 14
            case .hlg: 15
            }
        let primaries =
            switch primaries {
            case .sRGB: 1
            case .rec2020: 7
            case .displayP3: 11
            }
        return "1:1:\(transfer):\(primaries)"
    }
}
