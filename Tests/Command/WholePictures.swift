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
            default: return "\(file): not a photo"
            }
        }
    }

    /// A JPEG begins and ends with its markers.
    static func isJPEG(_ bytes: Data) -> Bool {
        bytes.starts(with: [0xFF, 0xD8]) && bytes.suffix(2).elementsEqual([0xFF, 0xD9])
    }

    /// Every directory and strip lies inside the file, says the command's own reader.
    static func isDNG(_ path: String) -> Bool {
        (try? BuiltCommand.run("inspect", path))?.code == 0
    }
}
