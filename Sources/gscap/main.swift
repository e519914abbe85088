internal import GStreamer
internal import Glibc
internal import GscapCommand

Command.installSignalHandlers()
let code = await Command.run(Array(CommandLine.arguments.dropFirst()))
GStreamerRuntime.stop()
exit(code.rawValue)
