import DNG
import Testing

/// Copies of raw pictures other than Bayer mosaics and linear RGB.
@Suite(.timeLimit(.minutes(10))) struct OtherCopyTests {
    /// A picture is copied with its samples, or refused: it is never read as one of more samples.
    @Test(arguments: [OtherFiles.Kind.monochrome, .fourColors, .xTrans], [PixelStorage.losslessJPEG(), .uncompressed])
    func samplesAreCopiedOrRefused(_ kind: OtherFiles.Kind, _ storage: PixelStorage) throws {
        let file = try DNGFile(bytes: OtherFiles.file(kind))
        var transcoder = DNGTranscoder()
        transcoder.storage = storage
        do throws(DNGError) {
            let copy = try DNGFile(transcoder.encode(file).data)
            #expect(try copy.storedSamples().codes == file.storedSamples().codes)
            #expect(copy.main?.samplesPerPixel == file.main?.samplesPerPixel)
        } catch {
            #expect(error.code == .unsupported, "\(error.message)")
        }
    }
}
