internal import GStreamer
internal import RawImage

extension Recipe {
    /// The name of the structure that holds a look.
    private static let structureName = "GscapRecipe"

    /// A look out of a structure; nil when it is none. A curve or map that makes no sense is left out.
    init?(_ structure: Structure?) {
        guard let structure, structure.name == Self.structureName else { return nil }
        let points = (structure["tone-curve"]?.text).flatMap(PackedFloats.unpack) ?? []
        self.init(
            exposure: structure["exposure"]?.number ?? 0, sharpness: structure["sharpness"]?.number ?? 1,
            gainTableMap: GainTableMap(structure.structure("gain-table-map")),
            toneCurve: try? ToneCurve(
                points: stride(from: 0, to: points.count - 1, by: 2).map { SIMD2(points[$0], points[$0 + 1]) }),
            name: structure["name"]?.text ?? "")
    }

    /// The look as a structure; its many numbers are packed into texts.
    var structure: Structure {
        var structure = Structure(
            Self.structureName,
            ["exposure": .double(exposure), "sharpness": .double(sharpness), "name": .string(name)])
        structure["tone-curve"] = toneCurve.map { .string(PackedFloats.pack($0.points.flatMap { [$0.x, $0.y] })) }
        structure["gain-table-map"] = gainTableMap.map { .structure($0.structure) }
        return structure
    }
}

extension GainTableMap {
    private static let structureName = "GscapGainTableMap"

    fileprivate init?(_ structure: Structure?) {
        guard let structure, structure.name == Self.structureName,
            let gains = (structure["gains"]?.text).flatMap(PackedFloats.unpack),
            let places = structure.numbers("places"), places.count == 4
        else { return nil }
        let map = try? GainTableMap(
            rows: structure["rows"]?.integer ?? 0, columns: structure["columns"]?.integer ?? 0,
            tableLength: structure["table-length"]?.integer ?? 0,
            weights: (structure.numbers("weights") ?? []).map { Float($0) }, gains: gains,
            gamma: Float(structure["gamma"]?.number ?? 1), spacing: Spot(down: places[0], across: places[1]),
            origin: Spot(down: places[2], across: places[3]))
        guard let map else { return nil }
        self = map
    }

    fileprivate var structure: Structure {
        Structure(
            Self.structureName,
            [
                "rows": .int(Int32(clamping: rows)), "columns": .int(Int32(clamping: columns)),
                "table-length": .int(Int32(clamping: tableLength)), "gamma": .double(Double(gamma)),
                "weights": .numbers(weights.map(Double.init)),
                "places": .numbers([spacing.down, spacing.across, origin.down, origin.across]),
                "gains": .string(PackedFloats.pack(gains)),
            ])
    }
}
