import Dispatch
import GStreamer

extension Pipeline {
    /// Stops the pipeline, for a `deinit`: a probe that holds its camera for the length of a call may release it last,
    /// on a streaming thread, which cannot wait for its own end.
    func stopOnAnotherThread() { DispatchQueue.global().async { _ = try? self.setState(.null) } }
}
