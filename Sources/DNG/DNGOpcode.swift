internal import RawImage

/// A step that a file asks for between the stored codes and the finished picture.
public struct DNGOpcode: Sendable, Hashable {
    /// When it is due: 1 on stored codes, 2 on linear codes, 3 on the picture with all colours at every pixel.
    public let list: Int
    /// The format's number for it.
    public let number: Int
    /// Whether a reader may leave it out.
    public let isOptional: Bool
    /// Whether it was understood, and is in the metadata's lens corrections or done when pixels are read.
    public let isRead: Bool

    /// The format's name for it.
    public var name: String {
        (1...Self.names.count).contains(number) ? Self.names[number - 1] : "opcode \(number)"
    }

    private static let names = [
        "WarpRectilinear", "WarpFisheye", "FixVignetteRadial", "FixBadPixelsConstant", "FixBadPixelsList",
        "TrimBounds", "MapTable", "MapPolynomial", "GainMap", "DeltaPerRow", "DeltaPerColumn", "ScalePerRow",
        "ScalePerColumn", "WarpRectilinear2",
    ]
}

/// An opcode as it lies in the file. Opcode lists are big-endian in every file.
struct StoredOpcode {
    let number: Int
    let flags: UInt32
    let data: ArraySlice<UInt8>

    var isOptional: Bool { flags & 1 == 1 }

    /// Cuts a list into its opcodes.
    static func list(_ bytes: [UInt8]) throws(DNGError) -> [StoredOpcode] {
        var reader = ByteReader(bytes, isBigEndian: true)
        let count = Int(try reader.uint32())
        // Each opcode has 16 bytes at least.
        guard count <= reader.remaining / 16 else {
            throw DNGError(.malformed, "\(bytes.count) bytes cannot hold \(count) opcodes; opcode lists are big-endian")
        }
        var opcodes: [StoredOpcode] = []
        for index in 0..<count {
            let number = Int(try reader.uint32())
            _ = try reader.uint32()  // the version of DNG that brought it
            let flags = try reader.uint32()
            let size = Int(try reader.uint32())
            guard size <= reader.remaining else {
                throw DNGError(
                    .malformed, "opcode \(index + 1) of \(count) has \(size) bytes where \(reader.remaining) are left")
            }
            opcodes.append(StoredOpcode(number: number, flags: flags, data: try reader.take(size)))
        }
        return opcodes
    }

    static let warpRectilinear = 1
    static let fixVignetteRadial = 3
    static let gainMap = 9

    /// The gains of a GainMap.
    func shadingMap() throws(DNGError) -> ShadingMap {
        var reader = ByteReader(data, isBigEndian: true)
        func whole() throws(DNGError) -> Int { Int(try reader.uint32()) }
        let (top, left, bottom, right) = (try whole(), try whole(), try whole(), try whole())
        let (plane, planeCount, rowPitch, columnPitch) = (try whole(), try whole(), try whole(), try whole())
        let (rows, columns) = (try whole(), try whole())
        let spacing = GainTableMap.Spot(down: try reader.float64(), across: try reader.float64())
        let origin = GainTableMap.Spot(down: try reader.float64(), across: try reader.float64())
        let gainPlanes = try whole()
        let sides = 1...4096
        guard sides.contains(rows), sides.contains(columns), (1...4).contains(gainPlanes),
            rows * columns * gainPlanes * 4 == reader.remaining
        else {
            throw DNGError(
                .malformed,
                "a GainMap of \(rows)×\(columns) places with \(gainPlanes) gains each has \(reader.remaining) bytes of them"
            )
        }
        var gains: [Float] = []
        gains.reserveCapacity(rows * columns * gainPlanes)
        while reader.remaining > 0 { gains.append(try reader.float32()) }
        do {
            return try ShadingMap(
                area: PixelGrid(
                    top: top, left: left, bottom: bottom, right: right, rowPitch: rowPitch, columnPitch: columnPitch),
                // A map for all planes may say so with any large number.
                plane: plane, planeCount: min(planeCount, 4), rows: rows, columns: columns, spacing: spacing,
                origin: origin, gainPlanes: gainPlanes, gains: gains)
        } catch {
            throw DNGError(.malformed, error.message)
        }
    }

    /// The gains of a FixVignetteRadial, which grow with the distance from the centre, over an area of some size.
    func vignette(width: Int, height: Int) throws(DNGError) -> ShadingMap {
        var reader = ByteReader(data, isBigEndian: true)
        guard reader.remaining == 7 * 8 else {
            throw DNGError(.malformed, "a FixVignetteRadial has \(data.count) bytes")
        }
        var factors: [Double] = []
        for _ in 0..<5 { factors.append(try reader.float64()) }
        let (across, down) = (try reader.float64() * Double(width), try reader.float64() * Double(height))
        // Distance 1 is the farthest corner's.
        let (farAcross, farDown) = (max(across, Double(width) - across), max(down, Double(height) - down))
        let most = farAcross * farAcross + farDown * farDown
        // What bends so little is straight between as many places.
        let side = 65
        let gains = (0..<side * side).map { index in
            let x = Double(index % side) / Double(side - 1) * Double(width) - across
            let y = Double(index / side) / Double(side - 1) * Double(height) - down
            let square = (x * x + y * y) / most
            return Float(1 + factors.reversed().reduce(0) { ($0 + $1) * square })
        }
        let spacing = 1 / Double(side - 1)
        do {
            return try ShadingMap(
                area: PixelGrid(top: 0, left: 0, bottom: height, right: width), planeCount: 3, rows: side,
                columns: side, spacing: GainTableMap.Spot(down: spacing, across: spacing),
                origin: GainTableMap.Spot(down: 0, across: 0), gains: gains)
        } catch {
            throw DNGError(.malformed, error.message)
        }
    }

    /// The coefficients of a WarpRectilinear.
    func lensWarp() throws(DNGError) -> LensWarp {
        var reader = ByteReader(data, isBigEndian: true)
        let count = Int(try reader.uint32())
        guard (1...4).contains(count), reader.remaining == (count * 6 + 2) * 8 else {
            throw DNGError(.malformed, "a WarpRectilinear of \(count) planes has \(data.count) bytes")
        }
        var planes: [LensWarp.Plane] = []
        for _ in 0..<count {
            var plane = LensWarp.Plane()
            for term in 0..<4 { plane.radial[term] = try reader.float64() }
            for term in 0..<2 { plane.tangential[term] = try reader.float64() }
            planes.append(plane)
        }
        let (across, down) = (try reader.float64(), try reader.float64())
        do {
            return try LensWarp(planes: planes, center: GainTableMap.Spot(down: down, across: across))
        } catch {
            throw DNGError(.malformed, error.message)
        }
    }
}
