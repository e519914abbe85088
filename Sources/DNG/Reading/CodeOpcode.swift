internal import RawImage

/// An opcode of OpcodeList1 or OpcodeList2 that is applied to codes while pixels are read.
enum CodeOpcode: Sendable {
    /// A mapping of codes by value (MapTable, MapPolynomial), row or column (DeltaPer*, ScalePer*).
    case map(CodeMapping)
    /// A replacement of defective pixels by the mean of their neighbours (FixBadPixels*).
    case fixBadPixels(FixBadPixelsOpcode)

    /// Decodes an opcode of list 1 or 2; nil if it is not applied to codes.
    init?(_ opcode: StoredOpcode, list: Int, _ image: DNGImage) throws(GscapError) {
        switch (opcode.number, list) {
        case (7, 1...2), (8, 1...2), (10...13, 1...2): self = .map(try CodeMapping(opcode, list: list, image))
        case (4...5, 1) where image.kind == .bayer && !image.isQuad:
            self = .fixBadPixels(try FixBadPixelsOpcode(opcode, image))
        default: return nil
        }
    }

    /// Applies the opcode to all codes of a picture; opcodes of list 2 compute with codes scaled to 0 (black level) … 1
    /// (white level).
    func apply(to codes: UnsafeMutablePointer<UInt16>, _ image: DNGImage, _ levels: RawLevels) {
        switch self {
        case .map(let map): unsafe map.apply(to: codes, image, levels)
        case .fixBadPixels(let pixels): unsafe pixels.apply(to: codes, image)
        }
    }
}

/// A mapping of the codes in an area: by a table, a polynomial, or an offset or factor for each row or column.
struct CodeMapping: Sendable {
    private enum Change {
        case table([UInt16])
        /// Polynomial coefficients, highest power first.
        case polynomial([Float])
        case linear(scales: [Float], offsets: [Float], isByRow: Bool)
    }

    private let area: PixelGrid
    private let planes: Range<Int>
    private let change: Change
    /// Whether the opcode applies to values from black (0) to white (1), as in list 2; otherwise to the full range of
    /// codes, as in list 1.
    private let isLevelScaled: Bool

    init(_ opcode: StoredOpcode, list: Int, _ image: DNGImage) throws(GscapError) {
        var reader = ByteReader(opcode.data, isBigEndian: true)
        func integer() throws(GscapError) -> Int { Int(try reader.uint32()) }
        var area = PixelGrid(
            top: try integer(), left: try integer(), bottom: try integer(), right: try integer(), rowPitch: 1,
            columnPitch: 1)
        let (plane, planeCount) = (try integer(), try integer())
        (area.rowPitch, area.columnPitch) = (try integer(), try integer())
        if let problem = area.problem { throw GscapError(.malformed, problem) }
        planes = min(plane, image.samplesPerPixel)..<min(plane + planeCount, image.samplesPerPixel)
        isLevelScaled = list == 2
        // Offsets are stored in codes of the full range, those of floating-point samples as they are.
        let wholeCodes: Float = image.isWide ? 4_294_967_296 : image.bitsPerSample > 8 ? 65_535 : 255
        let fullRange = image.isFloatingPoint ? 1 : list == 1 ? wholeCodes : 65_535
        change = try Self.change(opcode.number, &reader, area, fullRange)
        guard reader.remaining == 0 else {
            throw GscapError(.malformed, "an opcode has \(reader.remaining) bytes after its values")
        }
        // Coordinates in list 2 are relative to the active area's top left corner.
        if list == 2 {
            area.top += image.activeArea.top
            area.bottom += image.activeArea.top
            area.left += image.activeArea.left
            area.right += image.activeArea.left
        }
        self.area = area
    }

    private static func change(
        _ number: Int, _ reader: inout ByteReader, _ area: PixelGrid, _ fullRange: Float
    ) throws(GscapError) -> Change {
        let count = Int(try reader.uint32())
        switch number {
        case 7:
            guard (1...65_536).contains(count), reader.remaining == 2 * count else { break }
            var table: [UInt16] = []
            for _ in 0..<count { table.append(try reader.uint16()) }
            return .table(table)
        case 8:
            guard count <= 8, reader.remaining == 8 * (count + 1) else { break }
            var coefficients: [Float] = []
            for _ in 0...count { coefficients.append(Float(try reader.float64())) }
            guard coefficients.allSatisfy(\.isFinite) else { break }
            return .polynomial(coefficients.reversed())
        default:
            let isByRow = number == 10 || number == 12
            let (length, pitch) =
                isByRow ? (area.bottom - area.top, area.rowPitch) : (area.right - area.left, area.columnPitch)
            guard count == (length + pitch - 1) / pitch, reader.remaining == 4 * count else { break }
            var values: [Float] = []
            for _ in 0..<count { values.append(try reader.float32()) }
            guard values.allSatisfy(\.isFinite) else { break }
            return number < 12
                ? .linear(scales: [], offsets: values.map { $0 / fullRange }, isByRow: isByRow)
                : .linear(scales: values, offsets: [], isByRow: isByRow)
        }
        throw GscapError(.malformed, "an opcode of kind \(number) has \(count) values in \(reader.remaining) bytes")
    }

    func apply(to codes: UnsafeMutablePointer<UInt16>, _ image: DNGImage, _ levels: RawLevels) {
        // nonisolated(unsafe): concurrent bands of rows change only their own rows of the codes.
        nonisolated(unsafe) let codes = unsafe codes
        concurrentBands(rows: image.height, of: 64) { rows in
            for row in rows where area.top <= row && row < area.bottom && (row - area.top) % area.rowPitch == 0 {
                let line = unsafe codes + row * image.width * image.samplesPerPixel
                for plane in planes { unsafe apply(to: line, row, plane, image, levels) }
            }
        }
    }

    private func apply(
        to line: UnsafeMutablePointer<UInt16>, _ row: Int, _ plane: Int, _ image: DNGImage, _ levels: RawLevels
    ) {
        let columns = stride(from: area.left, to: min(area.right, image.width), by: area.columnPitch)
        if case .table(let table) = change, !isLevelScaled {
            for column in columns {
                let index = column * image.samplesPerPixel + plane
                unsafe line[index] = unsafe table[min(Int(line[index]), table.count - 1)]
            }
            return
        }
        for (number, column) in columns.enumerated() {
            let (black, white) =
                isLevelScaled
                ? (Float(levels.black(row: row, column: column, sample: plane)), Float(levels.white))
                : (0, image.bitsPerSample > 8 ? Float(65_535) : 255)
            let index = column * image.samplesPerPixel + plane
            let value = unsafe (Float(line[index]) - black) / (white - black)
            let code = changed(value, row: (row - area.top) / area.rowPitch, column: number) * (white - black) + black
            // The comparison also maps NaN to 0.
            unsafe line[index] = code > 0 ? UInt16(min(code, 65_535).rounded()) : 0
        }
    }

    private func changed(_ value: Float, row: Int, column: Int) -> Float {
        switch change {
        case .table(let table):
            // The comparison maps NaN to index 0.
            let index = value > 0 ? Int(min(value, 1) * 65_535 + 0.5) : 0
            return Float(table[min(index, table.count - 1)]) / 65_535
        case .polynomial(let coefficients):
            var sum: Float = 0
            for factor in coefficients { sum = sum * value + factor }
            return sum
        case .linear(let scales, let offsets, let isByRow):
            let index = isByRow ? row : column
            return value * (scales.isEmpty ? 1 : scales[index]) + (offsets.isEmpty ? 0 : offsets[index])
        }
    }
}

/// The defective pixels of a mosaic: a list (FixBadPixelsList), or all pixels of one code (FixBadPixelsConstant).
struct FixBadPixelsOpcode: Sendable {
    /// The code that marks defective pixels; nil for a list.
    private let code: UInt32?
    /// The listed pixels, as rectangles inside the picture. They are expanded to pixels only when the picture is
    /// decoded: before that, the file is not known to hold a picture of that size.
    private let areas: [(rows: Range<Int>, columns: Range<Int>)]

    init(_ opcode: StoredOpcode, _ image: DNGImage) throws(GscapError) {
        var reader = ByteReader(opcode.data, isBigEndian: true)
        func integer() throws(GscapError) -> Int { Int(try reader.uint32()) }
        let first = try reader.uint32()
        guard opcode.number == 5 else {
            (code, areas) = (first, [])
            return
        }
        let (pointCount, rectangleCount) = (try integer(), try integer())
        guard reader.remaining == 8 * pointCount + 16 * rectangleCount else {
            throw GscapError(
                .malformed,
                "\(pointCount) bad points and \(rectangleCount) bad rectangles do not match \(reader.remaining) bytes")
        }
        var areas: [(rows: Range<Int>, columns: Range<Int>)] = []
        var count = 0
        func add(_ rows: Range<Int>, _ columns: Range<Int>) throws(GscapError) {
            guard !rows.isEmpty, rows.upperBound <= image.height, columns.upperBound <= image.width,
                count + rows.count * columns.count <= image.width * image.height / 4
            else {
                throw GscapError(.malformed, "bad pixels lie outside the picture, or are more than a quarter of it")
            }
            count += rows.count * columns.count
            areas.append((rows, columns))
        }
        for _ in 0..<pointCount {
            let (row, column) = (try integer(), try integer())
            try add(row..<row + 1, column..<column + 1)
        }
        for _ in 0..<rectangleCount {
            let (top, left, bottom, right) = (try integer(), try integer(), try integer(), try integer())
            try add(top..<max(top, bottom), left..<max(left, right))
        }
        (code, self.areas) = (nil, areas)
    }

    /// Returns the listed pixels as row-major indices in a picture of this width.
    private func indices(_ width: Int) -> Set<Int> {
        var indices: Set<Int> = []
        for (rows, columns) in areas {
            for row in rows { for column in columns { indices.insert(row * width + column) } }
        }
        return indices
    }

    func apply(to codes: UnsafeMutablePointer<UInt16>, _ image: DNGImage) {
        let (width, height) = (image.width, image.height)
        guard let code else {
            let bad = indices(width)
            for index in bad { unsafe replaceDefective(index, codes, image) { bad.contains($0) } }
            return
        }
        // Find all defective pixels before replacing any, so that none serves as a neighbour of another.
        let all = 0..<width * height
        guard all.count(where: { unsafe UInt32(codes[$0]) == code }) <= all.count / 4 else { return }
        let bad = Set(all.filter { unsafe UInt32(codes[$0]) == code })
        for index in bad { unsafe replaceDefective(index, codes, image) { bad.contains($0) } }
    }

    /// Replaces a pixel by the mean of its neighbours of the same CFA colour, two pixels above, below, left and right,
    /// leaving out defective ones.
    private func replaceDefective(
        _ index: Int, _ codes: UnsafeMutablePointer<UInt16>, _ image: DNGImage, isBad: (Int) -> Bool
    ) {
        let (row, column) = index.quotientAndRemainder(dividingBy: image.width)
        var (sum, count) = (0, 0)
        for (down, across) in [(-2, 0), (2, 0), (0, -2), (0, 2)] {
            let (neighborRow, neighborColumn) = (row + down, column + across)
            guard (0..<image.height).contains(neighborRow), (0..<image.width).contains(neighborColumn) else { continue }
            let neighbor = neighborRow * image.width + neighborColumn
            guard !isBad(neighbor) else { continue }
            unsafe sum += Int(codes[neighbor])
            count += 1
        }
        if count > 0 { unsafe codes[index] = UInt16((sum + count / 2) / count) }
    }
}
