import CHEIF
import PictureCodecs
import PictureFiles
import Testing

@Suite("A library that cannot be loaded")
struct LoadedLibraryTests {
    /// Returns the error if none of the files can be loaded; nil if one can.
    private func complaint(_ files: [String]) -> GscapError? {
        let library = unsafe LoadedLibrary(files, for: "HEIF files", HEIFFunctions(), gscap_load_heif)
        do throws(GscapError) {
            _ = try library.functions()
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "is reported with the reason and the package",
        arguments: [
            (["libnobody.so.1"], "No such file", "libnobody1"),
            (["libz.so.1"], "undefined symbol: heif_", "libz1"),
            (["libnobody.so.2", "libz.so.1"], "undefined symbol: heif_", "libnobody2 or libz1"),
        ])
    func complaints(files: [String], reason: String, packages: String) throws {
        let error = try #require(complaint(files))
        #expect(error.code == .missingCodec)
        for words in ["HEIF files", reason, packages] { #expect(error.message.contains(words), "\(error)") }
    }

    @Test("falls back to another version")
    func theNextVersionIsTried() {
        #expect(complaint(["libnobody.so.2"] + HEIFLibrary.files) == nil)
    }

    @Test(
        "is searched by file names of which one is installed",
        arguments: [HEIFLibrary.files, AVIFLibrary.files, JXLLibrary.files, WebPLibrary.files])
    func knownVersions(files: [String]) throws {
        let format = try #require(PictureFormat.allCases.first { files[0].contains($0.library) })
        try format.prepare()
    }
}

extension PictureFormat {
    /// The library that encodes the format.
    fileprivate var library: String {
        switch self {
        case .heic: "libheif"
        case .avif: "libavif"
        case .jxl: "libjxl"
        case .webp: "libwebp"
        case .jpeg, .png, .tiff, .exr: "none"
        }
    }
}
