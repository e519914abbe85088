/// The phase of Fujifilm's X-Trans colour filter array: the colours of its 6×6 cell, starting at the image origin.
public struct XTransPattern: Sendable, Hashable {
    /// The colour planes (0 red, 1 green, 2 blue) of the 36 positions in the cell, in reading order.
    public let planes: [Int]

    /// The cell with a 2×2 block of green at its origin.
    private static let cell = [
        1, 1, 0, 1, 1, 2, 1, 1, 2, 1, 1, 0, 2, 0, 1, 0, 2, 1, 1, 1, 2, 1, 1, 0, 1, 1, 0, 1, 1, 2, 0, 2, 1, 2, 0, 1,
    ]

    /// The pattern with a 2×2 block of green at its origin.
    public static let standard = XTransPattern(unchecked: cell)

    /// Creates a pattern from the colours of its cell; nil if they are not those of an X-Trans sensor, at any phase,
    /// turned or mirrored.
    public init?(_ planes: [Int]) {
        guard planes.count == 36 else { return nil }
        // A turned or mirrored cell is the same cell at another phase, or that with red and blue exchanged.
        let exchanged = Self.cell.map { 2 - $0 }
        let known = [Self.cell, exchanged].map(XTransPattern.init(unchecked:))
        let isKnown = known.contains { cell in
            (0..<36).contains { cell.shifted(rows: $0 / 6, columns: $0 % 6).planes == planes }
        }
        guard isKnown else { return nil }
        self.planes = planes
    }

    private init(unchecked planes: [Int]) {
        self.planes = planes
    }

    /// Returns the colour plane (0 red, 1 green, 2 blue) of the pixel at `row` and `column`.
    public func plane(row: Int, column: Int) -> Int {
        // Positions left of and above the origin have negative indices.
        planes[((row % 6 + 6) % 6) * 6 + (column % 6 + 6) % 6]
    }

    /// Returns the pattern as it starts at an image origin moved down by `rows` and right by `columns`.
    public func shifted(rows: Int, columns: Int) -> XTransPattern {
        XTransPattern(unchecked: (0..<36).map { plane(row: $0 / 6 + rows, column: $0 % 6 + columns) })
    }
}

/// An X-Trans mosaic: raw CFA samples in memory, without row padding, with their metadata.
public struct XTransMosaic: Sendable {
    /// Width in pixels.
    public let width: Int
    /// Height in pixels.
    public let height: Int
    /// The pattern at the image origin.
    public let pattern: XTransPattern
    /// The frame's metadata; the four black levels are equal.
    public var metadata: FrameMetadata
    /// The codes, one for each pixel.
    public var codes: [UInt16]

    /// Creates a mosaic; throws unless it has one code for each of `width`×`height` pixels.
    public init(
        width: Int, height: Int, pattern: XTransPattern, metadata: FrameMetadata, codes: [UInt16]
    ) throws(GscapError) {
        let sides = 1...MosaicFormat.maximumSide
        guard sides.contains(width), sides.contains(height), codes.count == width * height else {
            throw GscapError(.badFormat, "a \(width)×\(height) X-Trans mosaic has \(codes.count) codes")
        }
        self.width = width
        self.height = height
        self.pattern = pattern
        self.metadata = metadata
        self.codes = codes
    }
}
