internal import RawImage

extension ColorCube {
    /// The bytes of RGBTables: this one, for all of the picture. Its colours become bytes, the only values that Adobe's SDK 1.7.1
    /// reads right in files of either byte order.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        // One table; how several are joined does not matter.
        writer.append(1)
        writer.append(0)
        // It has no name of a matte, whose length comes first.
        writer.append([0, 0])
        let (type, gamut): (UInt8, UInt8) = (0, extendsGamut ? 1 : 0)
        writer.append([UInt8(side), type, UInt8(encoding.rawValue), UInt8(primaries.rawValue), gamut])
        let values = colors.flatMap { color in (0..<3).map { UInt8((color[$0] * 255).rounded()) } }
        writer.append(values)
        return writer.bytes
    }

    /// The table for all of the picture, nil when there is none, and the names of the mattes that others are for.
    static func tables(
        dng bytes: [UInt8], isBigEndian: Bool
    ) throws(DNGError) -> (whole: ColorCube?, mattes: Set<String>) {
        var reader = ByteReader(bytes, isBigEndian: isBigEndian)
        let count = Int(try reader.uint32())
        _ = try reader.uint32()  // how several are joined
        var (whole, mattes): (ColorCube?, Set<String>) = (nil, [])
        // Each has 7 bytes at least.
        guard count <= reader.remaining / 7 else {
            throw DNGError(.malformed, "\(bytes.count) bytes cannot hold \(count) tables")
        }
        for _ in 0..<count {
            let length = Int(try reader.uint16())
            let name = String(decoding: try reader.take(length).prefix { $0 != 0 }, as: UTF8.self)
            let cube = try ColorCube(&reader)
            guard name.isEmpty else {
                mattes.insert(name)
                continue
            }
            guard whole == nil else { throw DNGError(.malformed, "two tables are for all of the picture") }
            whole = cube
        }
        return (whole, mattes)
    }

    private init(_ reader: inout ByteReader) throws(DNGError) {
        let (side, type) = (Int(try reader.uint8()), try reader.uint8())
        let encoding = Encoding(rawValue: Int(try reader.uint8()))
        let primaries = Primaries(rawValue: Int(try reader.uint8()))
        let extends = try reader.uint8()
        guard let encoding, let primaries, type <= 2, extends <= 1, Self.sides.contains(side) else {
            throw DNGError(
                .unsupported,
                "a table has \(side) places along an edge, values of type \(type), or an encoding, primaries or way "
                    + "beyond the gamut that nobody knows")
        }
        let size = [1, 2, 4][Int(type)]
        guard side * side * side * 3 * size <= reader.remaining else {
            throw DNGError(.malformed, "a table of \(side) places along an edge has \(reader.remaining) bytes")
        }
        func value() throws(DNGError) -> Float {
            switch type {
            case 0: Float(try reader.uint8()) / 255
            case 1: Float(try reader.uint16()) / 65_535
            default: try reader.float32()
            }
        }
        var colors: [SIMD3<Float>] = []
        colors.reserveCapacity(side * side * side)
        for _ in 0..<side * side * side { colors.append(SIMD3(try value(), try value(), try value())) }
        do throws(RawImageError) {
            try self.init(
                side: side, colors: colors, encoding: encoding, primaries: primaries, extendsGamut: extends == 1)
        } catch {
            throw DNGError(.malformed, error.message)
        }
    }
}
