internal import CameraRaw
internal import Develop
internal import PictureFiles
internal import RawImage

/// The formats that can be written and read with the installed libraries.
enum FormatFindings {
    /// Returns a finding for each format of pictures, for ICC profiles, lens corrections and cameras' own raw files.
    static func all() -> [Finding] {
        PictureFormat.allCases.map(finding) + [
            check("ICC profiles", "for pictures with an ICC output profile") { try OutputProfile.prepare() },
            check("Lensfun", "for its lens corrections") { _ = try LensDatabase.shared() },
            check("LibRaw", "for cameras' own raw files") {
                // Any file that is no raw file reaches the library.
                do throws(GscapError) { _ = try CameraRawFile.header(path: "/proc/self/exe") } catch {
                    if error.code == .missingCodec { throw error }
                }
            },
        ]
    }

    /// Encodes a small picture, since a library may be there without its encoder.
    private static func finding(_ format: PictureFormat) -> Finding {
        let name = format.fileExtensions.map { "." + $0 }.joined(separator: ", ")
        return check(name, "can be written", isNeeded: format == .jpeg) {
            let side = 16
            let samples = [UInt8](repeating: 128, count: Picture.channels * side * side)
            let color = PictureColor(.sRGB, format == .exr ? .linear : .sRGB)
            let picture = try Picture(width: side, height: side, color: color, samples: .bytes(samples))
            _ = try PictureEncoding(format).encode(picture)
        }
    }

    /// Runs a check. What it throws names the package that is missing.
    private static func check(
        _ subject: String, _ use: String, isNeeded: Bool = false, _ run: () throws -> Void
    ) -> Finding {
        do {
            try run()
            return Finding(.formats, subject, use)
        } catch {
            let message = "\(error)"
            // A message says what is wrong, and after a semicolon or colon what to do.
            let parts = message.split(separator: /[;:] (?=install)/, maxSplits: 1)
            return Finding(
                .formats, subject, parts.first.map(String.init) ?? message, isNeeded ? .needed : .missing,
                advice: parts.count > 1 ? String(parts[1]) : nil)
        }
    }
}
