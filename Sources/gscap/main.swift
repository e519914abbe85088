internal import Glibc
internal import GscapCommand

exit(await Command.run(Array(CommandLine.arguments.dropFirst())).rawValue)
