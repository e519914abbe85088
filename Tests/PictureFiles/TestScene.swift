import Glibc
import RawImage

/// Analytic pictures: colour ramps, discs with sharp edges, and a lamp far brighter than diffuse white.
enum TestScene {
    static let width = 321
    static let height = 213

    /// Returns the scene's linear colour at a pixel, with 1 at diffuse white.
    static func light(_ x: Int, _ y: Int, width: Int = width, height: Int = height) -> SIMD3<Double> {
        let (u, v) = (Double(x) / Double(width - 1), Double(y) / Double(height - 1))
        var light = SIMD3(0.02 + 0.9 * u * u, 0.02 + 0.8 * v * v, 0.03 + 0.7 * (1 - u) * (1 - v))
        let ripple = 0.5 + 0.5 * sin(u * 40) * cos(v * 30)
        light *= 0.6 + 0.4 * ripple
        let disc = hypot((u - 0.25) * 1.5, v - 0.6)
        if disc < 0.15 { light = SIMD3(0.75, 0.08, 0.05) }
        let lamp = hypot((u - 0.75) * 1.5, v - 0.3)
        return light + SIMD3(12, 9, 5) * exp(-lamp * lamp * 120)
    }

    /// Returns the scene as a picture of linear half floats, unclipped.
    static func linear(
        _ primaries: PictureColor.Primaries = .sRGB, width: Int = width, height: Int = height
    ) throws -> Picture {
        try Picture(
            width: width, height: height, color: PictureColor(primaries, .linear),
            samples: .halves(numbers(width, height) { Float16($0) }))
    }

    /// Returns the scene as a picture of 8-bit samples, encoded by the transfer function and clipped at white.
    static func bytes(_ color: PictureColor = .sRGB, width: Int = width, height: Int = height) throws -> Picture {
        try Picture(
            width: width, height: height, color: color,
            samples: .bytes(numbers(width, height) { UInt8((code($0, color.transfer) * 255).rounded()) }))
    }

    /// Returns the scene as a picture of 16-bit samples, encoded by the transfer function.
    static func words(_ color: PictureColor, width: Int = width, height: Int = height) throws -> Picture {
        try Picture(
            width: width, height: height, color: color,
            samples: .words(numbers(width, height) { UInt16((code($0, color.transfer) * 65_535).rounded()) }))
    }

    private static func numbers<Number>(_ width: Int, _ height: Int, _ make: (Double) -> Number) -> [Number] {
        (0..<width * height).flatMap { position in
            let light = light(position % width, position / width, width: width, height: height)
            return [make(light.x), make(light.y), make(light.z)]
        }
    }

    /// Converts a linear value to an encoded value 0…1 by a transfer function.
    static func code(_ light: Double, _ transfer: PictureColor.Transfer) -> Double {
        let held = max(0, min(1, light))
        switch transfer {
        case .sRGB: return held <= 0.0031308 ? held * 12.92 : 1.055 * pow(held, 1 / 2.4) - 0.055
        case .rec709: return held < 0.018 ? held * 4.5 : 1.099 * pow(held, 0.45) - 0.099
        case .linear: return held
        case .pq:
            let root = pow(max(0, min(10_000, light * 203)) / 10_000, 0.1593017578125)
            return pow((0.8359375 + 18.8515625 * root) / (1 + 18.6875 * root), 78.84375)
        case .hlg:
            let scene = pow(max(0, min(1000, light * 203)) / 1000, 1 / 1.2)
            return scene <= 1.0 / 12 ? (3 * scene).squareRoot() : 0.17883277 * log(12 * scene - 0.28466892) + 0.55991073
        }
    }

    /// Returns metadata with every field set.
    static func metadata(orientation: Int = 6) -> FrameMetadata {
        var metadata = FrameMetadata()
        metadata.exposureTime = 1.0 / 125
        metadata.iso = 320
        metadata.make = "Gscap"
        metadata.model = "Test camera"
        metadata.wallClock = 1_781_234_567_123_456
        metadata.orientation = orientation
        metadata.fusedFrames = 7
        metadata.details.fNumber = 1.8
        metadata.details.focalLength = 6.765
        metadata.details.focalLengthIn35mm = 24
        metadata.details.digitalZoomRatio = 1.5
        metadata.details.lensMake = "Lens & Sons"
        metadata.details.lensModel = "6.8mm f/1.8"
        metadata.details.artist = "Ada Löffler"
        metadata.details.copyright = "© 2026 Ada Löffler"
        metadata.details.title = "Ramps, a disc & a lamp"
        metadata.details.location = Location(latitude: -33.856784, longitude: 151.215297, altitude: 12.5)
        return metadata
    }
}
