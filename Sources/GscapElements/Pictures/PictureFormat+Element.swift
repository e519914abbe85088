internal import GStreamer
internal import PictureFiles

extension PictureFormat {
    /// Loads the codec library of this format; throws a missing-plugin error if the library is not installed.
    func prepareElement() throws(GscapError) {
        do { try prepare() } catch { throw GscapError(missing: error.message) }
    }
}
