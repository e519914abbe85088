internal import GSCapture
internal import GStreamer
internal import Glibc
internal import GscapElements

/// The command `gscap`, without its process: tests call it too.
public enum Command {
    /// The version that `--version` and the files tell.
    public static let version = GscapPlugin.version

    /// Holds signals back until the command takes them: call it before anything else, on the main thread.
    public static func holdSignals() { Interrupts.hold() }

    /// Runs the command with the words after its name; gives what the process is to end with.
    public static func run(_ words: [String]) async -> ExitCode {
        do {
            return try await dispatch(words)
        } catch let failure as Failure {
            Console().note(failure.message)
            return failure.code
        } catch let error as CaptureError {
            let failure = Failure(error)
            Console().note(failure.message)
            return failure.code
        } catch {
            Console().note("\(error)")
            return .software
        }
    }

    private static func dispatch(_ words: [String]) async throws -> ExitCode {
        let takesPhotos =
            words.first.map {
                !["plan", "inspect", "fuse", "develop", "convert", "verify", "devices", "help"].contains($0)
            }
            ?? false
        if !takesPhotos { Interrupts.letGo() }
        switch words.first {
        case nil:
            Console().print(Help.short)
            return .usage
        case "plan": return try PlanCommand.run(words.dropFirst())
        case "inspect": return try InspectCommand.run(words.dropFirst())
        case "fuse": return try FuseCommand.run(words.dropFirst())
        case "develop": return try DevelopCommand.run(words.dropFirst())
        case "convert": return try ConvertCommand.run(words.dropFirst())
        case "verify": return try VerifyCommand.run(words.dropFirst())
        case "devices": return try DevicesCommand.run(words.dropFirst())
        case "help":
            return try help(words.dropFirst().first)
        default: return try await CaptureCommand.run(words)
        }
    }

    static func help(_ topic: String?) throws(Failure) -> ExitCode {
        guard let text = Help.page(topic) else {
            throw Failure(
                .usage,
                "no help on \"\(topic ?? "")\"; there is plan, inspect, fuse, develop, convert, verify and devices")
        }
        Console().print(text)
        return .done
    }
}
