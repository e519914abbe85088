/// The offsets of the fields of LibRaw's `libraw_data_t` that are read, in bytes. They differ between the releases of
/// LibRaw, and are the same on all 64-bit processors.
///
/// LibRaw's C interface has functions for a part of the fields only: it has none for the black levels, the colour
/// matrix and the codes. `Tools/libraw-layout` prints the offsets of the installed headers, and `Tools/check libraw`
/// compares them with this table. When a file is opened, those fields that LibRaw has functions for are compared with
/// the results of these (`LibRawPhoto.check`), so that a library with another layout is refused.
struct LibRawLayout: Sendable, Hashable {
    /// The release, such as 0.21: the versions 0.21.0, 0.21.1, …
    let release: String
    /// The crop that the camera states (`sizes.raw_inset_crop`, since 0.21 the first of `raw_inset_crops`): left, top,
    /// width and height in the raw picture.
    let insetCrop: Int
    /// Make, model and pattern (`idata`).
    let parameters: Int
    /// The lens (`lens`).
    let lens: Int
    /// The camera's serial number (`shootinginfo.BodySerial`).
    let serial: Int
    /// The black levels by colour, and in cells (`color.cblack`).
    let cblack: Int
    /// The black level of all codes (`color.black`).
    let black: Int
    /// The white level (`color.maximum`).
    let maximum: Int
    /// The white levels by colour that the camera states (`color.linear_max`).
    let linearMaximum: Int
    /// The bytes of each of these levels: before release 0.22 they are of C's type `long`.
    var linearMaximumSize: Int { release == "0.22" ? 4 : 8 }
    /// The factors of the white balance that the camera chose (`color.cam_mul`).
    let cameraBalance: Int
    /// The factors of a white balance for daylight (`color.pre_mul`).
    let daylightBalance: Int
    /// The matrix from the camera's colours to sRGB (`color.rgb_cam`).
    let displayMatrix: Int
    /// The matrix from CIE XYZ to the camera's colours (`color.cam_xyz`).
    let colorMatrix: Int
    /// Whether the flash fired (`color.flash_used`).
    let flash: Int
    /// Exposure, time and place (`other`).
    let other: Int
    /// The address of the codes of a mosaic (`rawdata.raw_image`).
    let codes: Int

    /// The layouts of the releases, oldest first.
    static let all = [
        LibRawLayout(
            release: "0.20", insetCrop: 172, parameters: 184, lens: 624, serial: 4910, cblack: 136_456, black: 152_872,
            maximum: 152_880, linearMaximum: 152_888, cameraBalance: 153_056, daylightBalance: 153_072,
            displayMatrix: 153_184, colorMatrix: 153_232, flash: 153_316, other: 192_424, codes: 193_256),
        LibRawLayout(
            release: "0.21", insetCrop: 174, parameters: 192, lens: 632, serial: 4894, cblack: 136_456, black: 152_872,
            maximum: 152_880, linearMaximum: 152_888, cameraBalance: 153_056, daylightBalance: 153_072,
            displayMatrix: 153_184, colorMatrix: 153_232, flash: 153_316, other: 192_432, codes: 193_528),
        LibRawLayout(
            release: "0.22", insetCrop: 174, parameters: 192, lens: 632, serial: 5102, cblack: 136_664, black: 153_080,
            maximum: 153_088, linearMaximum: 153_092, cameraBalance: 153_244, daylightBalance: 153_260,
            displayMatrix: 153_372, colorMatrix: 153_420, flash: 153_504, other: 192_680, codes: 193_776),
    ]

    /// The offsets within the parts, which all releases have in common.
    enum Parts {
        // Sizes, from the start of the whole.
        static let rawHeight = 8
        static let rawWidth = 10
        static let height = 12
        static let width = 14
        static let topMargin = 16
        static let leftMargin = 18
        static let bytesInRow = 24
        static let flip = 40
        // From `parameters`.
        static let make = 4
        static let model = 68
        static let isFoveon = 336
        static let colors = 340
        static let filters = 344
        static let colorNames = 420
        // From `lens`.
        static let lensMake = 20
        static let lensModel = 148
        static let focalLengthIn35mm = 532
        static let lensOfMakerNotes = 568
        // From `other`.
        static let iso = 0
        static let exposureTime = 4
        static let fNumber = 8
        static let focalLength = 12
        static let time = 16
        static let gps = 156
        static let title = 204
        static let artist = 716
        // From `gps`: degrees, minutes and seconds of the latitude, then of the longitude; the altitude.
        static let longitude = 12
        static let altitude = 36
        static let altitudeSign = 40
        static let latitudeSign = 41
        static let longitudeSign = 42
        static let hasPlace = 44
    }
}
