public import RawImage

extension CaptureSession {
    /// Measurements of the scene from the live frames, at most four a second: brightness, whether a flash would help,
    /// and motion.
    ///
    /// Each call returns a stream for one more reader. The newest measurement comes first, if there is one; a slow
    /// reader skips to the newest. The stream continues when the session stops and starts again, and ends when the
    /// session is released. Nothing is measured while there is no reader.
    public var sceneUpdates: AsyncStream<SceneState> { scene.updates() }
}
