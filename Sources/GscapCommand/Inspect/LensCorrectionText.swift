internal import DNG
internal import Develop
internal import RawImage

/// The lens corrections that `gscap develop` applies to a photo by default, as `gscap inspect` reports them.
struct LensCorrectionText {
    /// The origin of the corrections for programs: file, lensfun or none.
    let source: String
    /// The origin and the corrected faults for people.
    let text: String
    /// The lens in Lensfun's database and what is corrected; nil for other corrections.
    let profile: String?

    /// Finds the corrections of a file: its own or, if it has none, those of Lensfun. Nil if it has no raw image.
    init?(_ file: DNGFile) {
        guard let area = file.main?.activeArea else { return nil }
        let own = file.metadata.lens
        if !own.isEmpty {
            (source, text, profile) = ("file", "the file's: " + Self.parts(of: own).joined(separator: ", "), nil)
        } else if file.metadata.details.focalLength > 0 {
            // Without a focal length Lensfun finds no lens, so its database need not be read.
            do throws(GscapError) {
                let profile = try LensDatabase.shared().profile(
                    for: file.metadata, width: area.width, height: area.height)
                self.profile = profile?.summary
                (source, text) = profile.map { ("lensfun", $0.summary) } ?? ("none", "none")
            } catch {
                (source, text, profile) = ("none", "none: \(error.message)", nil)
            }
        } else {
            (source, text, profile) = ("none", "none", nil)
        }
    }

    private static func parts(of correction: LensCorrection) -> [String] {
        var parts = correction.shading.isEmpty ? [] : ["shading"]
        if let warp = correction.warp {
            parts.append("distortion")
            if warp.planes.count > 1 { parts.append("chromatic aberration") }
        }
        return parts
    }
}
