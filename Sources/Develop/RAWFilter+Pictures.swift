internal import Glibc
public import RawImage

// Rendering a raw photo. All pictures and coordinates here are upright: the EXIF orientation is applied.

extension RAWFilter {
    /// The full size of the photo in square pixels, with the EXIF orientation applied.
    public var nativeSize: (width: Int, height: Int) { upright(squareSize) }

    /// Renders the photo, or the part `crop` of it, with the look applied.
    ///
    /// `crop` is in pixels of the upright photo. The picture is scaled down to fit `box` and is never enlarged. Runs
    /// on all cores unless `cores` is 1.
    public func picture(
        color: PictureColor = .sRGB, depth: Renderer.Output.Depth = .eight, crop: PixelRectangle? = nil,
        fitting box: (width: Int, height: Int)? = nil, cores: Int? = nil
    ) throws(GscapError) -> Picture {
        guard let cubeLook else { return try plainPicture(color, depth, crop, box, cores: cores) }
        guard color.transfer == .sRGB else {
            throw GscapError(
                .badOutput, "a .cube look is for pictures with the sRGB transfer function, not for linear, PQ or HLG")
        }
        guard (0...1).contains(cubeLookAmount) else {
            throw GscapError(.badRecipe, "the strength \(cubeLookAmount) of the .cube look is not between 0 and 1")
        }
        let plain = try plainPicture(.sRGB, .sixteen, crop, box, cores: cores)
        return try cubeLook.applied(to: plain, amount: cubeLookAmount, primaries: color.primaries, depth: depth)
    }

    /// Returns an 8-bit rendering that is computed row by row on demand; nil if the orientation is not 1, with a
    /// `.cube` look, or if the raw image has pixels that are not square.
    package func rows(
        color: PictureColor = .sRGB, crop: PixelRectangle? = nil, fitting box: (width: Int, height: Int)? = nil,
        cores: Int? = nil
    ) throws(GscapError) -> RenderedRows? {
        guard cubeLook == nil, squareScale == (1, 1) else { return nil }
        return try RenderedRows(renderer(), output(color, .eight, crop, box).output, cores: cores)
    }

    /// Renders the photo without a `.cube` look, in square pixels.
    private func plainPicture(
        _ color: PictureColor, _ depth: Renderer.Output.Depth, _ crop: PixelRectangle?,
        _ box: (width: Int, height: Int)?, cores: Int?
    ) throws(GscapError) -> Picture {
        let (output, size) = try output(color, depth, crop, box)
        let picture = try renderer().picture(output, cores: cores)
        let (width, height) = upright((size.width, size.height))
        return try picture.enlarged(width: width, height: height)
    }

    /// Returns the description of a picture to render, and the size to which it is then enlarged, before orientation
    /// is applied: raw images whose pixels are not square are only scaled down by the renderer.
    private func output(
        _ color: PictureColor, _ depth: Renderer.Output.Depth, _ crop: PixelRectangle?,
        _ box: (width: Int, height: Int)?
    ) throws(GscapError) -> (output: Renderer.Output, size: Renderer.Output.Size) {
        let part = try crop.map { crop throws(GscapError) in try raw(crop) } ?? areas.shown
        let whole = crop.map { upright(($0.width, $0.height)) } ?? squareSize
        let final = size(of: whole, fitting: box)
        let rendered = Renderer.Output.Size(
            width: min(final.width, part.width), height: min(final.height, part.height))
        let isScaled = rendered.width < part.width || rendered.height < part.height
        let output = Renderer.Output(
            color: color, depth: depth, crop: part, size: isScaled ? rendered : nil, appliesOrientation: true)
        return (output, final)
    }

    /// Renders scene-linear values without the look: no gains, tone curve or gamut mapping, and no clipping of
    /// highlights.
    ///
    /// 1 is diffuse white at the recipe's exposure. Values can exceed 1 and, because of noise, fall below 0.
    public func sceneLinearPicture(
        _ primaries: PictureColor.Primaries = .rec2020, crop: PixelRectangle? = nil,
        fitting box: (width: Int, height: Int)? = nil, cores: Int? = nil
    ) throws(GscapError) -> Picture {
        try picture(
            color: PictureColor(primaries, .linear), depth: .half, crop: crop, fitting: box, cores: cores)
    }

    /// Renders the photo with the look applied, as linear display values in which highlights may exceed 1 (diffuse
    /// white).
    public func displayLinearPicture(
        _ primaries: PictureColor.Primaries = .sRGB, crop: PixelRectangle? = nil,
        fitting box: (width: Int, height: Int)? = nil, cores: Int? = nil
    ) throws(GscapError) -> Picture {
        let coded = try picture(
            color: PictureColor(primaries, .pq), depth: .sixteen, crop: crop, fitting: box, cores: cores)
        return try coded.linearFromPQ()
    }

    /// Counts the scene-linear values of the photo by brightness; see `Histogram`.
    public func histogram() throws(GscapError) -> Histogram {
        var plain = self
        plain.cubeLook = nil
        return try Histogram(of: plain.sceneLinearPicture(.sRGB))
    }

    /// Describes what was ignored or missing in the file and in the recipe, and what is used instead.
    public var warnings: [String] {
        remarks + ((try? renderer().warnings) ?? [])
    }

    private func renderer() throws(GscapError) -> Renderer {
        var source = source
        source.metadata.lens = isLensCorrectionEnabled ? lensCorrection : LensCorrection()
        var renderer = try Renderer(source, recipe)
        renderer.activeArea = areas.active
        return renderer
    }
}

// MARK: - From upright to raw image coordinates

extension RAWFilter {
    /// Whether the EXIF orientation exchanges rows and columns (5...8).
    private var exchangesAxes: Bool { orientation > 4 }

    /// The size of the shown part in square pixels, before orientation is applied.
    private var squareSize: (width: Int, height: Int) {
        func scaled(_ side: Int, _ factor: Double) -> Int {
            min(MosaicFormat.maximumSide, Int((Double(side) * factor).rounded()))
        }
        return (scaled(areas.shown.width, squareScale.across), scaled(areas.shown.height, squareScale.down))
    }

    /// Exchanges width and height if the orientation does: the size of an upright picture, or the reverse.
    private func upright(_ size: (width: Int, height: Int)) -> (width: Int, height: Int) {
        exchangesAxes ? (size.height, size.width) : size
    }

    /// Converts a rectangle of the upright photo to raw image coordinates; throws if it reaches outside the photo.
    private func raw(_ part: PixelRectangle) throws(GscapError) -> PixelRectangle {
        let (size, whole) = (nativeSize, squareSize)
        guard part.left >= 0, part.top >= 0, part.width > 0, part.height > 0, part.width <= size.width,
            part.height <= size.height, part.left <= size.width - part.width, part.top <= size.height - part.height
        else {
            throw GscapError(
                .badOutput,
                "the area of \(part.width)×\(part.height) at \(part.left), \(part.top) is not inside the "
                    + "\(size.width)×\(size.height) photo: choose one inside it")
        }
        // EXIF orientations 5...8 exchange rows and columns; then columns are mirrored, then rows.
        let isMirrored = [2, 3, 7, 8].contains(orientation)
        let isFlipped = [3, 4, 6, 7].contains(orientation)
        let across = exchangesAxes ? (part.top, part.height) : (part.left, part.width)
        let down = exchangesAxes ? (part.left, part.width) : (part.top, part.height)
        let columns = Self.pixels(
            from: isMirrored ? whole.width - across.0 - across.1 : across.0, count: across.1, of: whole.width,
            in: areas.shown.width)
        let rows = Self.pixels(
            from: isFlipped ? whole.height - down.0 - down.1 : down.0, count: down.1, of: whole.height,
            in: areas.shown.height)
        return PixelRectangle(
            left: areas.shown.left + columns.lowerBound, top: areas.shown.top + rows.lowerBound,
            width: columns.count, height: rows.count)
    }

    /// Returns the raw pixels under pixels of a side that is `length` raw pixels long and is enlarged to `scaled`.
    private static func pixels(from start: Int, count: Int, of scaled: Int, in length: Int) -> Range<Int> {
        let last = ((start + count) * length + scaled - 1) / scaled
        return start * length / scaled..<min(length, last)
    }

    /// Converts a pixel of the upright photo to raw image coordinates.
    func raw(column: Int, row: Int) throws(GscapError) -> (column: Int, row: Int) {
        let pixel = try raw(PixelRectangle(left: column, top: row, width: 1, height: 1))
        return (pixel.left, pixel.top)
    }

    /// Returns the size of a part that fits into `box`, before orientation is applied.
    private func size(
        of part: (width: Int, height: Int), fitting box: (width: Int, height: Int)?
    ) -> Renderer.Output.Size {
        let whole = Renderer.Output.Size(width: part.width, height: part.height)
        guard let box else { return whole }
        let (width, height) = upright(box)
        let scale = min(Double(width) / Double(part.width), Double(height) / Double(part.height))
        guard scale < 1 else { return whole }
        return Renderer.Output.Size(
            width: max(1, Int((Double(part.width) * scale).rounded())),
            height: max(1, Int((Double(part.height) * scale).rounded())))
    }
}

extension Picture {
    /// Decodes a 16-bit PQ (SMPTE ST 2084) picture to linear half floats, in which 1 is diffuse white (203 cd/m²).
    fileprivate func linearFromPQ() throws(GscapError) -> Picture {
        guard case .words(let codes) = samples else {
            throw GscapError(.badPicture, "a PQ picture needs 16-bit samples")
        }
        let linear = (0...65_535).map { Float16(Self.luminance(pq: Double($0) / 65_535) * 10_000 / 203) }
        return try GscapError.checking { () throws(GscapError) in
            try Picture(
                width: width, height: height, color: PictureColor(color.primaries, .linear),
                samples: .halves(codes.map { linear[Int($0)] }))
        }
    }

    /// Decodes a PQ signal in 0...1 to luminance as a fraction of 10,000 cd/m² (SMPTE ST 2084 EOTF).
    private static func luminance(pq signal: Double) -> Double {
        let root = pow(signal, 32.0 / 2523)
        return pow(max(root - 107.0 / 128, 0) / (2413.0 / 128 - 2392.0 / 128 * root), 16_384.0 / 2610)
    }
}
