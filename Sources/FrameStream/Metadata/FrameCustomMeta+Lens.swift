internal import GStreamer
internal import RawImage

extension DescriptiveMetadata {
    /// Decodes the shot details from a buffer's metadata structure; missing fields stay unknown.
    init(_ structure: Structure) {
        self.init()
        focalLength = structure["focal-length"]?.number ?? 0
        focalLengthIn35mm = structure["focal-length-35mm"]?.number ?? 0
        if let ratio = structure["digital-zoom-ratio"]?.number, ratio > 1, ratio.isFinite { digitalZoomRatio = ratio }
        fNumber = structure["f-number"]?.number ?? 0
        lensMake = structure["lens-make"]?.text ?? ""
        lensModel = structure["lens-model"]?.text ?? ""
        artist = structure["artist"]?.text ?? ""
        copyright = structure["copyright"]?.text ?? ""
        title = structure["title"]?.text ?? ""
        rating = structure["rating"]?.integer.flatMap { (-1...5).contains($0) ? $0 : nil }
        label = structure["label"]?.text ?? ""
        keywords = structure["keywords"]?.elements?.compactMap(\.text) ?? []
        if let values = structure.numbers("location"), values.count >= 2 {
            location = Location(latitude: values[0], longitude: values[1], altitude: values.count > 2 ? values[2] : nil)
        }
    }

    /// Encodes the known details into a buffer's metadata structure.
    func encode(into structure: inout Structure) {
        for (field, number) in [
            ("focal-length", focalLength), ("focal-length-35mm", focalLengthIn35mm), ("f-number", fNumber),
        ] where number > 0 {
            structure[field] = .double(number)
        }
        if digitalZoomRatio > 1 { structure["digital-zoom-ratio"] = .double(digitalZoomRatio) }
        for (field, text) in [
            ("lens-make", lensMake), ("lens-model", lensModel), ("artist", artist), ("copyright", copyright),
            ("title", title), ("label", label),
        ] where !text.isEmpty {
            structure[field] = .string(text)
        }
        structure["rating"] = rating.map { .int(Int32(clamping: $0)) }
        if !keywords.isEmpty { structure["keywords"] = .array(keywords.map(Value.string)) }
        if let location {
            structure["location"] = .numbers(
                [location.latitude, location.longitude] + (location.altitude.map { [$0] } ?? []))
        }
    }
}

extension LensCorrection {
    /// Decodes the lens correction from a buffer's metadata structure; invalid maps and coefficients are recorded in
    /// `ignored`.
    init(_ structure: Structure, _ ignored: inout IgnoredFields) {
        self.init()
        shading = ignored.decodeElements("lens-shading", of: structure) { value throws(GscapError) in
            try ShadingMap(numbers: value.elements?.compactMap(\.number) ?? [])
        }
        let model = structure["lens-warp-model"]?.text.flatMap(LensWarp.Model.init) ?? .rectilinear
        warp = ignored.decode("lens-warp", of: structure) { value throws(GscapError) in
            try LensWarp(model, numbers: value.elements?.compactMap(\.number) ?? [])
        }
    }

    /// Encodes the shading maps and the distortion model into a buffer's metadata structure.
    func encode(into structure: inout Structure) {
        if !shading.isEmpty { structure["lens-shading"] = .array(shading.map { .numbers($0.numbers) }) }
        structure["lens-warp"] = warp.map { .numbers($0.numbers) }
        if let model = warp?.model, model != .rectilinear { structure["lens-warp-model"] = .string(model.rawValue) }
    }
}

extension ShadingMap {
    /// The count of numbers before the gains: eleven integers, the spacing (2) and the origin (2).
    private static let headerCount = 15

    /// The map as a flat array: the edges and pitches of its area (6), the first plane and the number of planes, rows,
    /// columns and gain planes, the spacing, the origin, then the gains.
    fileprivate var numbers: [Double] {
        let header = [
            area.top, area.left, area.bottom, area.right, area.rowPitch, area.columnPitch, plane, planeCount, rows,
            columns, gainPlanes,
        ]
        return header.map(Double.init) + [spacing.down, spacing.across, origin.down, origin.across]
            + gains.map(Double.init)
    }

    fileprivate init?(numbers: [Double]) throws(GscapError) {
        guard numbers.count > Self.headerCount else { return nil }
        let header = numbers.prefix(11).compactMap { Int(exactly: $0) }
        guard header.count == 11 else { return nil }
        let area = PixelGrid(
            top: header[0], left: header[1], bottom: header[2], right: header[3], rowPitch: header[4],
            columnPitch: header[5])
        try self.init(
            area: area, plane: header[6], planeCount: header[7], rows: header[8], columns: header[9],
            spacing: GainTableMap.RelativePoint(down: numbers[11], across: numbers[12]),
            origin: GainTableMap.RelativePoint(down: numbers[13], across: numbers[14]), gainPlanes: header[10],
            gains: numbers.dropFirst(Self.headerCount).map { Float($0) })
    }
}

extension LensWarp {
    /// The distortion model as a flat array: the centre (down, across), then per plane the radial and tangential
    /// coefficients and, for polynomial models, the range of radii in which the polynomial is valid.
    fileprivate var numbers: [Double] {
        [center.down, center.across]
            + planes.flatMap { plane in
                let radii = [plane.validRadii.lowerBound, plane.validRadii.upperBound]
                return plane.radial + plane.tangential + (model.isPolynomial ? radii : [])
            }
    }

    fileprivate init?(_ model: Model, numbers: [Double]) throws(GscapError) {
        let length = model.count + (model.isPolynomial ? 4 : 2)
        guard numbers.count > 2, (numbers.count - 2) % length == 0 else { return nil }
        var planes: [Plane] = []
        for start in stride(from: 2, to: numbers.count, by: length) {
            let rest = Array(numbers[start + model.count..<start + length])
            var plane = Plane(radial: Array(numbers[start..<start + model.count]), tangential: Array(rest.prefix(2)))
            if model.isPolynomial {
                guard rest[2] <= rest[3] else { return nil }
                plane.validRadii = rest[2]...rest[3]
            }
            planes.append(plane)
        }
        let center = GainTableMap.RelativePoint(down: numbers[0], across: numbers[1])
        try self.init(model, planes: planes, center: center)
    }
}

extension LensWarp.Model {
    fileprivate var isPolynomial: Bool { self == .polynomial || self == .reciprocal }
}
