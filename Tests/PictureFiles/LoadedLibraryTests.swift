import CHEIF
import PictureFiles
import Testing

@Suite("A library that cannot be loaded")
struct LoadedLibraryTests {
    /// What is told of it.
    private func complaint(_ name: String) -> PictureFileError? {
        let library = unsafe LoadedLibrary(name, for: "HEIF files", HEIFFunctions(), gscap_load_heif)
        do throws(PictureFileError) {
            _ = try library.functions()
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "is named, with the reason and the package",
        arguments: [
            ("libnobody.so.1", "No such file", "libnobody1"), ("libz.so.1", "undefined symbol: heif_", "libz1"),
        ])
    func complaints(name: String, reason: String, package: String) throws {
        let error = try #require(complaint(name))
        #expect(error.code == .missingCodec)
        for words in ["HEIF files", name, reason, package] { #expect(error.message.contains(words), "\(error)") }
    }
}
