import Foundation
import TemporaryFolders

/// Checks that the files of photos are complete.
enum CompletePictures {
    /// Returns the faults of the files in a folder: hidden files, files of other types and truncated pictures.
    static func faults(in folder: TemporaryFolder, _ name: String = "out") -> [String] {
        folder.names(in: name).compactMap { file in
            guard let bytes = try? folder.bytes(name + "/" + file) else { return "\(file): cannot be read" }
            switch file.split(separator: ".").last {
            case _ where file.hasPrefix("."): return "\(file): is a hidden file"
            case "jpg": return isJPEG(bytes) ? nil : "\(file): is not a complete JPEG (\(bytes.count) bytes)"
            case "dng": return isDNG(folder.path(name + "/" + file)) ? nil : "\(file): is not a complete DNG"
            case "heic", "avif": return isMadeOfBoxes(bytes) ? nil : "\(file): is not a complete HEIF"
            case "exr": return bytes.starts(with: [0x76, 0x2F, 0x31, 0x01]) ? nil : "\(file): is not an OpenEXR file"
            default: return "\(file): not a photo"
            }
        }
    }

    /// Returns whether the data begins with the marker SOI and ends with EOI.
    static func isJPEG(_ bytes: Data) -> Bool {
        bytes.starts(with: [0xFF, 0xD8]) && bytes.suffix(2).elementsEqual([0xFF, 0xD9])
    }

    /// Returns whether the data is a sequence of complete ISO base media boxes, of which the first is `ftyp`.
    static func isMadeOfBoxes(_ bytes: Data) -> Bool {
        let bytes = Array(bytes)
        var offset = 0
        while offset + 8 <= bytes.count {
            let size = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            guard size >= 8 else { return false }
            offset += size
        }
        return offset == bytes.count && bytes.dropFirst(4).starts(with: "ftyp".utf8)
    }

    /// Returns whether `gscap inspect` accepts the file, which requires every IFD and strip to be inside it.
    static func isDNG(_ path: String) -> Bool {
        (try? BuiltCommand.run("inspect", path))?.code == 0
    }
}
