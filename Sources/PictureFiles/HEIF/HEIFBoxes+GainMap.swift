internal import RawImage

/// Gain maps in HEIF and AVIF: ISO 21496-1 metadata in a tone-map derived image (ISO/IEC 23008-12, Amendment 1).
extension HEIFBoxes {
    /// Adds a gain map for the primary image, whose colours are `color`. `image` is a file with the map's pixels as
    /// primary image; its codec is that of this file.
    ///
    /// The derived image (`tmap`) is the preferred alternative to the primary image, which remains the SDR picture for
    /// readers that do not support gain maps.
    mutating func add(
        _ map: GainMap, image: HEIFBoxes, color: PictureColor, levels: ContentLightLevel?, orientation: Int
    ) throws(GscapError) {
        let base = try mainImage()
        var pixels = try image.mainItem()
        pixels.isHidden = true
        // A derived image starts from upright images: the map is rotated as the primary image is, `tmap` is not. Its
        // size is nevertheless that of the primary image before the rotation: libavif 1.2 rejects the file otherwise.
        pixels.properties += HEIFBox.turns(from: orientation)
        let mapItem = try add(pixels)
        let hdr = PictureColor(color.primaries, .pq)
        // The first byte is the version of the derived image's data.
        let derived = Item(
            type: "tmap", bytes: [0] + map.isoBytes,
            properties: [.size(width: map.base.width, height: map.base.height), .depth(10), .colors(hdr)]
                + (levels.map { [.levels($0)] } ?? []))
        let derivedItem = try add(derived)
        addReference("dimg", from: derivedItem, to: [base, mapItem])
        try addAlternatives([derivedItem, base])
        try add(brand: "tmap")
    }
}
