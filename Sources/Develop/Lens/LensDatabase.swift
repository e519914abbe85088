internal import CLensfun
public import RawImage
internal import Synchronization

/// Lensfun's database of cameras and lenses, from its Debian package and its updates. *Thread-safe.*
public final class LensDatabase: Sendable {
    private let open: Mutex<OpenLensDatabase>

    private static let loaded = Result { () throws(GscapError) in try LensDatabase() }

    /// Returns the database, which is read at the first call; throws if Lensfun or its database is not installed.
    public static func shared() throws(GscapError) -> LensDatabase { try loaded.get() }

    private init() throws(GscapError) {
        open = Mutex(try OpenLensDatabase())
    }

    /// Returns the corrections of a photo's lens; nil if the database does not contain the camera and its lens, or the
    /// metadata lacks the focal length. The corrections are for the active area, of `width` × `height` pixels.
    public func profile(for metadata: FrameMetadata, width: Int, height: Int) -> LensProfile? {
        open.withLock { $0.profile(metadata, width, height) }
    }

    /// Returns the corrections of a lens named `lens`, whatever lens the metadata names.
    ///
    /// Throws if the database does not contain it for the photo's camera, or the metadata lacks the focal length.
    public func profile(
        named lens: String, for metadata: FrameMetadata, width: Int, height: Int
    ) throws(GscapError) -> LensProfile {
        try open.withLock { database throws(GscapError) in
            try database.profile(named: lens, metadata, width, height)
        }
    }
}
