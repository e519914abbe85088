internal import RawImage

/// An opcode of a DNG file: a processing step between stored codes and the rendered picture.
public struct DNGOpcode: Sendable, Hashable {
    /// The opcode list: 1 applies to stored codes, 2 to linear codes, 3 to the demosaiced picture.
    public let list: Int
    /// The opcode ID of the DNG specification.
    public let number: Int
    /// Whether readers may skip the opcode (flag bit 0).
    public let isOptional: Bool
    /// Whether the opcode is supported: it is in the metadata's lens corrections or applied when pixels are decoded.
    public let isRead: Bool

    /// The opcode's name in the DNG specification.
    public var name: String {
        (1...Self.names.count).contains(number) ? Self.names[number - 1] : "opcode \(number)"
    }

    private static let names = [
        "WarpRectilinear", "WarpFisheye", "FixVignetteRadial", "FixBadPixelsConstant", "FixBadPixelsList",
        "TrimBounds", "MapTable", "MapPolynomial", "GainMap", "DeltaPerRow", "DeltaPerColumn", "ScalePerRow",
        "ScalePerColumn", "WarpRectilinear2",
    ]
}

/// An opcode with its undecoded parameters. Opcode lists are big-endian in every file.
struct StoredOpcode {
    let number: Int
    let flags: UInt32
    let data: ArraySlice<UInt8>

    var isOptional: Bool { flags & 1 == 1 }

    /// Splits an opcode list tag into opcodes.
    static func list(_ bytes: [UInt8]) throws(GscapError) -> [StoredOpcode] {
        var reader = ByteReader(bytes, isBigEndian: true)
        let count = Int(try reader.uint32())
        // An opcode has a header of 16 bytes: ID, version, flags, parameter size.
        guard count <= reader.remaining / 16 else {
            throw GscapError(
                .malformed, "\(bytes.count) bytes cannot hold \(count) opcodes; opcode lists are big-endian")
        }
        var opcodes: [StoredOpcode] = []
        for index in 0..<count {
            let number = Int(try reader.uint32())
            _ = try reader.uint32()  // the DNG version that introduced the opcode
            let flags = try reader.uint32()
            let size = Int(try reader.uint32())
            guard size <= reader.remaining else {
                throw GscapError(
                    .malformed, "opcode \(index + 1) of \(count) has \(size) bytes where \(reader.remaining) are left")
            }
            opcodes.append(StoredOpcode(number: number, flags: flags, data: try reader.take(size)))
        }
        return opcodes
    }

    static let warpRectilinear = 1
    static let warpFisheye = 2
    static let fixVignetteRadial = 3
    static let trimBounds = 6
    static let gainMap = 9
    /// MapTable, MapPolynomial, DeltaPerRow and -Column, ScalePerRow and -Column.
    static let mappings = [7, 8, 10, 11, 12, 13]
    static let warpRectilinear2 = 14

    /// Whether the opcode corrects distortion (WarpRectilinear, WarpFisheye, WarpRectilinear2).
    var isWarp: Bool { [Self.warpRectilinear, Self.warpFisheye, Self.warpRectilinear2].contains(number) }

    /// Decodes a GainMap opcode, in the coordinates that the file stores.
    func shadingMap() throws(GscapError) -> ShadingMap {
        var reader = ByteReader(data, isBigEndian: true)
        func integer() throws(GscapError) -> Int { Int(try reader.uint32()) }
        let (top, left, bottom, right) = (try integer(), try integer(), try integer(), try integer())
        let (plane, planeCount, rowPitch, columnPitch) = (try integer(), try integer(), try integer(), try integer())
        let (rows, columns) = (try integer(), try integer())
        let spacing = GainTableMap.RelativePoint(down: try reader.float64(), across: try reader.float64())
        let origin = GainTableMap.RelativePoint(down: try reader.float64(), across: try reader.float64())
        let gainPlanes = try integer()
        let sides = 1...4096
        guard sides.contains(rows), sides.contains(columns), (1...4).contains(gainPlanes),
            rows * columns * gainPlanes * 4 == reader.remaining
        else {
            throw GscapError(
                .malformed,
                "a GainMap of \(rows)×\(columns) points with \(gainPlanes) gains each has \(reader.remaining) bytes"
            )
        }
        var gains: [Float] = []
        gains.reserveCapacity(rows * columns * gainPlanes)
        while reader.remaining > 0 { gains.append(try reader.float32()) }
        return try GscapError.recoding(
            as: .malformed,
            try ShadingMap(
                area: PixelGrid(
                    top: top, left: left, bottom: bottom, right: right, rowPitch: rowPitch, columnPitch: columnPitch),
                // Encoders may give any large plane count to mean all planes.
                plane: plane, planeCount: min(planeCount, 4), rows: rows, columns: columns, spacing: spacing,
                origin: origin, gainPlanes: gainPlanes, gains: gains))
    }

    /// Decodes a FixVignetteRadial opcode and samples its radial gain polynomial as a shading map of the given size.
    func vignette(width: Int, height: Int) throws(GscapError) -> ShadingMap {
        var reader = ByteReader(data, isBigEndian: true)
        guard reader.remaining == 7 * 8 else {
            throw GscapError(.malformed, "a FixVignetteRadial has \(data.count) bytes")
        }
        var coefficients: [Double] = []
        for _ in 0..<5 { coefficients.append(try reader.float64()) }
        let across = try reader.float64()
        let center = GainTableMap.RelativePoint(down: try reader.float64(), across: across)
        return try GscapError.recoding(
            as: .malformed,
            try ShadingMap(width: width, height: height, center: center) { square in
                1 + coefficients.reversed().reduce(0) { ($0 + $1) * square }
            })
    }

    /// Decodes the coefficients of a WarpRectilinear, WarpFisheye or WarpRectilinear2 opcode.
    func lensWarp() throws(GscapError) -> LensWarp {
        var reader = ByteReader(data, isBigEndian: true)
        let (isFisheye, isSecond) = (number == Self.warpFisheye, number == Self.warpRectilinear2)
        let count = Int(try reader.uint32())
        // WarpRectilinear2 ends with the 32-bit flag for the reciprocal model.
        let (perPlane, tail) = isFisheye ? (4, 0) : isSecond ? (19, 4) : (6, 0)
        guard (1...4).contains(count), reader.remaining == (count * perPlane + 2) * 8 + tail else {
            throw GscapError(.malformed, "a lens warp of \(count) planes has \(data.count) bytes")
        }
        func numbers(_ count: Int) throws(GscapError) -> [Double] {
            var numbers: [Double] = []
            for _ in 0..<count { numbers.append(try reader.float64()) }
            return numbers
        }
        var planes: [LensWarp.Plane] = []
        for _ in 0..<count {
            var plane = LensWarp.Plane(radial: try numbers(isSecond ? 15 : 4))
            if !isFisheye { plane.tangential = try numbers(2) }
            if isSecond {
                let (least, most) = (try reader.float64(), try reader.float64())
                guard least >= 0, least < most, most <= 1 else {
                    throw GscapError(.malformed, "a lens warp's radii \(least) to \(most) are not within 0 to 1")
                }
                plane.validRadii = least...most
            }
            planes.append(plane)
        }
        let (across, down) = (try reader.float64(), try reader.float64())
        var model = isFisheye ? LensWarp.Model.fisheye : .rectilinear
        if isSecond { model = try reader.uint32() == 0 ? .polynomial : .reciprocal }
        return try GscapError.recoding(
            as: .malformed,
            try LensWarp(model, planes: planes, center: GainTableMap.RelativePoint(down: down, across: across)))
    }

    /// Decodes a TrimBounds opcode: the area that remains of a picture of the given size.
    func bounds(width: Int, height: Int) throws(GscapError) -> PixelRectangle {
        var reader = ByteReader(data, isBigEndian: true)
        var edges: [Int] = []
        for _ in 0..<4 { edges.append(Int(Int32(bitPattern: try reader.uint32()))) }
        let (top, left, bottom, right) = (edges[0], edges[1], edges[2], edges[3])
        guard reader.remaining == 0, 0 <= top, top < bottom, bottom <= height, 0 <= left, left < right, right <= width
        else { throw GscapError(.malformed, "TrimBounds \(edges) is not a part of \(width)×\(height) pixels") }
        return PixelRectangle(left: left, top: top, width: right - left, height: bottom - top)
    }
}
