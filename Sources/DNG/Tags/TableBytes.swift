internal import RawImage

extension GainTableMap {
    /// Encodes the map as ProfileGainTableMap, which has no gamma.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        writeHead(&writer)
        for gain in gains { writer.append(gain) }
        return writer.bytes
    }

    /// Encodes the map as ProfileGainTableMap2 with gains of type 32-bit float.
    var bytesOfSecondVersion: [UInt8] {
        var writer = ByteWriter()
        writeHead(&writer)
        writer.append(3)
        writer.append(gamma)
        // The specification limits GainMin and GainMax to 1/4096…4096, also for floating-point gains.
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
    /// Encodes the shading maps as OpcodeList2 of GainMap opcodes, for linear codes; empty without shading.
    var shadingBytes: [UInt8] { Self.list(shading.map { (StoredOpcode.gainMap, $0.bytes) }) }

    /// Encodes the distortion correction as OpcodeList3, for the demosaiced picture; empty without distortion.
    var warpBytes: [UInt8] { Self.list(warp.map { [($0.opcode, $0.bytes)] } ?? []) }

    private static func list(_ operations: [(number: Int, bytes: [UInt8])]) -> [UInt8] {
        if operations.isEmpty { return [] }
        var writer = ByteWriter()
        writer.append(operations.count)
        for operation in operations {
            writer.append(operation.number)
            // The DNG version that introduced the opcode, then the flags: bit 0 lets readers that do not support the
            // opcode skip it.
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

extension ByteWriter {
    /// Appends the two numbers of a point.
    fileprivate mutating func append(_ point: GainTableMap.RelativePoint) {
        append(point.down)
        append(point.across)
    }
}
