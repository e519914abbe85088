internal import DNG
internal import GSCapture

/// How the command ends, by the numbers of sysexits.h.
public enum ExitCode: Int32, Sendable {
    case done = 0
    /// The words of the command line are wrong.
    case usage = 64
    /// A file's content is wrong.
    case badInput = 65
    /// A file is not there.
    case noInput = 66
    /// An element, a library or a device is missing.
    case unavailable = 69
    /// A fault of ours.
    case software = 70
    /// A file cannot be made.
    case cannotCreate = 73
    /// Reading or writing failed, or the stream broke.
    case inputOutput = 74
    /// It may work another time.
    case tryAgain = 75
    /// Stopped by the user.
    case interrupted = 130

    /// The code for a failure of the library.
    init(_ error: CaptureError) {
        switch error.code {
        case .badPipeline: self = .badInput
        case .missingElement, .noDevice: self = .unavailable
        case .cannotWrite: self = .cannotCreate
        case .settingsReused, .formatNotAvailable, .qualityNotAllowed, .nothingRequested: self = .usage
        case .sessionNotRunning: self = .software
        default: self = .inputOutput
        }
    }

    /// The code for what is wrong with a DNG file.
    init(_ error: DNGError) { self = error.code == .missingCodec ? .unavailable : .badInput }
}

/// Ends the command with a message.
struct Failure: Error {
    var code: ExitCode
    var message: String

    init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: CaptureError) {
        let words = error.description
        let advice = (words.hasSuffix(".") ? " " : "; ") + "`gscap devices` lists the cameras"
        self.init(ExitCode(error), error.code == .noDevice ? words + advice : words)
    }
}
