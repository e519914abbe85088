internal import CHeap
internal import GStreamer
internal import Glibc
internal import GscapCommand

Command.installSignalHandlers()
gscap_keep_heap_small()
let code = await Command.run(Command.arguments)
GStreamerRuntime.stop()
exit(code.rawValue)
