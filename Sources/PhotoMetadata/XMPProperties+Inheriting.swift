/// The choice of the properties that a photo made of a file's pixels takes over from it.
extension XMPProperties {
    /// Keeps the properties of a packet that hold for every photo made of its picture: the description by a person, the
    /// edits in other software, and what the camera states. Leaves out those of the pixels and of the file, and this
    /// project's own. Nil if the packet cannot be read.
    package init?(inheritableFrom packet: String) {
        self.init(XMPReader(packet))
        remove { property in
            Self.unwantedNamespaces.contains { property.namespace.hasPrefix($0) }
                || Self.unwanted[property.namespace]?.contains(String(property.localName)) == true
        }
    }

    /// Removes the crop that a person chose in other software, and the edits that are positions in the whole picture.
    package mutating func removeCrop() {
        let edits: Set<Substring> = ["HasCrop", "RetouchInfo", "RetouchAreas", "RedEyeInfo"]
        remove {
            $0.namespace == Self.cameraRaw
                && ($0.localName.hasPrefix("Crop") || $0.localName.hasSuffix("BasedCorrections")
                    || edits.contains($0.localName))
        }
    }

    private static let cameraRaw = "http://ns.adobe.com/camera-raw-settings/1.0/"

    /// The beginnings of the URIs of namespaces that no photo inherits: this project's own, the identity and history
    /// of a file, saved settings with crops of their own, descriptions of further data in the file (Google's, gain
    /// maps, Apple's), and the parts of a long packet.
    private static let unwantedNamespaces = [
        XMPPacket.namespace, "http://ns.adobe.com/xap/1.0/mm/", "http://ns.adobe.com/camera-raw-saved-settings/",
        "http://ns.google.com/photos/", "http://ns.adobe.com/hdr-gain-map/", "http://ns.apple.com/HDRGainMap/",
        "http://ns.apple.com/pixeldatainfo/", "http://ns.adobe.com/xmp/note/",
    ]

    /// The names of properties that no photo inherits, by namespace.
    private static let unwanted: [String: Set<String>] = [
        "http://ns.adobe.com/xap/1.0/": [
            "BaseURL", "CreatorTool", "Identifier", "MetadataDate", "ModifyDate", "Thumbnails",
        ],
        "http://ns.adobe.com/tiff/1.0/": [
            "BitsPerSample", "Compression", "DateTime", "ImageLength", "ImageWidth", "NativeDigest",
            "PhotometricInterpretation", "PlanarConfiguration", "PrimaryChromaticities", "ReferenceBlackWhite",
            "ResolutionUnit", "SamplesPerPixel", "Software", "TransferFunction", "WhitePoint", "XResolution",
            "YCbCrCoefficients", "YCbCrPositioning", "YCbCrSubSampling", "YResolution",
        ],
        "http://ns.adobe.com/exif/1.0/": [
            "CFAPattern", "ColorSpace", "ComponentsConfiguration", "CompressedBitsPerPixel", "DigitalZoomRatio",
            "FocalLengthIn35mmFilm", "FocalPlaneXResolution", "FocalPlaneYResolution", "ImageUniqueID",
            "NativeDigest", "PixelXDimension", "PixelYDimension", "SpatialFrequencyResponse", "SubjectArea",
            "SubjectLocation",
        ],
        "http://ns.adobe.com/photoshop/1.0/": [
            "ColorMode", "DocumentAncestors", "EmbeddedXMPDigest", "History", "ICCProfile", "LegacyIPTCDigest",
            "SidecarForExtension",
        ],
        "http://www.digikam.org/ns/1.0/": ["ImageHistory", "ImageUniqueID"],
        "http://purl.org/dc/elements/1.1/": ["format"],
        cameraRaw: ["AlreadyApplied", "RawFileName"],
    ]
}
