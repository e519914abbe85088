package import RawImage

// The tables of the camera profile in IFD0.

extension DNGLook {
    /// Decodes the ProfileHueSatMap tables, one for each calibration illuminant.
    mutating func readHueSatMaps(_ first: TIFFDirectory) {
        let tags = [TIFFTag.profileHueSatMapData1, .profileHueSatMapData2, .profileHueSatMapData3].filter(first.has)
        let maps = tags.compactMap { data in
            table(first, data, dimensions: .profileHueSatMapDims, encoding: .profileHueSatMapEncoding)
        }
        // With one table missing, interpolation between illuminants would be wrong: drop all.
        recipe.hueSatMaps = maps.count == tags.count ? maps : []
    }

    mutating func readLookTable(_ first: TIFFDirectory) {
        guard first.has(.profileLookTableData) else { return }
        recipe.lookTable = table(
            first, .profileLookTableData, dimensions: .profileLookTableDims, encoding: .profileLookTableEncoding)
    }

    /// Decodes the RGBTables. Tables for semantic masks are not supported: if the file has such a mask, no table is
    /// applied; tables for masks that the file lacks are ignored.
    mutating func readCube(_ first: TIFFDirectory, mattes: Set<String>) {
        guard first.has(.rgbTables) else { return }
        let tables = attempt(.rgbTables, first) { () throws(GscapError) in
            try ColorCube.tables(dng: first.bytes(.rgbTables), isBigEndian: first.container.isBigEndian)
        }
        guard let tables else { return }
        needsMattes = !tables.mattes.isDisjoint(with: mattes)
        recipe.colorCube = needsMattes ? nil : tables.whole
    }

    private mutating func table(
        _ first: TIFFDirectory, _ data: TIFFTag, dimensions: TIFFTag, encoding: TIFFTag
    ) -> HueSatMap? {
        attempt(data, first) { () throws(GscapError) in
            let sides = first.integers(dimensions)
            guard sides.count == 2 || sides.count == 3 else {
                throw GscapError(.malformed, "\(dimensions) has \(sides.count) values, 3 are needed")
            }
            let numbers = first.numbers(data).map { Float($0) }
            let shifts = stride(from: 0, to: numbers.count - 2, by: 3).map {
                SIMD3(numbers[$0], numbers[$0 + 1], numbers[$0 + 2])
            }
            return try GscapError.recoding(
                as: .malformed,
                try HueSatMap(
                    hues: sides[0], saturations: sides[1], values: sides.count == 3 ? sides[2] : 1, shifts: shifts,
                    isEncoded: first.integer(encoding) == 1))
        }
    }

    /// Sets the shadow bias that converters subtract, scaled by ShadowScale, unless DefaultBlackRender is 1 (none).
    mutating func readBlack(_ first: TIFFDirectory, _ profile: TIFFDirectory) {
        guard profile.integer(.defaultBlackRender) != 1 else { return }
        let scale = first.number(.shadowScale) ?? 1
        recipe.shadowBias = Recipe.defaultShadowBias * min(max(scale, 0), 4)
    }
}

extension Recipe {
    /// The shadow bias of a DNG that states none, on the linear scale from black (0) to white (1).
    package static let defaultShadowBias = 0.005
}
