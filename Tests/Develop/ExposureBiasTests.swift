import Develop
import RawImage
import SimulatedSensor
import Testing

/// The look of photos that were taken darker than the camera would have.
@Suite struct ExposureBiasTests {
    @Test func aPhotoTakenDarkerIsRenderedDarker() throws {
        var settings = SensorSettings()
        (settings.width, settings.height) = (640, 480)
        settings.controls.exposureTime /= 4
        let format = settings.format()
        var codes = [UInt16](repeating: 0, count: format.codeCount)
        var span = codes.mutableSpan
        var metadata = try SimulatedSensor(settings).read(
            frame: 0, controls: settings.controls, into: &span, stride: format.stride)
        func exposure() throws -> Double {
            try RecipeMaker().recipe(for: Mosaic(format: format, metadata: metadata, codes: codes)).exposure
        }
        // A photo that is dark because of the scene is brightened.
        let usual = try exposure()
        #expect(usual > 1)
        metadata.exposureBias = 0
        #expect(try exposure() == usual)
        // One that was requested darker is not; a brighter one is treated as usual.
        metadata.exposureBias = -2
        #expect(abs(try exposure()) < 0.2)
        for bias in [2, Double.nan] {
            metadata.exposureBias = bias
            #expect(try exposure() == usual)
        }
    }
}
