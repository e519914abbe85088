import Foundation

/// Whether files of photos are whole.
enum WholePictures {
    /// What is wrong with the files in a folder: hidden ones, strange ones, and pictures that break off.
    static func faults(in folder: TemporaryFolder, _ name: String = "out") -> [String] {
        folder.names(in: name).compactMap { file in
            guard let bytes = try? folder.bytes(name + "/" + file) else { return "\(file): cannot be read" }
            switch file.split(separator: ".").last {
            case _ where file.hasPrefix("."): return "\(file): a hidden file was left"
            case "jpg": return isJPEG(bytes) ? nil : "\(file): no whole JPEG of \(bytes.count) bytes"
            case "dng": return isDNG(folder.path(name + "/" + file)) ? nil : "\(file): no whole DNG"
            case "heic", "avif": return isMadeOfBoxes(bytes) ? nil : "\(file): no whole HEIF"
            case "exr": return bytes.starts(with: [0x76, 0x2F, 0x31, 0x01]) ? nil : "\(file): no OpenEXR"
            default: return "\(file): not a photo"
            }
        }
    }

    /// A JPEG begins and ends with its markers.
    static func isJPEG(_ bytes: Data) -> Bool {
        bytes.starts(with: [0xFF, 0xD8]) && bytes.suffix(2).elementsEqual([0xFF, 0xD9])
    }

    /// A HEIF is boxes, each behind the other to the end, and the first tells that it is one.
    static func isMadeOfBoxes(_ bytes: Data) -> Bool {
        let bytes = Array(bytes)
        var at = 0
        while at + 8 <= bytes.count {
            let size = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            guard size >= 8 else { return false }
            at += size
        }
        return at == bytes.count && bytes.dropFirst(4).starts(with: "ftyp".utf8)
    }

    /// Every directory and strip lies inside the file, says the command's own reader.
    static func isDNG(_ path: String) -> Bool {
        (try? BuiltCommand.run("inspect", path))?.code == 0
    }
}
