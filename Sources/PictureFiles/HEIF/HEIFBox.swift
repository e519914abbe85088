internal import PhotoMetadata
internal import RawImage

/// A box of a HEIF or AVIF file: its four-character type and its payload. A property of an item is a box, too.
struct HEIFBox: Hashable {
    var name: String
    var bytes: [UInt8]

    /// The size of the whole box in bytes.
    var size: Int { bytes.count + 8 }

    /// The whole box: size, type and payload.
    var whole: [UInt8] { UInt32(size).bigEndianBytes + Array(name.utf8) + bytes }

    /// Parses consecutive boxes. Supports 32-bit sizes only, which libheif and libavif write.
    static func boxes(_ bytes: some RandomAccessCollection<UInt8>) throws(GscapError) -> [HEIFBox] {
        let bytes = Array(bytes)
        var boxes: [HEIFBox] = []
        var at = 0
        while at + 8 <= bytes.count {
            let size = number(bytes, at: at, bytes: 4)
            guard size >= 8, at + size <= bytes.count else { throw unexpected("a box has the invalid size \(size)") }
            boxes.append(
                HEIFBox(
                    name: String(decoding: bytes[at + 4..<at + 8], as: UTF8.self),
                    bytes: Array(bytes[at + 8..<at + size])))
            at += size
        }
        return boxes
    }

    /// Returns the big-endian number of `count` bytes at an offset; 0 beyond the end.
    static func number(_ bytes: [UInt8], at offset: Int, bytes count: Int) -> Int {
        guard offset + count <= bytes.count else { return 0 }
        return bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns the error for a file with a structure that this module does not support.
    static func unexpected(_ problem: String) -> GscapError {
        GscapError(.encoder, "cannot add to the HEIF file of a library: \(problem)")
    }
}

/// The properties that are added to items.
extension HEIFBox {
    /// Returns the property (`auxC`) with the type of an auxiliary image, a URN.
    static func kind(_ kind: String) -> HEIFBox { HEIFBox(name: "auxC", bytes: [0, 0, 0, 0] + kind.utf8 + [0]) }

    /// Returns the property (`clli`) with the content light level of an image.
    static func levels(_ levels: ContentLightLevel) -> HEIFBox {
        HEIFBox(name: "clli", bytes: levels.whole.maxCLL.bigEndianBytes + levels.whole.maxFALL.bigEndianBytes)
    }

    /// Returns the property (`colr`) with the code points of full-range colours (H.273).
    static func colors(_ color: PictureColor) -> HEIFBox {
        let codes = [UInt16(color.primariesCode), UInt16(color.transferCode), color.lumaWeights.code]
        return HEIFBox(name: "colr", bytes: "nclx".utf8 + codes.flatMap(\.bigEndianBytes) + [0x80])
    }

    /// Returns the property (`colr`) with an ICC profile. An image may have one beside its code points.
    static func profile(_ profile: [UInt8]) -> HEIFBox { HEIFBox(name: "colr", bytes: "prof".utf8 + profile) }

    /// Returns the property (`pixi`) with the bit depth of an image's three channels.
    static func depth(_ bits: UInt8) -> HEIFBox { HEIFBox(name: "pixi", bytes: [0, 0, 0, 0, 3, bits, bits, bits]) }

    /// Returns the property (`ispe`) with the size of an image.
    static func size(width: Int, height: Int) -> HEIFBox {
        HEIFBox(name: "ispe", bytes: [0, 0, 0, 0] + UInt32(width).bigEndianBytes + UInt32(height).bigEndianBytes)
    }

    /// Returns the properties with which readers show an image of an Exif orientation upright: `irot` in anticlockwise
    /// quarter turns, then `imir` with 0 for a top-bottom and 1 for a left-right flip.
    static func turns(from orientation: Int) -> [HEIFBox] {
        let (quarters, mirror): (UInt8, UInt8?) =
            switch orientation {
            case 2: (0, 1)
            case 3: (2, nil)
            case 4: (0, 0)
            case 5: (1, 0)
            case 6: (3, nil)
            case 7: (3, 0)
            case 8: (1, nil)
            default: (0, nil)
            }
        return (quarters == 0 ? [] : [HEIFBox(name: "irot", bytes: [quarters])])
            + (mirror.map { [HEIFBox(name: "imir", bytes: [$0])] } ?? [])
    }

    /// Whether the property changes the image rather than describes it: ISO/IEC 23008-12 lists these properties last.
    var isTransformation: Bool { ["clap", "imir", "irot"].contains(name) }

    /// Whether readers that do not support the property must not show the image.
    var isEssentialProperty: Bool { ["auxC", "av1C", "hvcC", "imir", "irot"].contains(name) }
}
