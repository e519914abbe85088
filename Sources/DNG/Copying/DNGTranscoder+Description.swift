internal import PhotoMetadata
internal import RawImage

extension DNGTranscoder {
    /// Sets the new description, removes what a stripped file does not contain, and sets the XMP packet.
    func edit(_ first: DirectoryNode, _ file: DNGFile) {
        var metadata = file.metadata
        metadata.history = history(of: file)
        if let details { metadata.details = details }
        if isStripped {
            strip(first)
            metadata.details.location = nil
            metadata.details.artist = ""
            metadata.details.title = ""
            metadata.details.keywords = []
        }
        // The packet contains the description, so that a new description needs a new packet.
        let isNew = details != nil || isStripped
        if isNew { setDescription(first, metadata.details, before: file.metadata.details) }
        setPacket(first, file, metadata, old: isNew ? nil : file.xmp)
    }

    // MARK: A new description

    /// Sets the tags of the values that differ; all others stay as they are.
    private func setDescription(_ first: DirectoryNode, _ new: DescriptiveMetadata, before old: DescriptiveMetadata) {
        if new.artist != old.artist { first.set(.artist, text: new.artist) }
        if new.copyright != old.copyright { first.set(.copyright, text: new.copyright) }
        if new.title != old.title { first.set(.imageDescription, text: new.title) }
        setLens(first, new, before: old)
        guard new.location != old.location else { return }
        first.remove([.gpsIFD])
        if let location = new.location { first.children[.gpsIFD] = [gps(location, first)] }
    }

    private func setLens(_ first: DirectoryNode, _ new: DescriptiveMetadata, before old: DescriptiveMetadata) {
        let exif = first.children[.exifIFD]?.first ?? DirectoryNode(isBigEndian: first.isBigEndian)
        if new.lensMake != old.lensMake { exif.set(.lensMake, text: new.lensMake) }
        if new.lensModel != old.lensModel { exif.set(.lensModel, text: new.lensModel) }
        for (tag, value, before) in [
            (TIFFTag.fNumber, new.fNumber, old.fNumber), (.focalLength, new.focalLength, old.focalLength),
            (.digitalZoomRatio, new.digitalZoomRatio, old.digitalZoomRatio),
        ] where value != before {
            exif.remove([tag])
            if value > 0 { exif.set(tag, ratios: [value]) }
        }
        if new.focalLengthIn35mm != old.focalLengthIn35mm {
            exif.remove([.focalLengthIn35mm])
            let length = new.focalLengthIn35mm
            if (0.5..<65_535).contains(length) { exif.set(.focalLengthIn35mm, shorts: [Int(length.rounded())]) }
        }
        if !exif.values.isEmpty { first.children[.exifIFD] = [exif] }
    }

    private func gps(_ location: Location, _ first: DirectoryNode) -> DirectoryNode {
        let gps = DirectoryNode(isBigEndian: first.isBigEndian)
        gps.set(.gpsVersion, bytes: [2, 3, 0, 0])
        gps.set(.gpsLatitudeRef, text: location.latitude < 0 ? "S" : "N")
        gps.set(.gpsLatitude, ratios: DNGTags.degrees(location.latitude))
        gps.set(.gpsLongitudeRef, text: location.longitude < 0 ? "W" : "E")
        gps.set(.gpsLongitude, ratios: DNGTags.degrees(location.longitude))
        if let altitude = location.altitude {
            gps.set(.gpsAltitudeRef, bytes: [altitude < 0 ? 1 : 0])
            gps.set(.gpsAltitude, ratios: [abs(altitude)])
        }
        return gps
    }

    // MARK: Stripping

    /// Removes persons, places, texts and the identity of the device, also in tags that may contain them, and all
    /// private tags.
    private func strip(_ first: DirectoryNode) {
        first.remove([.gpsIFD])
        for node in first.all {
            node.remove(node.values.keys.filter { Self.isPersonal($0.number) })
            for exif in node.children[.exifIFD] ?? [] {
                exif.remove(exif.values.keys.filter { Self.isPersonalInExif($0.number) })
            }
        }
    }

    /// Whether a stripped file leaves out a tag of a picture's directory.
    private static func isPersonal(_ tag: UInt32) -> Bool {
        switch tag {
        // DocumentName, ImageDescription, PageName, Artist, HostComputer, XMP.
        case 269, 270, 285, 315, 316, 700: true
        // IPTC, Photoshop's resources, and the texts of Windows (XPTitle to XPSubject).
        case 33_723, 34_377, 40_091...40_095: true
        // CameraSerialNumber, DNGPrivateData with MakerNoteSafety, the original file's name and data.
        case 50_735, 50_740...50_741, 50_827, 50_828: true
        // Private tags: all that neither TIFF, TIFF/EP, Exif, ICC nor DNG define.
        case 0..<32_768, 33_421...33_439, 34_664...34_675, 34_850...34_867, 37_377...37_399, 36_864...36_881: false
        case 37_500, 37_510: true
        case 37_520...37_522, 40_960...41_996, 50_706...51_199, 52_500...52_700: false
        case 33_432: false
        default: true
        }
    }

    /// Whether a stripped file leaves out a tag of the Exif directory.
    private static func isPersonalInExif(_ tag: UInt32) -> Bool {
        switch tag {
        // MakerNote, UserComment, ImageUniqueID, CameraOwnerName, BodySerialNumber, LensSerialNumber, and the texts of
        // Exif 3.0, ImageTitle to MetadataEditingSoftware.
        case 37_500, 37_510, 42_016, 42_032, 42_033, 42_037, 42_038...42_045: true
        default: false
        }
    }
}
