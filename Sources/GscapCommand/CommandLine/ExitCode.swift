internal import DNG
internal import Develop
// Exported, so that the members of the error are visible in all files.
@_exported public import Errors
internal import Files
internal import GSCapture
internal import GscapElements

/// The exit code of the command, numbered as in sysexits.h.
public enum ExitCode: Int32, Error {
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

    /// Returns the exit code of a failure, or that which stands for the kind of another error.
    init(_ error: Failure) {
        if let code = error.cause as? ExitCode {
            self = code
            return
        }
        switch error.code {
        case .badPipeline: self = .badInput
        case .missingElement, .noDevice: self = .unavailable
        case .cannotWrite: self = error.isWriteFailure ? .inputOutput : .cannotCreate
        case .cannotRead: self = .noInput
        case .nameTemplateInvalid: self = .usage
        // Errors of files and pictures are converted to failures where the file is known.
        case .sessionNotRunning, .badPicture, .badOutput, .badRecipe, .malformed, .unsupported, .noMemory, .encoder,
            .container:
            self = .software
        default: self = Failure.Code.rules.contains(error.code) ? .usage : .inputOutput
        }
    }
}

/// An error that ends the command with an exit code and a message on standard error. Its cause is the exit code.
typealias Failure = GscapError

/// The input file that a failure concerns.
private struct InputPosition: ErrorPosition {
    let file: String
    let markedText: String? = nil
}

extension Failure {
    init(_ code: ExitCode, _ message: String, file: String? = nil) {
        self.init(Code(rawValue: "commandFailed"), message, at: file.map(InputPosition.init), cause: code)
    }

    /// Converts an error of a capture session to a failure. If the camera is missing, the message adds the advice to
    /// list the cameras.
    init(_ error: Failure) {
        guard !error.isFailure else {
            self = error
            return
        }
        let message = error.commandText
        let advice = (message.hasSuffix(".") ? " " : "; ") + "`gscap devices` lists the cameras"
        self.init(ExitCode(error), error.code == .noDevice ? message + advice : message)
    }

    /// Converts an error of the file at a path, or of the settings for encoding it, to a failure that names the file.
    init(_ error: Failure, of path: String, file: String? = nil, encoding: Bool = false) {
        guard !error.isFailure else {
            self = error
            return
        }
        let isSetting = encoding || [.badRecipe, .badOutput, .badLook].contains(error.code)
        let isMissing = [.missingCodec, .missingLibrary].contains(error.code)
        self.init(isMissing ? .unavailable : isSetting ? .usage : .badInput, error.naming(path).message, file: file)
    }

    /// Whether the error is a failure of the command, with an exit code.
    var isFailure: Bool { cause is ExitCode }

    /// The exit code of the command after this failure.
    var exitCode: ExitCode { ExitCode(self) }

    /// The input file that the failure concerns; nil if it concerns none.
    var file: String? { (position as? InputPosition)?.file }
}
