internal import RawImage

extension GainTableMap {
    /// The bytes of tag ProfileGainTableMap, which knows no gamma.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        writeHead(&writer)
        for gain in gains { writer.append(gain) }
        return writer.bytes
    }

    /// The bytes of tag ProfileGainTableMap2, with gains as 32-bit floats.
    var bytesOfSecondVersion: [UInt8] {
        var writer = ByteWriter()
        writeHead(&writer)
        writer.append(3)
        writer.append(gamma)
        // The format bounds the range, also of floats.
        writer.append(Float(0x1p-12))
        writer.append(Float(4096))
        for gain in gains { writer.append(min(max(gain, 0x1p-12), 4096)) }
        return writer.bytes
    }

    private func writeHead(_ writer: inout ByteWriter) {
        writer.append(rows)
        writer.append(columns)
        writer.append(spacing)
        writer.append(origin)
        writer.append(tableLength)
        for weight in weights { writer.append(weight) }
    }
}

extension LensCorrection {
    /// The bytes of OpcodeList2, whose gains are for the linear mosaic; empty when there are none.
    var shadingBytes: [UInt8] { Self.list(shading.map { (9, $0.bytes) }) }

    /// The bytes of OpcodeList3, which bends the demosaiced picture; empty when it does not.
    var warpBytes: [UInt8] { Self.list(warp.map { [($0.opcode, $0.bytes)] } ?? []) }

    private static func list(_ operations: [(number: Int, bytes: [UInt8])]) -> [UInt8] {
        if operations.isEmpty { return [] }
        var writer = ByteWriter()
        writer.append(operations.count)
        for operation in operations {
            writer.append(operation.number)
            // The version of DNG that brought it; 1 lets a converter that does not know it go on.
            writer.append(UInt32(operation.number == StoredOpcode.warpRectilinear2 ? 0x0106_0000 : 0x0103_0000))
            writer.append(1)
            writer.append(operation.bytes.count)
            writer.append(operation.bytes)
        }
        return writer.bytes
    }
}

extension ShadingMap {
    fileprivate var bytes: [UInt8] {
        var writer = ByteWriter()
        for edge in [area.top, area.left, area.bottom, area.right] { writer.append(edge) }
        for number in [plane, planeCount, area.rowPitch, area.columnPitch, rows, columns] { writer.append(number) }
        writer.append(spacing)
        writer.append(origin)
        writer.append(gainPlanes)
        for gain in gains { writer.append(gain) }
        return writer.bytes
    }
}

extension LensWarp {
    fileprivate var opcode: Int {
        switch model {
        case .rectilinear: StoredOpcode.warpRectilinear
        case .fisheye: StoredOpcode.warpFisheye
        case .polynomial, .reciprocal: StoredOpcode.warpRectilinear2
        }
    }

    fileprivate var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.append(planes.count)
        for plane in planes {
            for coefficient in plane.radial { writer.append(coefficient) }
            if model != .fisheye { for coefficient in plane.tangential { writer.append(coefficient) } }
            if opcode == StoredOpcode.warpRectilinear2 {
                writer.append(plane.validRadii.lowerBound)
                writer.append(plane.validRadii.upperBound)
            }
        }
        writer.append(center.across)
        writer.append(center.down)
        if opcode == StoredOpcode.warpRectilinear2 { writer.append(model == .reciprocal ? 1 : 0) }
        return writer.bytes
    }
}
