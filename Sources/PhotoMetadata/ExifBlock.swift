package import RawImage

/// The Exif metadata of an image: TIFF tags with the Exif and GPS directories.
package struct ExifBlock {
    package let metadata: FrameMetadata
    package let software: String
    package let color: PictureColor
    package let width: Int
    package let height: Int
    /// Whether pixels are stored as luma and chroma (YCbCr) rather than RGB.
    package let isYCbCr: Bool
    /// The thumbnail; nil for none.
    package var thumbnail: ExifThumbnail?
    /// The content identifier of a Live Photo, which its movie has as well; nil for none.
    package var contentIdentifier: String?
    /// How much of the Exif of the file that the frame was read from (`FrameMetadata.sourceTags`) the block has.
    private var inheritance = Inheritance.all

    /// The parts of the Exif of a frame's file.
    private enum Inheritance {
        case none, withoutMakerNote, all
    }

    /// Creates the Exif metadata of an image of `width`×`height` pixels from its frame metadata.
    package init(
        metadata: FrameMetadata, software: String, color: PictureColor, width: Int, height: Int, isYCbCr: Bool
    ) {
        (self.metadata, self.software, self.color) = (metadata, software, color)
        (self.width, self.height, self.isYCbCr) = (width, height, isYCbCr)
    }

    /// The encoded block: a TIFF header followed by the directories.
    package var bytes: [UInt8] { tags.bytes }

    /// Leaves out the thumbnail, then the maker note of the frame's file, then all that comes from that file, until the
    /// encoded block has at most `most` bytes.
    package mutating func shorten(to most: Int) {
        if bytes.count > most { thumbnail = nil }
        for rest in [Inheritance.withoutMakerNote, .none] where bytes.count > most { inheritance = rest }
    }

    /// The tags of the primary directory, including the Exif and GPS sub-directories: those of the photo and, in
    /// addition, those that the file of its frame has.
    package var tags: ExifDirectoryEncoder {
        var block = ownTags
        let source = ExifFields(inheritance == .none ? [] : metadata.sourceTags)
        block.inherit(source.primary.filter { !Self.known.contains($0.key) })
        if case .directory(var exif) = block[0x8769] {
            inherit(source, into: &exif)
            block[0x8769] = .directory(exif)
        }
        // The GPS directory of the frame's file, if the place is still the one that it states.
        guard !source.gps.isEmpty, Self.isSame(source.location, metadata.details.location) else { return block }
        var gps = ExifDirectoryEncoder()
        // Without a place, the coordinates are void: readers that do not know GPSStatus would show 0° N 0° E.
        gps.inherit(source.gps.filter { metadata.details.location != nil || !(1...4).contains($0.key) })
        block[0x8825] = .directory(gps)
        return block
    }

    /// The tags of the primary directory that the metadata of the photo settles, also when it has no values for them.
    private static let known: Set<UInt16> = [0x010E, 0x010F, 0x0110, 0x0132, 0x013B, 0x8298]
    /// The tags of Exif that the metadata of the photo settles.
    private static let knownInExif: Set<UInt16> = [
        0x829A, 0x829D, 0x8827, 0x9003, 0x9004, 0x9010, 0x9011, 0x9012, 0x9204, 0x920A, 0x9290, 0x9291, 0x9292, 0xA001,
        0xA404, 0xA405, 0xA433, 0xA434,
    ]

    private func inherit(_ source: ExifFields, into exif: inout ExifDirectoryEncoder) {
        var fields = source.exif.filter { !Self.knownInExif.contains($0.key) }
        let note = fields.removeValue(forKey: 0x927C)
        if exif[0x927C] == nil, inheritance == .all, let note, MakerNote.isMovable(note.bytes) {
            exif.inherit([0x927C: note])
        }
        // All bits of Flash, if the flash of the photo did the same; and a newer version of Exif.
        if let flash = fields[0x9209]?.number(), metadata.flashFired.map({ $0 == (flash & 1 == 1) }) ?? true {
            exif[0x9209] = nil
        }
        if let version = fields[0x9000], version.text > Self.version { exif[0x9000] = nil }
        exif.inherit(fields)
    }

    /// The version of Exif of the block's own tags.
    private static let version = "0232"

    /// Whether two places are the same, as exactly as coordinates are stored.
    private static func isSame(_ one: Location?, _ other: Location?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return abs(one.latitude - other.latitude) < 1e-5 && abs(one.longitude - other.longitude) < 1e-5
    }

    /// The tags of the primary directory that the metadata of the photo gives.
    private var ownTags: ExifDirectoryEncoder {
        let details = metadata.details
        var block = ExifDirectoryEncoder()
        block.thumbnail = thumbnail
        block[0x010E] = text(details.title)
        block[0x010F] = text(metadata.make)
        block[0x0110] = text(metadata.model)
        block[0x0112] = .shorts([metadata.validOrientation])
        // XResolution and YResolution of 72 per inch (ResolutionUnit 2): Exif's default for images without a physical
        // size.
        block[0x011A] = .ratios([72])
        block[0x011B] = .ratios([72])
        block[0x0128] = .shorts([2])
        block[0x0131] = text(software)
        block[0x0132] = time.map { .text($0.exif) }
        block[0x013B] = text(details.artist)
        // YCbCrPositioning 1, centred: chroma samples lie midway between luma samples.
        block[0x0213] = isYCbCr ? .shorts([1]) : nil
        block[0x8298] = text(details.copyright)
        block[0x8769] = .directory(exifDirectory)
        block[0x8825] = details.location.map { .directory(Self.gpsDirectory($0)) }
        return block
    }

    private var time: CivilTime? { metadata.civilTime }

    /// The Exif sub-directory: exposure, time, lens, colour space, size and number of fused frames.
    private var exifDirectory: ExifDirectoryEncoder {
        let details = metadata.details
        var block = ExifDirectoryEncoder()
        block[0x829A] = ratio(metadata.exposureTime)
        block[0x829D] = ratio(details.fNumber)
        setSensitivity(&block)
        block[0x9000] = .undefined(Array(Self.version.utf8))
        block[0xA000] = .undefined(Array("0100".utf8))
        // ComponentsConfiguration: Y, Cb, Cr, none.
        block[0x9101] = isYCbCr ? .undefined([1, 2, 3, 0]) : nil
        if let time {
            block[0x9003] = .text(time.exif)
            block[0x9004] = .text(time.exif)
            for tag: UInt16 in [0x9010, 0x9011, 0x9012] { block[tag] = text(time.offset) }
            block[0x9291] = .text(time.subSeconds)
            block[0x9292] = .text(time.subSeconds)
        }
        // ExposureBiasValue, in hundredths of an EV.
        block[0x9204] = metadata.exposureBias.flatMap { $0.isFinite ? .signedHundredths([$0]) : nil }
        // Flash: bit 0 is whether it fired.
        block[0x9209] = metadata.flashFired.map { .shorts([$0 ? 1 : 0]) }
        block[0x920A] = ratio(details.focalLength)
        block[0x927C] = contentIdentifier.map { .undefined(AppleMakerNote.bytes(contentIdentifier: $0)) }
        // ColorSpace: 1 is sRGB; 0xFFFF is uncalibrated, defined by the embedded ICC profile.
        block[0xA001] = .shorts([color == .sRGB ? 1 : 0xFFFF])
        block[0xA002] = .longs([width])
        block[0xA003] = .longs([height])
        block[0xA404] = details.digitalZoomRatio > 1 ? ratio(details.digitalZoomRatio) : nil
        let equivalent = details.focalLengthIn35mm
        if equivalent.isFinite, (0.5..<65_535).contains(equivalent) {
            block[0xA405] = .shorts([Int(equivalent.rounded())])
        }
        block[0xA433] = text(details.lensMake)
        block[0xA434] = text(details.lensModel)
        if metadata.fusedFrames > 1 {
            // CompositeImage 3: composed by the camera at capture time. SourceImageNumberOfCompositeImage: number of
            // source images, and how many of them were used.
            block[0xA460] = .shorts([3])
            block[0xA461] = .shorts([metadata.fusedFrames, metadata.fusedFrames])
        }
        return block
    }

    private func setSensitivity(_ block: inout ExifDirectoryEncoder) {
        guard metadata.iso.isFinite, metadata.iso >= 0.5 else { return }
        // PhotographicSensitivity has only 16 bits: its maximum of 65,535 means that ISOSpeed (SensitivityType 3), a
        // LONG, has the actual value.
        let speed = Int(min(metadata.iso, 4e9).rounded())
        block[0x8827] = .shorts([min(speed, 65_535)])
        if speed >= 65_535 {
            block[0x8830] = .shorts([3])
            block[0x8833] = .longs([speed])
        }
    }

    /// Returns the GPS sub-directory: version, latitude, longitude and, if known, altitude.
    private static func gpsDirectory(_ location: Location) -> ExifDirectoryEncoder {
        var block = ExifDirectoryEncoder()
        block[0] = .bytes([2, 3, 0, 0])
        block[1] = .text(location.latitude < 0 ? "S" : "N")
        block[2] = .ratios(degreesMinutesSeconds(location.latitude))
        block[3] = .text(location.longitude < 0 ? "W" : "E")
        block[4] = .ratios(degreesMinutesSeconds(location.longitude))
        if let altitude = location.altitude {
            block[5] = .bytes([altitude < 0 ? 1 : 0])
            block[6] = .ratios([abs(altitude)])
        }
        return block
    }

    /// Returns the degrees, minutes and seconds of an angle without its sign; seconds are rounded to hundredths.
    private static func degreesMinutesSeconds(_ angle: Double) -> [Double] {
        let hundredths = (abs(angle) * 360_000).rounded()
        let degrees = (hundredths / 360_000).rounded(.down)
        let minutes = ((hundredths - degrees * 360_000) / 6000).rounded(.down)
        return [degrees, minutes, (hundredths - degrees * 360_000 - minutes * 6000) / 100]
    }

    private func text(_ text: String) -> ExifDirectoryEncoder.Value? { text.isEmpty ? nil : .text(text) }

    private func ratio(_ value: Double) -> ExifDirectoryEncoder.Value? {
        value.isFinite && value > 0 ? .ratios([value]) : nil
    }
}

extension ExifDirectoryEncoder {
    /// Adds the fields that the directory lacks.
    fileprivate mutating func inherit(_ fields: [UInt16: ExifFields.Field]) {
        for (tag, field) in fields where self[tag] == nil {
            self[tag] = .stored(type: field.type, count: field.count, bytes: field.bytes)
        }
    }
}

extension FrameMetadata {
    /// Exif's orientation if it is in 1…8, otherwise 1 (upright).
    package var validOrientation: Int { (1...8).contains(orientation) ? orientation : 1 }
}
