package import DNG
internal import PhotoMetadata
internal import RawImage
internal import TIFF

extension DNGData {
    /// Returns the file, which was encoded from a camera's own raw file, with the metadata of that file: all tags of
    /// Exif and GPS, and those of the primary directory that describe the photo. They replace the values that LibRaw
    /// has read, which are fewer and less exact.
    package func taking(_ camera: CameraRawMetadata) throws(GscapError) -> DNGData {
        let tree = try DirectoryTree(TIFFContainer(ByteSource(self), magics: [42]))
        let first = tree.first
        first.replaceValues(by: camera.first) { ExifTags.primary.contains($0) }
        if let packet = camera.packet {
            let properties = DirectoryNode(isBigEndian: first.isBigEndian)
            properties.set(.xmp, bytes: packet)
            first.inheritProperties(of: properties, keepsCrop: false)
        }
        let exif = first.children[.exifIFD]?.first ?? DirectoryNode(isBigEndian: first.isBigEndian)
        if let source = camera.exif {
            // LibRaw's time has neither fractions of seconds nor a zone.
            if source.states(.dateTimeOriginal) { exif.remove([.subSecTimeOriginal, .offsetTimeOriginal]) }
            exif.replaceValues(by: source) {
                !ExifTags.ofStoredPixels.contains($0) && UInt32($0) != TIFFTag.makerNote.number
            }
        }
        exif.replaceValues(by: camera.first) { tag in
            ExifTags.exifInPrimary.contains(tag) && camera.exif?.has(TIFFTag(UInt32(tag))) != true
        }
        if !exif.values.isEmpty { first.children[.exifIFD] = [exif] }
        if let note = camera.note { first.set(note, exif: exif) }
        if let source = camera.gps {
            let hasPlace = Location(gps: source) != nil
            let gps = DirectoryNode(source) { hasPlace || !(1...4).contains($0) }
            let copy = DirectoryNode(isBigEndian: first.isBigEndian)
            for tag in gps.values.keys { copy.take(tag, from: gps) }
            first.children[.gpsIFD] = copy.values.isEmpty ? nil : [copy]
        }
        return try rewritten(first, capacity: count + (camera.note?.bytes.count ?? 0) + 65_536)
    }
}

extension FrameMetadata {
    /// Replaces what LibRaw has read of a camera's own raw file by what its directories state.
    mutating func take(_ camera: CameraRawMetadata?) {
        removeVoidPlace()
        guard let camera else { return }
        readDescription(camera.first, exif: camera.exif, gps: camera.gps)
    }

    /// Removes a place of 0° N 0° E, which LibRaw reads from a GPS directory without a position.
    mutating func removeVoidPlace() {
        if let place = details.location, place.latitude == 0, place.longitude == 0 { details.location = nil }
    }
}

extension DirectoryNode {
    /// Creates a directory with some values of a file's, in that file's byte order.
    fileprivate convenience init(_ directory: TIFFDirectory, where isWanted: (UInt16) -> Bool) {
        self.init(isBigEndian: directory.container.isBigEndian)
        for (tag, entry) in directory.entries
        where isWanted(UInt16(truncatingIfNeeded: tag.number)) && entry.type != .directory && !entry.type.isWide {
            values[tag] = Value(type: entry.type, count: entry.count, bytes: directory.bytes(tag))
        }
    }

    /// Takes some values of a file's directory, except those that state nothing where this directory has a value.
    fileprivate func replaceValues(by directory: TIFFDirectory, where isWanted: (UInt16) -> Bool) {
        let node = DirectoryNode(directory, where: isWanted)
        for tag in node.values.keys where values[tag] == nil || directory.states(tag) { take(tag, from: node) }
    }

    /// Stores a maker note: in Exif if readers understand it there, or else with its byte order and position in
    /// DNGPrivateData of the first directory, which this is.
    fileprivate func set(_ note: CameraRawMetadata.Note, exif: DirectoryNode) {
        if MakerNote.isMovable(note.bytes) {
            exif.set(.makerNote, bytes: note.bytes, type: .undefined)
            // 1: programs that change other metadata may keep the note.
            set(.makerNoteSafety, shorts: [1])
        } else {
            let data = MakerNote.privateData(note.bytes, isBigEndian: note.isBigEndian, position: note.position)
            set(.privateData, bytes: data)
        }
    }
}

extension TIFFDirectory {
    /// Whether a tag has a value that says something: a text that is not blank, or a positive number where only such
    /// make sense.
    fileprivate func states(_ tag: TIFFTag) -> Bool {
        guard let type = entries[tag]?.type else { return false }
        if type == .ascii {
            // Cameras without a clock state the year 0000.
            return text(tag).map { !$0.hasPrefix("0000") } ?? false
        }
        let positive = [TIFFTag.exposureTime, .fNumber, .isoSpeed, .focalLength, .focalLengthIn35mm]
        return !positive.contains(tag) || (number(tag) ?? 0) > 0
    }
}

extension TIFFType {
    /// Whether this is a type of 64-bit numbers, which classic TIFF files do not have.
    fileprivate var isWide: Bool { self == .long8 || self == .signedLong8 || self == .directory8 }
}
