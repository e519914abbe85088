internal import CJXL
internal import PictureCodecs

extension JXLFunctions {
    /// Returns libjxl's functions, loading the library on first use; throws `missingCodec` if it is not installed.
    static func loaded() throws(DNGError) -> JXLFunctions {
        do throws(CodecError) { return try JXLLibrary.functions() } catch { throw DNGError(error) }
    }
}
