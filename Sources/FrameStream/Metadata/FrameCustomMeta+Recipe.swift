internal import GStreamer
internal import RawImage

extension Recipe {
    /// The name of the structure that holds a recipe.
    private static let structureName = "GscapRecipe"

    /// The recipe's numeric values, each with the name of its field in the structure.
    private static var numbers: [(name: String, property: WritableKeyPath<Recipe, Double>)] {
        [
            ("exposure", \.exposure), ("sharpness", \.sharpness), ("shadow-bias", \.shadowBias), ("boost", \.boost),
            ("local-tone-map-amount", \.localToneMapAmount), ("extended-range-amount", \.extendedRangeAmount),
        ]
    }

    /// The recipe's optional numeric values, each with the name of its field in the structure; without the field, the
    /// renderer's default applies.
    private static var optionalNumbers: [(name: String, property: WritableKeyPath<Recipe, Double?>)] {
        [
            ("luminance-noise-reduction", \.luminanceNoiseReduction),
            ("color-noise-reduction", \.colorNoiseReduction),
        ]
    }

    /// Decodes a recipe from a structure; returns nil if the structure is not a recipe. Invalid curves and maps are
    /// recorded in `ignored`.
    init?(_ structure: Structure, _ ignored: inout IgnoredFields) {
        guard structure.name == Self.structureName else { return nil }
        self.init(
            gainTableMap: ignored.decode("gain-table-map", of: structure, GainTableMap.init),
            toneCurve: ignored.decode("tone-curve", of: structure, ToneCurve.init), name: structure["name"]?.text ?? "")
        for (name, property) in Self.numbers {
            self[keyPath: property] = structure[name]?.number ?? self[keyPath: property]
        }
        for (name, property) in Self.optionalNumbers { self[keyPath: property] = structure[name]?.number }
        mapsGamut = structure["maps-gamut"]?.truth ?? mapsGamut
        whiteBalance = ignored.decode("white-balance", of: structure, WhiteBalance.init)
        hueSatMaps = ignored.decodeElements("hue-sat-maps", of: structure, HueSatMap.init)
        lookTable = ignored.decode("look-table", of: structure, HueSatMap.init)
        colorCube = ignored.decode("color-cube", of: structure, ColorCube.init)
    }

    /// The recipe as a structure; large arrays of numbers are packed into strings (see `PackedFloats`).
    var structure: Structure {
        var structure = Structure(Self.structureName, ["name": .string(name), "maps-gamut": .boolean(mapsGamut)])
        for (name, property) in Self.numbers { structure[name] = .double(self[keyPath: property]) }
        for (name, property) in Self.optionalNumbers { structure[name] = self[keyPath: property].map(Value.double) }
        structure["tone-curve"] = toneCurve.map { .string(PackedFloats.pack($0.points.flatMap { [$0.x, $0.y] })) }
        structure["gain-table-map"] = gainTableMap.map { .structure($0.structure) }
        structure["white-balance"] = whiteBalance.map { .structure($0.structure) }
        if !hueSatMaps.isEmpty { structure["hue-sat-maps"] = .array(hueSatMaps.map { .structure($0.structure) }) }
        structure["look-table"] = lookTable.map { .structure($0.structure) }
        structure["color-cube"] = colorCube.map { .structure($0.structure) }
        return structure
    }
}

extension ToneCurve {
    fileprivate init?(_ value: Value) throws(GscapError) {
        guard let numbers = value.text.flatMap(PackedFloats.unpack) else { return nil }
        let points = stride(from: 0, to: numbers.count - 1, by: 2).map { SIMD2(numbers[$0], numbers[$0 + 1]) }
        try self.init(points: points)
    }
}

extension WhiteBalance {
    private static let structureName = "GscapWhiteBalance"

    fileprivate init?(_ value: Value) {
        guard let structure = value.structure, structure.name == Self.structureName else { return nil }
        if let neutral = structure.numbers("neutral"), neutral.count == 3 {
            self = .neutral(SIMD3(neutral[0], neutral[1], neutral[2]))
        } else if let kelvin = structure["temperature"]?.number {
            self = .temperature(kelvin, tint: structure["tint"]?.number ?? 0)
        } else if let xy = structure.numbers("chromaticity"), xy.count == 2 {
            self = .chromaticity(x: xy[0], y: xy[1])
        } else {
            return nil
        }
    }

    fileprivate var structure: Structure {
        switch self {
        case .neutral(let neutral):
            Structure(Self.structureName, ["neutral": .numbers([neutral.x, neutral.y, neutral.z])])
        case .temperature(let kelvin, let tint):
            Structure(Self.structureName, ["temperature": .double(kelvin), "tint": .double(tint)])
        case .chromaticity(let x, let y): Structure(Self.structureName, ["chromaticity": .numbers([x, y])])
        }
    }
}

extension HueSatMap {
    private static let structureName = "GscapHueSatMap"

    fileprivate init?(_ value: Value) throws(GscapError) {
        guard let structure = value.structure, structure.name == Self.structureName,
            let numbers = (structure["shifts"]?.text).flatMap(PackedFloats.unpack)
        else { return nil }
        let shifts = stride(from: 0, to: numbers.count - 2, by: 3).map {
            SIMD3(numbers[$0], numbers[$0 + 1], numbers[$0 + 2])
        }
        try self.init(
            hues: structure["hues"]?.integer ?? 0, saturations: structure["saturations"]?.integer ?? 0,
            values: structure["values"]?.integer ?? 0, shifts: shifts,
            isEncoded: structure["is-encoded"]?.truth ?? false)
    }

    fileprivate var structure: Structure {
        Structure(
            Self.structureName,
            [
                "hues": .int(Int32(clamping: hues)), "saturations": .int(Int32(clamping: saturations)),
                "values": .int(Int32(clamping: values)), "is-encoded": .boolean(isEncoded),
                "shifts": .string(PackedFloats.pack(shifts.flatMap { [$0.x, $0.y, $0.z] })),
            ])
    }
}

extension ColorCube {
    private static let structureName = "GscapColorCube"

    fileprivate init?(_ value: Value) throws(GscapError) {
        guard let structure = value.structure, structure.name == Self.structureName,
            let numbers = (structure["colors"]?.text).flatMap(PackedFloats.unpack),
            let encoding = (structure["encoding"]?.integer).flatMap(Encoding.init),
            let primaries = (structure["primaries"]?.integer).flatMap(Primaries.init)
        else { return nil }
        let colors = stride(from: 0, to: numbers.count - 2, by: 3).map {
            SIMD3(numbers[$0], numbers[$0 + 1], numbers[$0 + 2])
        }
        try self.init(
            side: structure["side"]?.integer ?? 0, colors: colors, encoding: encoding, primaries: primaries,
            extendsGamut: structure["extends-gamut"]?.truth ?? false)
    }

    fileprivate var structure: Structure {
        Structure(
            Self.structureName,
            [
                "side": .int(Int32(clamping: side)), "encoding": .int(Int32(encoding.rawValue)),
                "primaries": .int(Int32(primaries.rawValue)), "extends-gamut": .boolean(extendsGamut),
                "colors": .string(PackedFloats.pack(colors.flatMap { [$0.x, $0.y, $0.z] })),
            ])
    }
}

extension GainTableMap {
    private static let structureName = "GscapGainTableMap"

    fileprivate init?(_ value: Value) throws(GscapError) {
        guard let structure = value.structure, structure.name == Self.structureName,
            let gains = (structure["gains"]?.text).flatMap(PackedFloats.unpack),
            let grid = structure.numbers("places"), grid.count == 4
        else { return nil }
        try self.init(
            rows: structure["rows"]?.integer ?? 0, columns: structure["columns"]?.integer ?? 0,
            tableLength: structure["table-length"]?.integer ?? 0,
            weights: (structure.numbers("weights") ?? []).map { Float($0) }, gains: gains,
            gamma: Float(structure["gamma"]?.number ?? 1), spacing: RelativePoint(down: grid[0], across: grid[1]),
            origin: RelativePoint(down: grid[2], across: grid[3]))
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
