/// The choice of the properties that a photo made of a file's pixels takes over from it.
extension XMPProperties {
    /// The properties of a packet that hold for every photo made of its picture: the description by a person, edits in
    /// other software, and the camera's. Those of the pixels, of the file itself and of this project's own are left
    /// out. Nil if the packet cannot be read.
    package init?(inheritableFrom packet: String) {
        self.init(XMPReader(packet))
        remove { property in
            Self.unwantedNamespaces.contains { property.namespace.hasPrefix($0) }
                || Self.unwanted[property.namespace]?.contains(String(property.localName)) == true
        }
    }

    /// Removes the crop that a person chose in other software.
    package mutating func removeCrop() {
        remove {
            $0.namespace == Self.cameraRaw && ($0.localName.hasPrefix("Crop") || $0.localName == "HasCrop")
        }
    }

    private static let cameraRaw = "http://ns.adobe.com/camera-raw-settings/1.0/"

    /// The beginnings of the URIs of namespaces that no photo inherits: this project's own, the identity and history
    /// of a file, what follows in the same file (Google's container and gain map), and the parts of a long packet.
    private static let unwantedNamespaces = [
        XMPPacket.namespace, "http://ns.adobe.com/xap/1.0/mm/", "http://ns.google.com/photos/",
        "http://ns.adobe.com/hdr-gain-map/", "http://ns.adobe.com/xmp/note/",
    ]

    /// The names of properties that no photo inherits, by namespace.
    private static let unwanted: [String: Set<String>] = [
        "http://ns.adobe.com/xap/1.0/": ["CreatorTool", "MetadataDate", "ModifyDate", "Thumbnails"],
        "http://ns.adobe.com/tiff/1.0/": [
            "BitsPerSample", "Compression", "ImageLength", "ImageWidth", "NativeDigest", "PhotometricInterpretation",
            "PlanarConfiguration", "PrimaryChromaticities", "ReferenceBlackWhite", "ResolutionUnit",
            "SamplesPerPixel", "Software", "TransferFunction", "WhitePoint", "XResolution", "YCbCrCoefficients",
            "YCbCrPositioning", "YCbCrSubSampling", "YResolution",
        ],
        "http://ns.adobe.com/exif/1.0/": [
            "CFAPattern", "ComponentsConfiguration", "CompressedBitsPerPixel", "FocalPlaneXResolution",
            "FocalPlaneYResolution", "NativeDigest", "PixelXDimension", "PixelYDimension",
            "SpatialFrequencyResponse", "SubjectArea", "SubjectLocation",
        ],
        "http://purl.org/dc/elements/1.1/": ["format"],
        cameraRaw: ["RawFileName"],
    ]
}
