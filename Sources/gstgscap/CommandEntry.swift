internal import CHeap
internal import Dispatch
internal import GStreamer
internal import GscapCommand
internal import Synchronization

/// Runs the command `gscap` with the arguments of this process and returns its exit code; the program calls this on
/// its main thread. The attribute is `@_cdecl`, since Swift 6.2 has no `@c`.
@_cdecl("gscap_run_command")
public func runCommand() -> Int32 {
    Command.installSignalHandlers()
    gscap_keep_heap_small()
    let code = Mutex(ExitCode.software)
    let end = DispatchSemaphore(value: 0)
    Task {
        let result = await Command.run(Command.arguments)
        code.withLock { $0 = result }
        end.signal()
    }
    end.wait()
    GStreamerRuntime.stop()
    return code.withLock { $0.rawValue }
}
