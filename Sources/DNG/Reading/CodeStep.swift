internal import RawImage

/// A step of an opcode list that is done on codes, before anything else is made of them.
enum CodeStep: Sendable {
    /// Codes change by their value, or by the row or column they are in.
    case map(CodeMap)
    /// Pixels that are known to be bad become the mean of their neighbours.
    case mend(BadPixels)

    /// The step that an opcode stands for; nil when it is of another kind.
    init?(_ opcode: StoredOpcode, list: Int, _ image: DNGImage) throws(DNGError) {
        switch (opcode.number, list) {
        case (7, 1...2), (8, 1...2), (10...13, 1...2): self = .map(try CodeMap(opcode, list: list, image))
        case (4...5, 1) where image.kind == .bayer: self = .mend(try BadPixels(opcode, image))
        default: return nil
        }
    }

    /// Does the step on all codes of a picture, whose levels count in the second list.
    func apply(to codes: UnsafeMutablePointer<UInt16>, _ image: DNGImage, _ levels: RawLevels) {
        switch self {
        case .map(let map): unsafe map.apply(to: codes, image, levels)
        case .mend(let pixels): unsafe pixels.apply(to: codes, image)
        }
    }
}

/// A table, a polynomial, or what each row or column is moved or multiplied by, for the pixels of a grid.
struct CodeMap: Sendable {
    private enum Change {
        case table([UInt16])
        /// Factors of the highest power first.
        case polynomial([Float])
        case scaledAndMoved(scales: [Float], moves: [Float], isByRow: Bool)
    }

    private let area: PixelGrid
    private let planes: Range<Int>
    private let change: Change
    /// Whether numbers are told of light between black and white, rather than of all that a code can be.
    private let isOfLight: Bool

    init(_ opcode: StoredOpcode, list: Int, _ image: DNGImage) throws(DNGError) {
        var reader = ByteReader(opcode.data, isBigEndian: true)
        func whole() throws(DNGError) -> Int { Int(try reader.uint32()) }
        var area = PixelGrid(
            top: try whole(), left: try whole(), bottom: try whole(), right: try whole(), rowPitch: 1, columnPitch: 1)
        let (plane, planeCount) = (try whole(), try whole())
        (area.rowPitch, area.columnPitch) = (try whole(), try whole())
        if let problem = area.problem { throw DNGError(.malformed, problem) }
        planes = min(plane, image.samplesPerPixel)..<min(plane + planeCount, image.samplesPerPixel)
        isOfLight = list == 2
        change = try Self.change(opcode.number, &reader, area)
        guard reader.remaining == 0 else {
            throw DNGError(.malformed, "\(reader.remaining) bytes follow an opcode's values")
        }
        // The second list's places are told from the active area's corner.
        if list == 2 {
            area.top += image.activeArea.top
            area.bottom += image.activeArea.top
            area.left += image.activeArea.left
            area.right += image.activeArea.left
        }
        self.area = area
    }

    private static func change(
        _ number: Int, _ reader: inout ByteReader, _ area: PixelGrid
    ) throws(DNGError) -> Change {
        let count = Int(try reader.uint32())
        switch number {
        case 7:
            guard (1...65_536).contains(count), reader.remaining == 2 * count else { break }
            var table: [UInt16] = []
            for _ in 0..<count { table.append(try reader.uint16()) }
            return .table(table)
        case 8:
            guard count <= 8, reader.remaining == 8 * (count + 1) else { break }
            var factors: [Float] = []
            for _ in 0...count { factors.append(Float(try reader.float64())) }
            guard factors.allSatisfy(\.isFinite) else { break }
            return .polynomial(factors.reversed())
        default:
            let isByRow = number == 10 || number == 12
            let (length, pitch) =
                isByRow ? (area.bottom - area.top, area.rowPitch) : (area.right - area.left, area.columnPitch)
            guard count == (length + pitch - 1) / pitch, reader.remaining == 4 * count else { break }
            var values: [Float] = []
            for _ in 0..<count { values.append(try reader.float32()) }
            guard values.allSatisfy(\.isFinite) else { break }
            return number < 12
                ? .scaledAndMoved(scales: [], moves: values, isByRow: isByRow)
                : .scaledAndMoved(scales: values, moves: [], isByRow: isByRow)
        }
        throw DNGError(.malformed, "an opcode of kind \(number) has \(count) values in \(reader.remaining) bytes")
    }

    func apply(to codes: UnsafeMutablePointer<UInt16>, _ image: DNGImage, _ levels: RawLevels) {
        // Each band changes rows of its own.
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
        if case .table(let table) = change, !isOfLight {
            for column in columns {
                let index = column * image.samplesPerPixel + plane
                unsafe line[index] = unsafe table[min(Int(line[index]), table.count - 1)]
            }
            return
        }
        for (number, column) in columns.enumerated() {
            let (black, white) =
                isOfLight
                ? (Float(levels.black(row: row, column: column, sample: plane)), Float(levels.white))
                : (0, image.bitsPerSample > 8 ? Float(65_535) : 255)
            let index = column * image.samplesPerPixel + plane
            let light = unsafe (Float(line[index]) - black) / (white - black)
            let code = changed(light, row: (row - area.top) / area.rowPitch, column: number) * (white - black) + black
            // Also what is no number becomes 0.
            unsafe line[index] = code > 0 ? UInt16(min(code, 65_535).rounded()) : 0
        }
    }

    private func changed(_ light: Float, row: Int, column: Int) -> Float {
        switch change {
        case .table(let table):
            // The place of what is no number is the first.
            let place = light > 0 ? Int(min(light, 1) * 65_535 + 0.5) : 0
            return Float(table[min(place, table.count - 1)]) / 65_535
        case .polynomial(let factors):
            var sum: Float = 0
            for factor in factors { sum = sum * light + factor }
            return sum
        case .scaledAndMoved(let scales, let moves, let isByRow):
            let place = isByRow ? row : column
            return light * (scales.isEmpty ? 1 : scales[place]) + (moves.isEmpty ? 0 : moves[place])
        }
    }
}

/// Pixels of a mosaic that are bad: those named, or those of one code.
struct BadPixels: Sendable {
    /// The code of bad pixels; nil when they are named.
    private let code: UInt32?
    /// Those named, as rectangles inside the picture. Their pixels are counted out when the picture is read: until then
    /// nobody knows whether the file has the bytes for so many.
    private let areas: [(rows: Range<Int>, columns: Range<Int>)]

    init(_ opcode: StoredOpcode, _ image: DNGImage) throws(DNGError) {
        var reader = ByteReader(opcode.data, isBigEndian: true)
        func whole() throws(DNGError) -> Int { Int(try reader.uint32()) }
        let first = try reader.uint32()
        guard opcode.number == 5 else {
            (code, areas) = (first, [])
            return
        }
        let (pointCount, rectangleCount) = (try whole(), try whole())
        guard reader.remaining == 8 * pointCount + 16 * rectangleCount else {
            throw DNGError(
                .malformed,
                "\(pointCount) bad points and \(rectangleCount) bad rectangles are told in \(reader.remaining) bytes")
        }
        var areas: [(rows: Range<Int>, columns: Range<Int>)] = []
        var count = 0
        func add(_ rows: Range<Int>, _ columns: Range<Int>) throws(DNGError) {
            guard !rows.isEmpty, rows.upperBound <= image.height, columns.upperBound <= image.width,
                count + rows.count * columns.count <= image.width * image.height / 4
            else { throw DNGError(.malformed, "bad pixels lie outside the picture, or are most of it") }
            count += rows.count * columns.count
            areas.append((rows, columns))
        }
        for _ in 0..<pointCount {
            let (row, column) = (try whole(), try whole())
            try add(row..<row + 1, column..<column + 1)
        }
        for _ in 0..<rectangleCount {
            let (top, left, bottom, right) = (try whole(), try whole(), try whole(), try whole())
            try add(top..<max(top, bottom), left..<max(left, right))
        }
        (code, self.areas) = (nil, areas)
    }

    /// The places of those named, as row times width plus column.
    private func places(_ width: Int) -> Set<Int> {
        var places: Set<Int> = []
        for (rows, columns) in areas {
            for row in rows { for column in columns { places.insert(row * width + column) } }
        }
        return places
    }

    func apply(to codes: UnsafeMutablePointer<UInt16>, _ image: DNGImage) {
        let (width, height) = (image.width, image.height)
        guard let code else {
            let places = places(width)
            for place in places { unsafe mend(place, codes, image) { places.contains($0) } }
            return
        }
        // What is mended must not count for its neighbours before all were found.
        let all = 0..<width * height
        guard all.count(where: { unsafe UInt32(codes[$0]) == code }) <= all.count / 4 else { return }
        let bad = Set(all.filter { unsafe UInt32(codes[$0]) == code })
        for place in bad { unsafe mend(place, codes, image) { bad.contains($0) } }
    }

    /// Gives a pixel the mean of the nearest of its colour that are good.
    private func mend(
        _ place: Int, _ codes: UnsafeMutablePointer<UInt16>, _ image: DNGImage, isBad: (Int) -> Bool
    ) {
        let (row, column) = place.quotientAndRemainder(dividingBy: image.width)
        var (sum, count) = (0, 0)
        for (down, across) in [(-2, 0), (2, 0), (0, -2), (0, 2)] {
            let (itsRow, itsColumn) = (row + down, column + across)
            guard (0..<image.height).contains(itsRow), (0..<image.width).contains(itsColumn) else { continue }
            let its = itsRow * image.width + itsColumn
            guard !isBad(its) else { continue }
            unsafe sum += Int(codes[its])
            count += 1
        }
        if count > 0 { unsafe codes[place] = UInt16((sum + count / 2) / count) }
    }
}
