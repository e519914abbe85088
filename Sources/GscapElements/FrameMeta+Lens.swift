internal import GStreamer
internal import RawImage

extension ShotDetails {
    /// Details out of a buffer's structure; what is missing is unknown.
    init(_ structure: Structure) {
        self.init()
        focalLength = structure["focal-length"]?.number ?? 0
        focalLengthIn35mm = structure["focal-length-35mm"]?.number ?? 0
        fNumber = structure["f-number"]?.number ?? 0
        lensMake = structure["lens-make"]?.text ?? ""
        lensModel = structure["lens-model"]?.text ?? ""
        artist = structure["artist"]?.text ?? ""
        copyright = structure["copyright"]?.text ?? ""
        title = structure["title"]?.text ?? ""
        if let place = structure.numbers("location"), place.count >= 2 {
            location = Location(latitude: place[0], longitude: place[1], altitude: place.count > 2 ? place[2] : nil)
        }
    }

    /// Writes what is known into a buffer's structure.
    func write(to structure: inout Structure) {
        for (field, number) in [
            ("focal-length", focalLength), ("focal-length-35mm", focalLengthIn35mm), ("f-number", fNumber),
        ] where number > 0 {
            structure[field] = .double(number)
        }
        for (field, text) in [
            ("lens-make", lensMake), ("lens-model", lensModel), ("artist", artist), ("copyright", copyright),
            ("title", title),
        ] where !text.isEmpty {
            structure[field] = .string(text)
        }
        if let location {
            structure["location"] = .numbers(
                [location.latitude, location.longitude] + (location.altitude.map { [$0] } ?? []))
        }
    }
}

extension LensCorrection {
    /// A correction out of a buffer's structure; what makes no sense is left out.
    init(_ structure: Structure) {
        self.init()
        shading = (structure["lens-shading"]?.elements ?? []).compactMap { value in
            ShadingMap(numbers: value.elements?.compactMap(\.number) ?? [])
        }
        let model = structure["lens-warp-model"]?.text.flatMap(LensWarp.Model.init) ?? .rectilinear
        warp = structure.numbers("lens-warp").flatMap { LensWarp(model, numbers: $0) }
    }

    /// Writes what there is into a buffer's structure.
    func write(to structure: inout Structure) {
        if !shading.isEmpty { structure["lens-shading"] = .array(shading.map { .numbers($0.numbers) }) }
        structure["lens-warp"] = warp.map { .numbers($0.numbers) }
        if let model = warp?.model, model != .rectilinear { structure["lens-warp-model"] = .string(model.rawValue) }
    }
}

extension ShadingMap {
    /// How many numbers stand before the gains.
    private static let headCount = 15

    /// Where the gains lie, and then the gains.
    fileprivate var numbers: [Double] {
        let places = [
            area.top, area.left, area.bottom, area.right, area.rowPitch, area.columnPitch, plane, planeCount, rows,
            columns, gainPlanes,
        ]
        return places.map(Double.init) + [spacing.down, spacing.across, origin.down, origin.across]
            + gains.map(Double.init)
    }

    fileprivate init?(numbers: [Double]) {
        guard numbers.count > Self.headCount else { return nil }
        let places = numbers.prefix(11).compactMap { Int(exactly: $0) }
        guard places.count == 11 else { return nil }
        let area = PixelGrid(
            top: places[0], left: places[1], bottom: places[2], right: places[3], rowPitch: places[4],
            columnPitch: places[5])
        guard
            let map = try? ShadingMap(
                area: area, plane: places[6], planeCount: places[7], rows: places[8], columns: places[9],
                spacing: GainTableMap.Spot(down: numbers[11], across: numbers[12]),
                origin: GainTableMap.Spot(down: numbers[13], across: numbers[14]), gainPlanes: places[10],
                gains: numbers.dropFirst(Self.headCount).map { Float($0) })
        else { return nil }
        self = map
    }
}

extension LensWarp {
    /// The centre, down and across, and then each plane's coefficients; polynomials end with the distances that they hold for.
    fileprivate var numbers: [Double] {
        [center.down, center.across]
            + planes.flatMap { plane in
                let radii = [plane.validRadii.lowerBound, plane.validRadii.upperBound]
                return plane.radial + plane.tangential + (model.isPolynomial ? radii : [])
            }
    }

    fileprivate init?(_ model: Model, numbers: [Double]) {
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
        let center = GainTableMap.Spot(down: numbers[0], across: numbers[1])
        guard let warp = try? LensWarp(model, planes: planes, center: center) else { return nil }
        self = warp
    }
}

extension LensWarp.Model {
    fileprivate var isPolynomial: Bool { self == .polynomial || self == .reciprocal }
}
