internal import GStreamer
internal import GscapElements
internal import PipelineText

/// The source of a movie's sound, as the text of `MovieSettings.audioSource`, and its errors in the words of that
/// setting.
enum SoundSource {
    private static let setting = "audioSource"

    /// Throws if the text has a mistake, if an element is not installed, or if the source delivers no sound.
    static func check(_ text: String) throws(CaptureError) {
        let pipeline = "\(text) ! audioconvert ! fakesink"
        do {
            try GscapPlugin.register()
            let description = try PipelineDescription(parsing: pipeline)
            if let error = description.errors(against: RegistryCatalogue()).first { throw error }
            _ = try Pipeline(parsing: pipeline)
            guard description.isLive else {
                throw CaptureError(
                    .movieSettingsInvalid, "the source of the sound is not live: set is-live=true", place: setting)
            }
        } catch let error as CaptureError {
            throw error
        } catch let error as PipelineTextError where error.code == .unknownElement {
            throw CaptureError(.missingElement, error.message, place: setting, cause: error)
        } catch {
            let reason = (error as? PipelineTextError)?.message ?? (error as? GStreamerError)?.message ?? "\(error)"
            throw CaptureError(
                .movieSettingsInvalid,
                "the source of the sound must be an element that delivers sound, not \"\(text)\": \(reason)",
                place: setting, cause: error)
        }
    }

    /// Returns an error of an element of the running source.
    static func failure(_ error: GStreamerError) -> CaptureError {
        var failure = CaptureError(error)
        (failure.message, failure.place) = ("the source of the sound failed: \(error.message)", setting)
        return failure
    }
}
