import Foundation
import PictureFiles
import RawImage
import Testing

/// Writes files of all formats for the independent readers of Tests/Conformance into the folder named by GSCAP_JUDGED:
/// each with its expected samples, and a list of all files.
@Suite("Files for independent readers", .enabled(if: ProcessInfo.processInfo.environment["GSCAP_JUDGED"] != nil))
struct JudgedFiles {
    private struct Entry: Encodable {
        var file: String
        var reference: String
        var hdr: String?
        var width: Int
        var height: Int
        var kind: String
        var depth: String?
        var primaries: String
        var transfer: String
        var orientation: Int
        var mattes: Int
        var lossless: Bool
        var quality: Double
    }

    @Test("are written")
    func write() throws {
        let folder = URL(fileURLWithPath: try #require(ProcessInfo.processInfo.environment["GSCAP_JUDGED"]))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var list: [Entry] = []
        for (name, encoding, picture) in try kinds() {
            let file = name + "." + encoding.format.fileExtension
            try Data(encoding.encode(picture)).write(to: folder.appending(path: file))
            try numbers(picture).write(to: folder.appending(path: name + ".numbers"))
            var hdr: String?
            if let picture = encoding.hdr {
                hdr = name + ".hdr"
                try numbers(picture).write(to: folder.appending(path: name + ".hdr"))
            }
            let isLossless = [.png, .tiff, .exr].contains(encoding.format) || encoding.quality == 1
            list.append(
                Entry(
                    file: file, reference: name + ".numbers", hdr: hdr, width: picture.width, height: picture.height,
                    kind: encoding.format.rawValue, depth: encoding.depth?.rawValue,
                    primaries: picture.color.primaries.rawValue, transfer: picture.color.transfer.rawValue,
                    orientation: encoding.metadata?.orientation ?? 0,
                    mattes: encoding.mattes.count + (encoding.depthMap == nil ? 0 : 1), lossless: isLossless,
                    quality: encoding.quality))
        }
        try JSONEncoder().encode(list).write(to: folder.appending(path: "list.json"))
    }

    /// Returns the samples of a picture as little-endian 32-bit floats.
    private func numbers(_ picture: Picture) -> Data {
        let floats: [Float] =
            switch picture.samples {
            case .bytes(let values): values.map { Float($0) / 255 }
            case .words(let values): values.map { Float($0) / 65_535 }
            case .halves(let values): values.map { Float($0) }
            }
        return unsafe floats.withUnsafeBytes { unsafe Data($0) }
    }

    private func kinds() throws -> [(String, PictureEncoding, Picture)] {
        var kinds: [(String, PictureEncoding, Picture)] = []
        func add(
            _ name: String, _ format: PictureFormat, _ picture: Picture,
            _ change: (inout PictureEncoding) -> Void = { _ in }
        ) {
            var encoding = PictureEncoding(format)
            encoding.metadata = TestScene.metadata()
            change(&encoding)
            kinds.append((name, encoding, picture))
        }
        let (plain, wide) = (try TestScene.bytes(), try TestScene.bytes(.displayP3))
        let fine = try TestScene.words(.displayP3)
        let (pq, hlg) = (
            try TestScene.words(PictureColor(.rec2020, .pq)), try TestScene.words(PictureColor(.rec2020, .hlg))
        )
        let linear = try TestScene.linear(.rec2020)
        for quality in [0.3, 0.9, 1] { add("jpeg-\(quality)", .jpeg, plain) { $0.quality = quality } }
        add("jpeg-p3", .jpeg, wide)
        add("jpeg-words", .jpeg, fine)
        add("jpeg-bare", .jpeg, plain) { $0.metadata = nil }
        let hdr = try TestScene.linear()
        for format in [PictureFormat.jpeg, .heic, .avif] {
            add("\(format.rawValue)-gain", format, plain) { $0.hdr = hdr }
        }
        let wideHDR = try TestScene.linear(.displayP3)
        for format in [PictureFormat.heic, .avif] {
            add("\(format.rawValue)-gain-10", format, fine) { ($0.hdr, $0.depth, $0.quality) = (wideHDR, .ten, 0.97) }
            add("\(format.rawValue)-gain-turned", format, plain) {
                ($0.hdr, $0.metadata) = (hdr, TestScene.metadata(orientation: 5))
            }
        }
        for orientation in 1...8 {
            add("png-\(orientation)", .png, plain) { $0.metadata = TestScene.metadata(orientation: orientation) }
            add("heic-\(orientation)", .heic, plain) { $0.metadata = TestScene.metadata(orientation: orientation) }
            add("jxl-\(orientation)", .jxl, plain) { $0.metadata = TestScene.metadata(orientation: orientation) }
            add("webp-\(orientation)", .webp, plain) { $0.metadata = TestScene.metadata(orientation: orientation) }
        }
        for format in [PictureFormat.jpeg, .tiff, .avif, .exr] {
            for orientation in [3, 6, 7] {
                add("\(format.rawValue)-\(orientation)", format, format == .exr ? linear : plain) {
                    $0.metadata = TestScene.metadata(orientation: orientation)
                    if format == .exr { $0.depth = .half }
                }
            }
        }
        add("png-16", .png, fine) { $0.depth = .sixteen }
        add("png-pq", .png, pq) { $0.depth = .sixteen }
        add("png-hlg", .png, hlg) { $0.depth = .sixteen }
        for compression in PictureCompression.allCases {
            add("tiff-8-\(compression)", .tiff, wide) { ($0.depth, $0.compression) = (.eight, compression) }
            add("tiff-16-\(compression)", .tiff, fine) { ($0.depth, $0.compression) = (.sixteen, compression) }
            add("tiff-half-\(compression)", .tiff, linear) { ($0.depth, $0.compression) = (.half, compression) }
            add("exr-\(compression)", .exr, linear) { ($0.depth, $0.compression) = (.half, compression) }
        }
        let shares = (0..<160 * 106).map { (position: Int) -> UInt8 in
            position % 160 < 80 ? 255 : UInt8(position / 160 * 2)
        }
        let sky = try Matte(kind: .sky, width: 160, height: 106, shares: shares)
        let person = try Matte(kind: .person, instance: "1", width: 160, height: 106, shares: shares.reversed())
        let depth = try DepthMap(width: 160, height: 106, bitDepth: 16, codes: shares.map { UInt16($0) * 257 })
        for format in [PictureFormat.heic, .avif] {
            let name = format.rawValue
            add(name + "-8bit", format, plain) { $0.depth = .eight }
            add(name + "-10", format, fine) { $0.depth = .ten }
            add(name + "-best", format, fine) { ($0.depth, $0.quality) = (.ten, 0.99) }
            add(name + "-pq", format, pq) { $0.depth = .ten }
            add(name + "-hlg", format, hlg) { $0.depth = .ten }
        }
        add("heic-mattes", .heic, plain) { ($0.mattes, $0.depthMap) = ([sky, person], depth) }
        add("webp-exact", .webp, wide) { $0.quality = 1 }
        add("webp-sharp", .webp, wide) { $0.quality = 0.97 }
        add("webp-p3", .webp, wide)
        add("webp-bare", .webp, plain) { $0.metadata = nil }
        add("jxl-8bit", .jxl, wide) { ($0.depth, $0.quality) = (.eight, 1) }
        add("jxl-16", .jxl, fine) { ($0.depth, $0.quality) = (.sixteen, 1) }
        add("jxl-half", .jxl, linear) { ($0.depth, $0.quality) = (.half, 1) }
        add("jxl-lossy", .jxl, fine) { $0.depth = .sixteen }
        add("jxl-pq", .jxl, pq) { $0.depth = .sixteen }
        add("jxl-linear", .jxl, linear) { $0.depth = .half }
        return kinds
    }
}
