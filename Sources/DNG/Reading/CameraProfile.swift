/// A camera profile: colour matrices for up to three illuminants, hue/saturation tables, tone curve and look.
///
/// A DNG has one in its first directory and may have others; a DCP file has one alone. `DNGFile.applying(_:)` develops
/// a photo with it.
public struct CameraProfile: Sendable {
    /// The profile's name; empty if it has none.
    public let name: String
    /// The copyright notice; empty if it has none.
    public let copyright: String
    /// The UniqueCameraModel of the only camera that the profile is for; empty for any camera.
    public let cameraModel: String
    /// The path of the DCP file; nil for a profile in a DNG and for bytes in memory.
    public let path: String?

    let directory: TIFFDirectory

    /// The profile's name, or a description of a profile without a name.
    public var label: String { name.isEmpty ? "(without a name)" : name }

    /// The magic number of profiles, "CR" in big-endian order, where TIFF has 42.
    private static let magic: UInt16 = 0x4352

    /// Opens a DCP file.
    public init(path: String) throws(GscapError) {
        do {
            try self.init(source: ByteSource(path: path))
        } catch {
            throw error.naming(path)
        }
    }

    /// Opens a DCP file in memory.
    public init(bytes: [UInt8]) throws(GscapError) {
        try self.init(source: ByteSource(bytes))
    }

    /// Reads a profile from the beginning of a source.
    init(source: ByteSource) throws(GscapError) {
        guard let head = source.bytes(at: 0, count: 4), [Array("IIRC".utf8), Array("MMCR".utf8)].contains(head) else {
            throw GscapError(
                .malformed, "this is not a DCP camera profile: it starts with neither IIRC nor MMCR",
                at: TIFFLocation(path: source.path))
        }
        let container = try TIFFContainer(source, magic: Self.magic)
        let directory = try container.directory(at: container.first)
        guard directory.has(.colorMatrix1) else {
            throw GscapError(
                .malformed, "the camera profile has no ColorMatrix1", at: TIFFLocation(directory, .colorMatrix1))
        }
        self.init(directory, cameraModel: directory.text(.uniqueCameraModel) ?? "")
    }

    init(_ directory: TIFFDirectory, cameraModel: String) {
        name = directory.text(.profileName) ?? ""
        copyright = directory.text(.profileCopyright) ?? ""
        self.cameraModel = cameraModel
        path = directory.container.source.path
        self.directory = directory
    }
}

extension DNGFile {
    /// The most profiles that are read of a file.
    private static let mostProfiles = 256

    /// The camera profiles in the file: the main one, then those of ExtraCameraProfiles. Invalid ones are left out.
    public var profiles: [CameraProfile] {
        var profiles: [CameraProfile] = []
        if first.has(.colorMatrix1) { profiles.append(CameraProfile(first, cameraModel: "")) }
        for offset in first.integers(.extraCameraProfiles).prefix(Self.mostProfiles) where offset > 0 {
            if let profile = try? CameraProfile(source: ByteSource(container.source, from: offset)) {
                profiles.append(profile)
            }
        }
        return profiles
    }

    /// Returns the file with another camera profile, which replaces the colour matrices, tables, tone curve and look;
    /// throws if the profile is for another camera, or invalid.
    public func applying(_ profile: CameraProfile) throws(GscapError) -> DNGFile {
        let (wanted, own) = (profile.cameraModel, uniqueCameraModel)
        guard wanted.isEmpty || wanted.lowercased() == own.lowercased() else {
            let camera = own.isEmpty ? "a camera without a name" : "the camera \"\(own)\""
            throw GscapError(
                .unsupported,
                "the camera profile \"\(profile.label)\" is for the camera \"\(wanted)\" only, but the photo is of "
                    + "\(camera): choose a profile of that camera")
        }
        var file = self
        try file.setProfile(profile.directory)
        return file
    }
}
