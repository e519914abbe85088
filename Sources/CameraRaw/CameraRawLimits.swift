/// The limits of the process that reads a camera's raw file.
package struct CameraRawLimits: Sendable, Hashable {
    /// The memory in bytes, besides that of the file and of the result.
    package var memory: Int
    /// The processor time in seconds, of all its threads.
    package var processorSeconds: Int
    /// The time in seconds, which only a process reaches that waits, such as for a broken network drive.
    package var seconds: Int

    /// Creates limits.
    package init(memory: Int, processorSeconds: Int, seconds: Int) {
        self.memory = memory
        self.processorSeconds = processorSeconds
        self.seconds = seconds
    }

    /// Creates the limits for a file by its size: for small and crafted files tight, for those of cameras several times
    /// what LibRaw takes.
    package init(fileSize: Int) {
        let megabytes = fileSize >> 20
        self.init(
            memory: (128 << 20) + 32 * fileSize, processorSeconds: 5 + megabytes, seconds: 60 + 10 * (5 + megabytes))
    }
}
