internal import CHeap
internal import GStreamer
internal import Glibc
internal import GscapCommand

Command.installSignalHandlers()
gscap_keep_heap_small()
let code = await Command.run(Array(CommandLine.arguments.dropFirst()))
GStreamerRuntime.stop()
exit(code.rawValue)
