internal import PhotoMetadata
internal import RawImage

/// The crop that the user chose, as fractions of the default crop: DefaultUserCrop, or the crop in the XMP packet of
/// Camera Raw and Lightroom. A rotated crop is not one.
struct UserCrop {
    let top: Double
    let left: Double
    let bottom: Double
    let right: Double

    /// Reads the crop; nil if the file has none, or an invalid one, or one of the whole picture.
    init?(first: TIFFDirectory, raw: TIFFDirectory?) {
        let values =
            // The settings that Lightroom has saved beside the present ones have crops, too.
            first.text(.xmp).flatMap {
                Self.values(XMPReader(XMPReader.removing(["crss:SavedSettings"], from: $0)))
            }
            ?? [raw, first].compactMap { $0?.numbers(.defaultUserCrop) }.first { $0.count == 4 }
        guard let values, values.allSatisfy((0...1).contains), values[0] < values[2], values[1] < values[3],
            values != [0, 0, 1, 1]
        else { return nil }
        (top, left, bottom, right) = (values[0], values[1], values[2], values[3])
    }

    private static func values(_ packet: XMPReader) -> [Double]? {
        func number(_ name: String) -> Double? { packet.text("crs:" + name).flatMap { Double($0) } }
        guard packet.text("crs:HasCrop")?.lowercased() == "true", number("CropAngle") ?? 0 == 0 else { return nil }
        let values = ["CropTop", "CropLeft", "CropBottom", "CropRight"].compactMap(number)
        return values.count == 4 ? values : nil
    }

    /// Returns the crop in pixels of the area that it refers to; at least one pixel.
    func area(of area: PixelRectangle) -> PixelRectangle {
        func place(_ fraction: Double, _ length: Int) -> Int { Int((fraction * Double(length)).rounded()) }
        let (x, y) = (min(place(left, area.width), area.width - 1), min(place(top, area.height), area.height - 1))
        return PixelRectangle(
            left: area.left + x, top: area.top + y, width: max(1, place(right, area.width) - x),
            height: max(1, place(bottom, area.height) - y))
    }
}
