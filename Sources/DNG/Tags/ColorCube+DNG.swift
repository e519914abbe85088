internal import RawImage

extension ColorCube {
    /// Encodes the cube as RGBTables with one table for the whole picture. Colours are stored as 8-bit values, the only
    /// type that the Adobe DNG SDK 1.7.1 decodes correctly in both byte orders.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        // One table, then the composite method, which is irrelevant for one table.
        writer.append(1)
        writer.append(0)
        // An empty semantic name: the table applies to the whole picture.
        writer.append([0, 0])
        let (type, gamut): (UInt8, UInt8) = (0, extendsGamut ? 1 : 0)
        writer.append([UInt8(side), type, UInt8(encoding.rawValue), UInt8(primaries.rawValue), gamut])
        let values = colors.flatMap { color in (0..<3).map { UInt8((color[$0] * 255).rounded()) } }
        writer.append(values)
        return writer.bytes
    }

    /// Decodes RGBTables: the table for the whole picture, if any, and the semantic names of the tables for masks.
    static func tables(
        dng bytes: [UInt8], isBigEndian: Bool
    ) throws(GscapError) -> (whole: ColorCube?, mattes: Set<String>) {
        var reader = ByteReader(bytes, isBigEndian: isBigEndian)
        let count = Int(try reader.uint32())
        _ = try reader.uint32()  // composite method
        var (whole, mattes): (ColorCube?, Set<String>) = (nil, [])
        // A table has a header of at least 7 bytes.
        guard count <= reader.remaining / 7 else {
            throw GscapError(.malformed, "\(bytes.count) bytes cannot hold \(count) tables")
        }
        for _ in 0..<count {
            let length = Int(try reader.uint16())
            let name = String(decoding: try reader.take(length).prefix { $0 != 0 }, as: UTF8.self)
            let cube = try ColorCube(&reader)
            guard name.isEmpty else {
                mattes.insert(name)
                continue
            }
            guard whole == nil else { throw GscapError(.malformed, "two tables are for the whole picture") }
            whole = cube
        }
        return (whole, mattes)
    }

    private init(_ reader: inout ByteReader) throws(GscapError) {
        let (side, type) = (Int(try reader.uint8()), try reader.uint8())
        let encoding = Encoding(rawValue: Int(try reader.uint8()))
        let primaries = Primaries(rawValue: Int(try reader.uint8()))
        let extends = try reader.uint8()
        guard let encoding, let primaries, type <= 2, extends <= 1, Self.sides.contains(side) else {
            throw GscapError(
                .unsupported,
                "a table has \(side) points along an edge, values of type \(type), or an unknown encoding, "
                    + "primaries or gamut extension")
        }
        let size = [1, 2, 4][Int(type)]
        guard side * side * side * 3 * size <= reader.remaining else {
            throw GscapError(.malformed, "a table of \(side) points along an edge has \(reader.remaining) bytes")
        }
        func value() throws(GscapError) -> Float {
            switch type {
            case 0: Float(try reader.uint8()) / 255
            case 1: Float(try reader.uint16()) / 65_535
            default: try reader.float32()
            }
        }
        var colors: [SIMD3<Float>] = []
        colors.reserveCapacity(side * side * side)
        for _ in 0..<side * side * side { colors.append(SIMD3(try value(), try value(), try value())) }
        do throws(GscapError) {
            try self.init(
                side: side, colors: colors, encoding: encoding, primaries: primaries, extendsGamut: extends == 1)
        } catch {
            throw GscapError(.malformed, error.message, cause: error)
        }
    }
}
