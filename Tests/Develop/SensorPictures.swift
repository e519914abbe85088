import Develop
import Glibc
import RawImage
import SimulatedSensor

/// Frames of a small simulated sensor without camera shake, and their rendering.
enum SensorPictures {
    /// Returns a frame of the simulated sensor with changed settings.
    static func frame(iso: Double = 100, _ change: (inout SensorSettings) -> Void) throws -> Mosaic {
        var settings = SensorSettings()
        (settings.width, settings.height) = (1008, 756)
        (settings.shake, settings.motion, settings.hotPixels) = (0, false, 0)
        settings.controls = SensorControls(exposureTime: 1 / iso, iso: iso)
        change(&settings)
        let format = settings.format()
        var codes = [UInt16](repeating: 0, count: format.codeCount)
        var span = codes.mutableSpan
        let metadata = try SimulatedSensor(settings).read(
            frame: 0, controls: settings.controls, into: &span, stride: format.stride)
        return try Mosaic(format: format, metadata: metadata, codes: codes)
    }

    /// Renders a frame without a look, with the default noise reduction if `isSmoothed` and none otherwise.
    static func picture(_ mosaic: Mosaic, isSmoothed: Bool = false, crop: PixelRectangle? = nil) throws
        -> Picture
    {
        var recipe = Recipe.plain
        recipe.sharpness = 0
        if !isSmoothed { (recipe.luminanceNoiseReduction, recipe.colorNoiseReduction) = (0, 0) }
        return try Renderer(mosaic: mosaic, recipe: recipe).picture(.init(crop: crop))
    }
}

extension Picture {
    /// The samples of an 8-bit picture; empty for other depths.
    var bytes: [UInt8] {
        if case .bytes(let values) = samples { return values }
        return []
    }

    /// Returns the signal-to-noise ratio in dB against a picture of the same size, for luminance and for the colour
    /// differences.
    func likeness(_ other: Picture) -> (brightness: Double, color: Double) {
        var (brightness, color) = (0.0, 0.0)
        let (own, truth) = (bytes, other.bytes)
        for pixel in 0..<width * height {
            let (red, green, blue) = (3 * pixel, 3 * pixel + 1, 3 * pixel + 2)
            let errors = [red, green, blue].map { (Double(own[$0]) - Double(truth[$0])) / 255 }
            let mean = (errors[0] + 2 * errors[1] + errors[2]) / 4
            brightness += mean * mean
            color += errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 3
        }
        let count = Double(width * height)
        return (-10 * log10(brightness / count), -10 * log10(color / count))
    }
}
