internal import DNG
internal import Files
internal import GSCapture
internal import GscapElements

/// The exit code of the command, numbered as in sysexits.h.
public enum ExitCode: Int32, Sendable {
    /// Success.
    case done = 0
    /// The command line is invalid.
    case usage = 64
    /// The content of an input file is invalid.
    case badInput = 65
    /// An input file does not exist or cannot be opened.
    case noInput = 66
    /// An element, a library or a device is missing.
    case unavailable = 69
    /// An internal error of gscap.
    case software = 70
    /// An output file or folder cannot be created.
    case cannotCreate = 73
    /// Reading or writing failed, or the stream failed.
    case inputOutput = 74
    /// A time limit was reached; a later run may succeed.
    case tryAgain = 75
    /// A signal such as SIGINT (Ctrl-C) ended the command.
    case interrupted = 130

    /// Converts an error of a capture session to an exit code.
    init(_ error: CaptureError) {
        switch error.code {
        case .badPipeline: self = .badInput
        case .missingElement, .noDevice: self = .unavailable
        case .cannotWrite: self = (error.cause as? FileError)?.kind == .notWritten ? .inputOutput : .cannotCreate
        case .cannotRead: self = .noInput
        case .nameTemplateInvalid: self = .usage
        case .sessionNotRunning: self = .software
        default: self = CaptureError.Code.rules.contains(error.code) ? .usage : .inputOutput
        }
    }

    /// Converts an error of a DNG file to an exit code.
    init(_ error: DNGError) { self = error.code == .missingCodec ? .unavailable : .badInput }
}

/// An error that ends the command with an exit code and a message on standard error.
struct Failure: Error {
    var code: ExitCode
    var message: String
    /// The input file that the error concerns; nil if it concerns none.
    var file: String?

    init(_ code: ExitCode, _ message: String, file: String? = nil) {
        self.code = code
        self.message = message
        self.file = file
    }

    /// Converts an error of a capture session to a failure. If the camera is missing, the message adds the advice to
    /// list the cameras.
    init(_ error: CaptureError) {
        let message = error.commandText
        let advice = (message.hasSuffix(".") ? " " : "; ") + "`gscap devices` lists the cameras"
        self.init(ExitCode(error), error.code == .noDevice ? message + advice : message)
    }
}
