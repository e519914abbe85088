internal import DNG
internal import Develop
internal import GSCapture
internal import PictureFiles
internal import RawImage

/// One way to develop, for one file after another.
struct DevelopJob {
    let settings: DevelopSettings
    let picture: PictureSettings
    let console: Console

    /// Develops a file and stores the picture.
    func run(_ path: String, to target: String, _ place: [(String, JSON)] = []) throws {
        let begun = ContinuousClock.now
        let pieces = try Self.explaining(path) {
            try picture.encode(settings.filter(path), console) { [console] share in
                console.progress(Progress.bar(Int(share * 100), of: 100, "writing \(target)"))
            }
        }
        console.clearProgress()
        try WholeFile.write(pieces: pieces, to: target)
        let size = pieces.reduce(0) { $0 + $1.count }
        let seconds = (ContinuousClock.now - begun) / .seconds(1)
        console.event(
            "file",
            [("file", .text(target)), ("from", .text(path)), ("bytes", .integer(size))] + place
                + [("seconds", .number(seconds))])
        guard !console.isJSON else { return }
        console.print("\(target)  \(Words.size(size)), \(Words.decimal(seconds, 2)) s")
    }

    /// Runs work on a file and puts the file's name before what went wrong.
    static func explaining<Result>(_ path: String, _ work: () throws -> Result) throws -> Result {
        do {
            return try work()
        } catch let error as DNGError {
            throw Failure(ExitCode(error), error.message.hasPrefix(path) ? error.message : "\(path): \(error.message)")
        } catch let error as DevelopError {
            throw Failure(error.code == .badPicture ? .badInput : .usage, "\(path): \(error.message)")
        } catch let error as RawImageError {
            throw Failure(.badInput, "\(path): \(error.message)")
        } catch let error as PictureFileError {
            throw Failure(error.code == .missingCodec ? .unavailable : .usage, "\(path): \(error.message)")
        }
    }
}
