internal import PhotoMetadata
internal import RawImage

extension DevelopSidecar {
    /// The largest number of keywords that are read.
    private static let mostKeywords = 4096

    /// The possible widths and heights of a photo.
    private static let sides = 1.0...Double(MosaicFormat.maximumSide)

    /// The names of darktable's colour labels, by their numbers.
    private static let darktableLabels = ["Red", "Yellow", "Green", "Blue", "Purple"]

    /// Settings of Adobe's namespace that change the picture and have no equal here, and the values without an effect.
    private static let others: [(name: String, neutral: Double)] = [
        ("Contrast2012", 0), ("Highlights2012", 0), ("Shadows2012", 0), ("Whites2012", 0), ("Blacks2012", 0),
        ("Clarity2012", 0), ("Texture", 0), ("Dehaze", 0), ("Vibrance", 0), ("Saturation", 0),
        ("PostCropVignetteAmount", 0), ("CropAngle", 0), ("Contrast", 0), ("Brightness", 0),
    ]

    /// Reads an XMP packet, the text of a sidecar; throws unless it is one. Invalid values are ignored.
    public init(xmp: String) throws(GscapError) {
        guard xmp.contains("<rdf:RDF") else {
            throw GscapError(.badRecipe, "this is not an XMP sidecar: it contains no rdf:RDF")
        }
        self.init()
        let packet = XMPReader(xmp)
        func number(_ name: String, _ range: ClosedRange<Double>) -> Double? {
            packet.text(name).flatMap { Double($0) }.flatMap { range.contains($0) ? $0 : nil }
        }
        if let stars = number("xmp:Rating", -1...5).map({ Int($0) }), stars != 0 { rating = stars }
        label = packet.text("xmp:Label").flatMap { $0.isEmpty ? nil : $0 } ?? Self.darktableLabel(packet)
        keywords = packet.list("dc:subject", most: Self.mostKeywords)
        title = packet.list("dc:title", most: 1).first ?? packet.list("dc:description", most: 1).first
        orientation = number("tiff:Orientation", 1...8).map { Int($0) }
        width = number("tiff:ImageWidth", Self.sides).map { Int($0) }
        height = number("tiff:ImageLength", Self.sides).map { Int($0) }
        exposure = number("crs:Exposure2012", -10...10) ?? number("crs:Exposure", -10...10)
        if packet.text("crs:WhiteBalance") != "As Shot" {
            temperature = number("crs:Temperature", WhiteBalance.temperatures)
            tint = number("crs:Tint", WhiteBalance.tints)
        }
        profileName = packet.text("crs:CameraProfile").flatMap { $0.isEmpty ? nil : $0 }
        look = packet.text("gscap:Look").flatMap { RAWFilter.Look(rawValue: $0) }
        for setting in Self.settings { amounts[setting.name] = number("gscap:" + setting.name, setting.range) }
        readCrop(packet)
        let history = DarktableHistory(packet)
        orientation = orientation ?? history.orientation
        if packet.text("crs:HasCrop") == nil { crop = history.crop }
        ignored = Self.others.compactMap { name, neutral in
            let value = packet.text("crs:" + name).flatMap { Double($0) }
            return value.map { $0 != neutral } == true ? "crs:" + name : nil
        }
    }

    /// Returns the name of the first colour label that darktable stored; nil without one.
    private static func darktableLabel(_ packet: XMPReader) -> String? {
        let number = packet.list("darktable:colorlabels", most: 1).first.flatMap { Int($0) }
        return number.flatMap { darktableLabels.indices.contains($0) ? darktableLabels[$0] : nil }
    }

    private mutating func readCrop(_ packet: XMPReader) {
        guard packet.text("crs:HasCrop")?.lowercased() == "true" else { return }
        let edges = ["Left", "Top", "Right", "Bottom"].compactMap { packet.text("crs:Crop" + $0).flatMap(Double.init) }
        guard edges.count == 4 else { return }
        crop = Crop(left: edges[0], top: edges[1], right: edges[2], bottom: edges[3])
    }

    // MARK: Writing

    /// Returns the XMP packet of the sidecar. The properties of `previous`, the text of an existing sidecar, that this
    /// type does not write stay as they are; throws if that is not XMP, or damaged.
    public func xmp(updating previous: String? = nil) throws(GscapError) -> String {
        if let previous, !XMPReader(previous).hasMatchingTags {
            throw GscapError(
                .badRecipe,
                "the existing sidecar is damaged: its start and end tags do not match, so an update could lose "
                    + "settings; mend or move it")
        }
        let names = Self.writtenNames
        var packet = previous ?? XMPReader.emptyPacket
        packet = XMPReader.removingAttributes(names, from: XMPReader.removing(names, from: packet))
        let result = XMPReader.adding(
            properties,
            namespaces: [
                ("xmp", "http://ns.adobe.com/xap/1.0/"), ("dc", "http://purl.org/dc/elements/1.1/"),
                ("tiff", "http://ns.adobe.com/tiff/1.0/"), ("crs", "http://ns.adobe.com/camera-raw-settings/1.0/"),
                ("gscap", XMPPacket.namespace),
            ], to: packet)
        guard let result else {
            throw GscapError(.badRecipe, "the existing sidecar is not XMP: it contains no rdf:RDF")
        }
        return result
    }

    /// The properties that a sidecar has if they are set; those of an existing file are replaced.
    private static let writtenNames =
        [
            "xmp:Rating", "xmp:Label", "dc:subject", "dc:title", "tiff:ImageWidth", "tiff:ImageLength",
            "tiff:Orientation", "crs:HasSettings", "crs:Exposure2012", "crs:WhiteBalance", "crs:Temperature",
            "crs:Tint", "crs:CameraProfile", "crs:HasCrop",
            "crs:CropLeft", "crs:CropTop", "crs:CropRight", "crs:CropBottom", "crs:CropAngle", "gscap:Look",
        ] + settings.map { "gscap:" + $0.name }

    /// The properties, each encoded as an XML element.
    private var properties: [String] {
        func text(_ name: String, _ value: String?) -> String { XMPText.element(name, value ?? "") }
        func number(_ name: String, _ value: Double?, digits: Int = 6) -> String {
            text(name, value.map { XMPText.number($0, digits: digits) })
        }
        let settings = Self.settings.map { number("gscap:" + $0.name, amounts[$0.name]) }
        let white: [String] =
            temperature == nil
            ? [text("crs:WhiteBalance", "As Shot")]
            : [
                text("crs:WhiteBalance", "Custom"), number("crs:Temperature", temperature?.rounded()),
                number("crs:Tint", tint?.rounded()),
            ]
        let edges: [String] =
            crop?.stored(orientation: orientation ?? 1).map { crop in
                [
                    text("crs:HasCrop", "True"), number("crs:CropLeft", crop.left), number("crs:CropTop", crop.top),
                    number("crs:CropRight", crop.right), number("crs:CropBottom", crop.bottom),
                    text("crs:CropAngle", "0"),
                ]
            } ?? [text("crs:HasCrop", "False")]
        let descriptions = [
            text("xmp:Rating", rating.map { "\($0)" }), text("xmp:Label", label),
            XMPText.list("dc:subject", in: "Bag", keywords), XMPText.alternative("dc:title", title ?? ""),
            text("tiff:ImageWidth", width.map { "\($0)" }), text("tiff:ImageLength", height.map { "\($0)" }),
            text("tiff:Orientation", orientation.map { "\($0)" }), text("crs:HasSettings", "True"),
            number("crs:Exposure2012", exposure, digits: 2), text("crs:CameraProfile", profileName),
            text("gscap:Look", look?.rawValue),
        ]
        return (descriptions + white + edges + settings).filter { !$0.isEmpty }
    }
}
