internal import CJXL
internal import PictureFiles

extension JXLFunctions {
    /// What libjxl can do; throws when it is not here.
    static func loaded() throws(DNGError) -> JXLFunctions {
        do throws(PictureFileError) { return try JXLLibrary.functions() } catch { throw DNGError(error) }
    }
}
