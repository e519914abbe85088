internal import GStreamer
internal import PictureFiles

extension PictureFormat {
    /// Loads the library that such files need, or says to GStreamer that it is missing.
    func prepareElement() throws(GStreamerError) {
        do { try prepare() } catch { throw GStreamerError(missing: error.message) }
    }
}
