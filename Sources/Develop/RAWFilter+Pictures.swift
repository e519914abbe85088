public import DNG
internal import Glibc
public import RawImage

// The pictures that come of a raw photo. All are upright.

extension RAWFilter {
    /// The size of the photo, upright.
    public var nativeSize: (width: Int, height: Int) {
        let shown = areas.shown
        return isTurned ? (shown.height, shown.width) : (shown.width, shown.height)
    }

    /// A finished picture: of a part, which is told in pixels of the upright photo, and no larger than a box.
    public func picture(
        color: PictureColor = .sRGB, depth: Renderer.Output.Depth = .eight, crop: PixelRectangle? = nil,
        fitting box: (width: Int, height: Int)? = nil, cores: Int? = nil
    ) throws(DevelopError) -> Picture {
        try renderer().picture(output(color, depth, crop, box), cores: cores)
    }

    /// The same of 8 bits row by row, as it is wanted; nil for a picture that is turned.
    package func rows(
        color: PictureColor = .sRGB, crop: PixelRectangle? = nil, fitting box: (width: Int, height: Int)? = nil,
        cores: Int? = nil
    ) throws(DevelopError) -> RenderedRows? {
        try RenderedRows(renderer(), output(color, .eight, crop, box), cores: cores)
    }

    private func output(
        _ color: PictureColor, _ depth: Renderer.Output.Depth, _ crop: PixelRectangle?,
        _ box: (width: Int, height: Int)?
    ) throws(DevelopError) -> Renderer.Output {
        let part = try crop.map { crop throws(DevelopError) in try raw(crop) } ?? areas.shown
        return Renderer.Output(
            color: color, depth: depth, crop: part, size: size(of: part, fitting: box), appliesOrientation: true)
    }

    /// The scene's light, in proportion, with nothing cut that the sensor saw.
    public func linearPicture(
        _ primaries: PictureColor.Primaries = .rec2020, crop: PixelRectangle? = nil,
        fitting box: (width: Int, height: Int)? = nil, cores: Int? = nil
    ) throws(DevelopError) -> Picture {
        try picture(
            color: PictureColor(primaries, .linear), depth: .half, crop: crop, fitting: box, cores: cores)
    }

    /// The finished picture's own light, linear, with what is brighter than the white of paper.
    public func brightPicture(
        _ primaries: PictureColor.Primaries = .sRGB, crop: PixelRectangle? = nil,
        fitting box: (width: Int, height: Int)? = nil, cores: Int? = nil
    ) throws(DevelopError) -> Picture {
        let coded = try picture(
            color: PictureColor(primaries, .pq), depth: .sixteen, crop: crop, fitting: box, cores: cores)
        return try coded.linearFromPQ()
    }

    /// How much light of each strength the scene holds.
    public func histogram() throws(DevelopError) -> Histogram {
        try Histogram(of: linearPicture(.sRGB))
    }

    /// The first preview that the file brings; nil without one.
    public func previewImage() throws(DNGError) -> DNGPreview? {
        guard let file, file.images.contains(where: { $0.kind == .preview }) else { return nil }
        return try file.preview()
    }

    /// What was passed over, in words, and what counts instead: of the file, and of what is asked for.
    public var warnings: [String] {
        remarks + ((try? renderer().warnings) ?? [])
    }

    private func renderer() throws(DevelopError) -> Renderer {
        var source = source
        if !isLensCorrectionEnabled { source.metadata.lens = LensCorrection() }
        var renderer = try Renderer(source, recipe)
        renderer.activeArea = areas.active
        return renderer
    }
}

// MARK: - From upright pixels to the sensor's

extension RAWFilter {
    private var orientation: Int { (1...8).contains(metadata.orientation) ? metadata.orientation : 1 }

    /// Whether rows of the upright photo are columns of the sensor.
    private var isTurned: Bool { orientation > 4 }

    /// The part of the sensor's picture that a part of the upright photo shows.
    private func raw(_ part: PixelRectangle) throws(DevelopError) -> PixelRectangle {
        let (size, shown) = (nativeSize, areas.shown)
        guard part.left >= 0, part.top >= 0, part.width > 0, part.height > 0, part.width <= size.width,
            part.height <= size.height, part.left <= size.width - part.width, part.top <= size.height - part.height
        else {
            throw DevelopError(
                .badOutput,
                "\(part.width)×\(part.height) pixels at \(part.left), \(part.top) are not a part of the "
                    + "\(size.width)×\(size.height) photo")
        }
        // Exif's turns: rows and columns exchanged from 5 on, then mirrored across, then down.
        let isMirrored = [2, 3, 7, 8].contains(orientation)
        let isFlipped = [3, 4, 6, 7].contains(orientation)
        let across = isTurned ? (part.top, part.height) : (part.left, part.width)
        let down = isTurned ? (part.left, part.width) : (part.top, part.height)
        return PixelRectangle(
            left: shown.left + (isMirrored ? shown.width - across.0 - across.1 : across.0),
            top: shown.top + (isFlipped ? shown.height - down.0 - down.1 : down.0),
            width: across.1, height: down.1)
    }

    /// The pixel of the sensor's picture that shows at a place of the upright photo.
    func raw(column: Int, row: Int) throws(DevelopError) -> (column: Int, row: Int) {
        let pixel = try raw(PixelRectangle(left: column, top: row, width: 1, height: 1))
        return (pixel.left, pixel.top)
    }

    /// The size, before it is turned, at which a part fits in a box; nil when it fits as it is.
    private func size(of part: PixelRectangle, fitting box: (width: Int, height: Int)?) -> Renderer.Output.Size? {
        guard let box else { return nil }
        let (width, height) = isTurned ? (box.height, box.width) : (box.width, box.height)
        let scale = min(Double(width) / Double(part.width), Double(height) / Double(part.height))
        guard scale < 1 else { return nil }
        return Renderer.Output.Size(
            width: max(1, Int((Double(part.width) * scale).rounded())),
            height: max(1, Int((Double(part.height) * scale).rounded())))
    }
}

extension Picture {
    /// The light that codes of SMPTE ST 2084 stand for, with 1 for the white of paper.
    fileprivate func linearFromPQ() throws(DevelopError) -> Picture {
        guard case .words(let codes) = samples else {
            throw DevelopError(.badPicture, "absolute light is told in 16 bits")
        }
        let light = (0...65_535).map { Float16(Self.light(Double($0) / 65_535) * 10_000 / 203) }
        return try DevelopError.checking { () throws(RawImageError) in
            try Picture(
                width: width, height: height, color: PictureColor(color.primaries, .linear),
                samples: .halves(codes.map { light[Int($0)] }))
        }
    }

    /// The share of 10,000 cd/m² that a number of the curve stands for.
    private static func light(_ number: Double) -> Double {
        let root = pow(number, 32.0 / 2523)
        return pow(max(root - 107.0 / 128, 0) / (2413.0 / 128 - 2392.0 / 128 * root), 16_384.0 / 2610)
    }
}
