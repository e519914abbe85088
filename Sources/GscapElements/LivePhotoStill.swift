internal import PhotoMetadata
internal import PictureFiles

/// The still of a Live Photo as a finished file, for modules that do not import the file formats.
package enum LivePhotoStill {
    /// Returns the file without a content identifier: the maker note that states it becomes empty, in place.
    package static func removingIdentifier(_ identifier: String?, from file: [UInt8]) -> [UInt8] {
        guard let identifier else { return file }
        let note = AppleMakerNote.bytes(contentIdentifier: identifier)
        guard let place = file.firstRange(of: note) else { return file }
        var file = file
        file.replaceSubrange(place, with: AppleMakerNote.empty(size: note.count))
        return file
    }

    /// Returns the content identifier that a file states in the maker note of `AppleMakerNote`; nil if it has none.
    package static func identifier(in file: [UInt8]) -> String? {
        // All notes begin with the same bytes, since all identifiers have 36 characters.
        let length = 36
        let note = AppleMakerNote.bytes(contentIdentifier: String(repeating: "0", count: length))
        guard let start = file.firstRange(of: note.dropLast(length + 1))?.upperBound, start + length < file.count
        else { return nil }
        let text = file[start..<start + length]
        let isIdentifier = text.allSatisfy { $0 == UInt8(ascii: "-") || Character(UnicodeScalar($0)).isHexDigit }
        return isIdentifier ? String(decoding: text, as: UTF8.self) : nil
    }

    /// Returns the JPEG file with the metadata of a Motion Photo. A movie of this size follows it directly; `stillTime`
    /// is the time of the still in it in microseconds.
    package static func motionPhoto(_ jpeg: [UInt8], movieSize: Int, stillTime: Int64) throws -> [UInt8] {
        let software = "gscap \(GscapPlugin.version)"
        return try MotionPhotoFile(
            jpeg: jpeg, movieSize: movieSize, stillTime: stillTime, software: software
        ).still()
    }
}
