import DNG
import RawImage
import Testing

/// Tests of decoding look, lens corrections, mattes and depth map.
@Suite struct LookTests {
    private func picture(isBigEndian: Bool = true) -> HandmadeDNG {
        var dng = HandmadeDNG.bayer(width: 4, height: 4, bits: 8, isBigEndian: isBigEndian)
        dng.parts = [[UInt8](repeating: 9, count: 16)]
        return dng
    }

    /// Encodes numbers as big-endian bytes.
    private struct Bytes {
        var bytes: [UInt8] = []
        mutating func add(_ numbers: UInt32...) {
            for number in numbers { bytes += (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        }
        mutating func add(doubles: Double...) {
            for number in doubles.map(\.bitPattern) {
                add(UInt32(number >> 32), UInt32(truncatingIfNeeded: number))
            }
        }
        mutating func add(floats: Float...) { for number in floats { add(number.bitPattern) } }
    }

    // MARK: Recipe

    @Test func exposureCurveAndName() throws {
        var dng = picture()
        dng.tags[50_730] = .signedRationals([-3, 2])
        dng.tags[51_109] = .signedRationals([1, 4])
        dng.tags[50_732] = .rationals([3, 2])
        dng.tags[50_936] = .text("Night")
        dng.tags[50_940] = .floats([0, 0, 0.25, 0.5, 1, 1])
        dng.tags[51_110] = .longs([1])
        dng.tags[700] = .bytes(Array("<x:xmpmeta/>".utf8))
        dng.tags[50_933] = .longs([8])
        let file = try DNGFile(bytes: dng.file)
        #expect(file.recipe.exposure == -1.25)
        #expect(file.recipe.sharpness == 1.5)
        #expect(file.recipe.name == "Night")
        #expect(file.recipe.toneCurve?.points == [SIMD2(0, 0), SIMD2(0.25, 0.5), SIMD2(1, 1)])
        #expect(file.disablesBlackRender)
        #expect(file.xmp == "<x:xmpmeta/>")
        #expect(file.unsupportedProfileTags.isEmpty)
        #expect(file.tagProblems.isEmpty)
    }

    @Test func colourTablesOfProfiles() throws {
        var dng = picture()
        let shifts: [Float] = [10, 1, 1, -20, 1.5, 0.5, 0, 1, 1, 5, 2, 1]
        dng.tags[50_937] = .longs([2, 2, 1])
        dng.tags[50_938] = .floats(shifts)
        dng.tags[50_939] = .floats(shifts)
        dng.tags[50_981] = .longs([1, 2, 2])
        dng.tags[50_982] = .floats(shifts)
        dng.tags[51_108] = .longs([1])
        dng.tags[50_739] = .rationals([1, 2])
        let recipe = try DNGFile(bytes: dng.file).recipe
        #expect(recipe.hueSatMaps.count == 2)
        #expect(recipe.hueSatMaps.first?.shifts[1] == SIMD3(-20, 1.5, 0.5))
        #expect(recipe.hueSatMaps.first?.isEncoded == false)
        #expect(recipe.lookTable?.values == 2 && recipe.lookTable?.isEncoded == true)
        #expect(recipe.shadowBias == 0.0025)
    }

    @Test func invalidProfileTablesAreIgnoredAndReported() throws {
        for (sides, shifts): ([UInt32], [Float]) in [
            ([2, 2, 1], [1, 1, 1]), ([0, 2, 1], []), ([1, 2, 1], [.nan, 1, 1, 0, 1, 1]),
            ([1, 2, 1], [0, -1, 1, 0, 1, 1]), ([UInt32.max, UInt32.max, UInt32.max], [0, 1, 1]), ([], [0, 1, 1]),
        ] {
            var dng = picture()
            dng.tags[50_937] = .longs(sides)
            dng.tags[50_938] = .floats(shifts)
            dng.tags[50_981] = .longs(sides)
            dng.tags[50_982] = .floats(shifts)
            let file = try DNGFile(bytes: dng.file)
            #expect(file.recipe.hueSatMaps.isEmpty && file.recipe.lookTable == nil)
            #expect(file.tagProblems.count >= (shifts.isEmpty ? 0 : 2))
        }
    }

    @Test func decreasingToneCurveIsIgnoredAndReported() throws {
        var dng = picture()
        dng.tags[50_940] = .floats([0, 0, 0.5, 0.5, 0.25, 0.5, 1, 1])
        let file = try DNGFile(bytes: dng.file)
        #expect(file.recipe.toneCurve == nil)
        #expect(file.tagProblems.map(\.severity) == [.error])
        #expect(file.tagProblems.first?.message.contains("ProfileToneCurve") == true)
    }

    private func gainMap(type: UInt32?, _ gains: (inout Bytes) -> Void) -> [UInt8] {
        var map = Bytes()
        map.add(1, 2)
        map.add(doubles: 1, 0.5, 0.25, 0.125)
        map.add(2)
        map.add(floats: 0.25, 0.5, 0.25, 0, 0)
        if let type {
            map.add(type)
            map.add(floats: 0.5, 1, 3)
        }
        gains(&map)
        return map.bytes
    }

    @Test(arguments: [nil, 0, 1, 2, 3] as [UInt32?])
    func gainTableMapsOfEveryType(type: UInt32?) throws {
        let bytes = gainMap(type: type) { map in
            switch type {
            case 0: map.bytes += [0, 255, 51, 102]
            case 1: map.bytes += [0, 0, 255, 255, 51, 51, 102, 102]
            case 2: map.bytes += [0x3C, 0, 0x42, 0, 0x3D, 0x9A, 0x3F, 0x33]
            default: map.add(floats: 1, 3, 1.4, 1.8)
            }
        }
        var dng = picture()
        dng.tags[type == nil ? 52_525 : 52_544] = .undefined(bytes)
        let map = try #require(try DNGFile(bytes: dng.file).recipe.gainTableMap)
        #expect((map.rows, map.columns, map.tableLength) == (1, 2, 2))
        #expect(map.spacing == GainTableMap.RelativePoint(down: 1, across: 0.5))
        #expect(map.origin == GainTableMap.RelativePoint(down: 0.25, across: 0.125))
        #expect(map.weights == [0.25, 0.5, 0.25, 0, 0])
        #expect(map.gamma == (type == nil ? 1 : 0.5))
        for (gain, wanted) in zip(map.gains, [1, 3, 1.4, 1.8] as [Float]) { #expect(abs(gain - wanted) < 1e-3) }
    }

    /// Gain maps in little-endian files are decoded in either byte order, because some encoders store them big-endian
    /// in every file.
    @Test func gainTableMapsInEitherByteOrder() throws {
        var dng = picture(isBigEndian: false)
        dng.tags[52_525] = .undefined(gainMap(type: nil) { $0.add(floats: 1, 2, 3, 4) })
        #expect(try DNGFile(bytes: dng.file).recipe.gainTableMap?.gains == [1, 2, 3, 4])
    }

    @Test func invalidGainTableMapsAreIgnoredAndReported() throws {
        let whole = gainMap(type: 3) { $0.add(floats: 1, 2, 3, 4) }
        for count in 0..<whole.count {
            var dng = picture()
            dng.tags[52_544] = .undefined(Array(whole.prefix(count)))
            let file = try DNGFile(bytes: dng.file)
            #expect(file.recipe.gainTableMap == nil)
            #expect(file.tagProblems.first?.message.contains("ProfileGainTableMap2") == true)
        }
    }

    @Test func thirdIlluminantIsDecoded() throws {
        let shifts: [Float] = [10, 1, 1, -20, 1.5, 0.5, 0, 1, 1, 5, 2, 1]
        let matrix: [Int32] = [2, 1, 0, 1, 0, 1, 0, 1, 2, 1, 0, 1, 1, 1, 0, 1, 2, 1]
        var dng = picture()
        for (color, light, number) in [(50_721, 50_778, 17), (50_722, 50_779, 21), (52_531, 52_529, 23)] {
            dng.tags[UInt16(color)] = .signedRationals(matrix)
            dng.tags[UInt16(light)] = .shorts([UInt16(number)])
        }
        dng.tags[52_532] = .signedRationals(matrix)
        dng.tags[52_530] = .signedRationals([1, 1, 1, 2, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1])
        dng.tags[50_937] = .longs([2, 2, 1])
        for tag in [50_938, 50_939, 52_537] { dng.tags[UInt16(tag)] = .floats(shifts) }
        let file = try DNGFile(bytes: dng.file)
        let third = try #require(file.metadata.calibrations.last)
        #expect(file.metadata.calibrations.map(\.illuminant.rawValue) == [17, 21, 23])
        #expect(third.forwardMatrix?.values == [2, 0, 0, 0, 2, 0, 1, 0, 2])
        #expect(third.cameraCalibration.values == [1, 0.5, 0, 0, 1, 0, 0, 0, 1])
        #expect(third.colorMatrix.values == [2, 1, 0, 0, 2, 0, 1, 0, 2])
        #expect(file.recipe.hueSatMaps.count == 3 && file.unsupportedProfileTags.isEmpty)
    }

    /// IlluminantData is decoded both as a chromaticity and as a spectrum; a flat spectrum is equal-energy white.
    @Test func illuminantDataIsDecoded() throws {
        func light(_ fill: (inout Bytes) -> Void, number: UInt16 = 255) throws -> Chromaticity? {
            var data = Bytes()
            fill(&data)
            var dng = picture()
            dng.tags[50_721] = .signedRationals([1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1])
            dng.tags[50_778] = .shorts([number])
            dng.tags[52_533] = .undefined(data.bytes)
            return try #require(try DNGFile(bytes: dng.file).metadata.calibrations.first).lightColor
        }
        func add(_ data: inout Bytes, spectrum: [UInt32]) {
            data.bytes += [0, 1]
            data.add(UInt32(spectrum.count), 400, 1, 100, 1)
            for value in spectrum { data.add(value, 10) }
        }
        let colored = try #require(
            try light { data in
                data.bytes += [0, 0]
                data.add(35, 100, 2, 5)
            })
        #expect(abs(colored.x - 0.35) < 1e-12 && abs(colored.y - 0.4) < 1e-12)
        let even = try #require(try light { add(&$0, spectrum: [10, 10, 10, 10]) })
        #expect(abs(even.x - 1 / 3) < 1e-12 && abs(even.y - 1 / 3) < 1e-12)
        let warm = try #require(try light { add(&$0, spectrum: [1, 5, 10, 15]) })
        #expect(warm.x > 0.4 && warm.y > 0.35)
        #expect(try light({ add(&$0, spectrum: [10, 10]) }, number: 21) == nil)
        #expect(try light { add(&$0, spectrum: [0, 0, 0]) } == nil)
        #expect(try light { add(&$0, spectrum: [10]) } == nil)
        #expect(try light { $0.bytes += [0, 0, 0, 0] } == nil)
        for (x, below) in [(1, 0), (0, 1), (5, 1)] as [(UInt32, UInt32)] {
            #expect(
                try light { data in
                    data.bytes += [0, 0]
                    data.add(x, below, 1, 2)
                } == nil)
        }
    }

    /// Encodes an RGB table with two points along an edge; `last` is the output for white.
    private func table(_ name: String, type: UInt8, last: [UInt8], gamut: UInt8 = 1, primaries: UInt8 = 2) -> [UInt8] {
        let size = [1, 2, 4][Int(min(type, 2))]
        return [0, UInt8(name.utf8.count)] + Array(name.utf8) + [2, type, 3, primaries, gamut]
            + [UInt8](repeating: 0, count: 7 * 3 * size) + last
    }

    private func file(tables: [[UInt8]], matte: String? = nil) throws -> DNGFile {
        var dng = picture()
        var head = Bytes()
        head.add(UInt32(tables.count), 1)
        dng.tags[52_543] = .undefined(head.bytes + tables.flatMap(\.self))
        if let matte {
            var mask = part(52_527, subFileType: 65_540, width: 2, [1, 2, 3, 4])
            mask.tags[52_526] = .text(matte)
            dng.children[330] = [mask]
        }
        return try DNGFile(bytes: dng.file)
    }

    @Test(
        arguments: [
            (0, [255, 0, 51]), (1, [255, 255, 0, 0, 51, 51]),
            (2, [0x3F, 0x80, 0, 0, 0, 0, 0, 0, 0x3E, 0x4C, 0xCC, 0xCD]),
        ] as [(UInt8, [UInt8])]) func rgbTableIsDecoded(type: UInt8, last: [UInt8]) throws
    {
        let other = table("sky", type: 0, last: [1, 2, 3])
        for tables in [[table("", type: type, last: last)], [other, table("", type: type, last: last)]] {
            let file = try file(tables: tables, matte: "person")
            let cube = try #require(file.recipe.colorCube)
            #expect(cube.side == 2 && cube.encoding == .gamma22 && cube.primaries == .displayP3 && cube.extendsGamut)
            #expect(cube.colors.dropLast().allSatisfy { $0 == .zero })
            #expect(abs(cube.colors[7].x - 1) < 1e-6 && cube.colors[7].y == 0 && abs(cube.colors[7].z - 0.2) < 1e-6)
            #expect(file.tagProblems.isEmpty && file.unsupportedProfileTags.isEmpty)
        }
        let withMatte = try file(tables: [other, table("", type: type, last: last)], matte: "sky")
        #expect(withMatte.recipe.colorCube == nil && withMatte.tagProblems.isEmpty)
        #expect(withMatte.unsupportedProfileTags.count == 1)
    }

    @Test func invalidRGBTablesAreIgnored() throws {
        let whole = table("", type: 0, last: [1, 2, 3])
        for bytes in (0..<whole.count).map({ Array(whole.prefix($0)) }) + [
            table("", type: 3, last: [1, 2, 3]), table("", type: 0, last: [1, 2, 3], gamut: 2),
            table("", type: 0, last: [1, 2, 3], primaries: 5), table("x", type: 0, last: [1]),
            table("", type: 2, last: [0x7F, 0xC0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ] {
            let file = try file(tables: [bytes])
            #expect(file.recipe.colorCube == nil && file.tagProblems.count == 1)
        }
        #expect(try file(tables: [whole, whole]).tagProblems.count == 1)
        #expect(try file(tables: []).tagProblems.isEmpty)
        for (side, count) in [(1, 1), (2, 7), (131, 0), (.max, 0), (-2, 8)] {
            #expect(throws: RawImageError.self) {
                try ColorCube(side: side, colors: Array(repeating: .zero, count: count))
            }
        }
    }

    // MARK: Opcodes

    private func opcodes(_ opcodes: [(number: UInt32, flags: UInt32, data: [UInt8])]) -> [UInt8] {
        var list = Bytes()
        list.add(UInt32(opcodes.count))
        for opcode in opcodes {
            list.add(opcode.number, 0x0103_0000, opcode.flags, UInt32(opcode.data.count))
            list.bytes += opcode.data
        }
        return list.bytes
    }

    private var gainMapOpcode: [UInt8] {
        var data = Bytes()
        data.add(0, 0, 4, 4, 0, 1, 2, 2)
        data.add(1, 2)
        data.add(doubles: 1, 1, 0, 0)
        data.add(1)
        data.add(floats: 1.5, 2.5)
        return data.bytes
    }

    @Test func lensCorrectionsAreDecodedAndOtherOpcodesReported() throws {
        var warp = Bytes()
        warp.add(1)
        warp.add(doubles: 1, -0.02, 0.01, 0, 0.001, 0.002, 0.5, 0.25)
        var dng = picture(isBigEndian: false)
        dng.tags[51_008] = .undefined(opcodes([(5, 0, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])]))
        dng.tags[51_009] = .undefined(opcodes([(9, 1, gainMapOpcode)]))
        dng.tags[51_022] = .undefined(opcodes([(1, 0, warp.bytes), (99, 1, [])]))
        let file = try DNGFile(bytes: dng.file)
        #expect(file.tagProblems.isEmpty)
        let shading = try #require(file.metadata.lens.shading.first)
        #expect(shading.gains == [1.5, 2.5])
        #expect(shading.area == PixelGrid(top: 0, left: 0, bottom: 4, right: 4, rowPitch: 2, columnPitch: 2))
        let lens = try #require(file.metadata.lens.warp)
        #expect(lens.planes == [LensWarp.Plane(radial: [1, -0.02, 0.01, 0], tangential: [0.001, 0.002])])
        #expect(lens.center == GainTableMap.RelativePoint(down: 0.25, across: 0.5))
        #expect(file.opcodes.map(\.name) == ["FixBadPixelsList", "GainMap", "WarpRectilinear", "opcode 99"])
        #expect(file.opcodes.map(\.isRead) == [true, true, true, false])
        #expect(file.opcodes.map(\.isOptional) == [false, true, false, true])
        #expect(file.opcodes.map(\.list) == [1, 2, 3, 3])
    }

    /// Returns a file whose OpcodeList3 has one opcode with this number, and the parameters that `fill` appends.
    private func file(_ number: UInt32, _ fill: (inout Bytes) -> Void) throws -> DNGFile {
        var data = Bytes()
        fill(&data)
        var dng = picture()
        dng.tags[51_022] = .undefined(opcodes([(number, 0, data.bytes)]))
        return try DNGFile(bytes: dng.file)
    }

    private func polynomial(
        _ data: inout Bytes, _ first: Double = 1, radii: (Double, Double) = (0.25, 0.75), isReciprocal: Bool = false
    ) {
        data.add(1)
        data.add(doubles: first, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0.5, 0.25)
        data.add(doubles: radii.0, radii.1, 0.5, 0.75)
        data.add(isReciprocal ? 1 : 0)
    }

    @Test func newerWarpsAreRead() throws {
        let fisheye = try file(2) { data in
            data.add(1)
            data.add(doubles: 1, -0.1, 0.01, 0.001, 0.25, 0.75)
        }
        #expect(
            fisheye.metadata.lens.warp
                == (try LensWarp(
                    .fisheye, planes: [.init(radial: [1, -0.1, 0.01, 0.001])], center: .init(down: 0.75, across: 0.25)))
        )
        for isReciprocal in [false, true] {
            let file = try file(14) { polynomial(&$0, isReciprocal: isReciprocal) }
            let warp = try #require(file.metadata.lens.warp)
            #expect(warp.model == (isReciprocal ? .reciprocal : .polynomial))
            let plane = LensWarp.Plane(
                radial: (1...15).map { Double($0) }, tangential: [0.5, 0.25], validRadii: 0.25...0.75)
            #expect(warp.planes == [plane])
            #expect(warp.center == .init(down: 0.75, across: 0.5))
            #expect(file.opcodes.map(\.isRead) == [true] && file.tagProblems.isEmpty)
        }
    }

    @Test func invalidWarpsAreIgnoredAndReported() throws {
        for radii in [(0.5, 0.5), (0.5, 0.25), (-0.5, 1), (0, 1.5), (.nan, 1), (0, .nan), (0, .infinity)] {
            let file = try file(14) { polynomial(&$0, radii: radii) }
            #expect(file.metadata.lens.isEmpty && file.opcodes.map(\.isRead) == [false])
            #expect(file.tagProblems.first?.message.contains("OpcodeList3") == true)
        }
        #expect(try file(14) { polynomial(&$0, .nan) }.tagProblems.count == 1)
        let warp = try file(2) { data in
            data.add(2)
            data.add(doubles: 1, 0, 0, 0, 1, 0, 0, 0, 0.5, 0.5)
        }
        #expect(warp.metadata.lens.isEmpty && warp.tagProblems.count == 1)
        var whole = Bytes()
        polynomial(&whole)
        for count in 0..<whole.bytes.count {
            #expect(try file(14) { $0.bytes = Array(whole.bytes.prefix(count)) }.metadata.lens.isEmpty)
        }
    }

    /// After the opcode TrimBounds, the default crop counts from the trimmed area's corner and is clamped to it.
    @Test func boundsAreTrimmed() throws {
        let rectangle = { PixelRectangle(left: $0, top: $1, width: $2, height: $3) }
        let trimmed = try file(6) { $0.add(1, 2, 4, 4) }
        #expect(trimmed.opcodes.map(\.isRead) == [true])
        #expect(try #require(trimmed.shownAreas).whole == rectangle(2, 1, 2, 3))
        #expect(try #require(trimmed.shownAreas).shown == rectangle(2, 1, 2, 3))
        var dng = picture()
        dng.tags[50_719] = .longs([1, 1])
        dng.tags[50_720] = .longs([2, 2])
        var bounds = Bytes()
        bounds.add(0, 1, 4, 4)
        dng.tags[51_022] = .undefined(opcodes([(6, 0, bounds.bytes)]))
        #expect(try #require(try DNGFile(bytes: dng.file).shownAreas).shown == rectangle(2, 1, 2, 2))
        for bounds: [UInt32] in [[1, 2, 1, 4], [1, 2, 4, 5], [.max, 0, 4, 4], [3, 0, 2, 4], [1, 2, 4]] {
            let file = try file(6) { data in for edge in bounds { data.add(edge) } }
            #expect(file.opcodes.map(\.isRead) == [false] && file.tagProblems.count == 1)
            #expect(try #require(file.shownAreas).whole == rectangle(0, 0, 4, 4))
        }
    }

    /// A gain map's coordinates, which are relative to the active area, are converted to those of the whole picture.
    @Test func shadingMovesWithTheActiveArea() throws {
        var dng = picture()
        dng.tags[50_829] = .longs([2, 1, 4, 4])
        dng.tags[51_009] = .undefined(opcodes([(9, 1, gainMapOpcode)]))
        let shading = try #require(try DNGFile(bytes: dng.file).metadata.lens.shading.first)
        #expect((shading.area.top, shading.area.left) == (2, 1))
        #expect(shading.origin == GainTableMap.RelativePoint(down: 0.5, across: 0.25))
        #expect(shading.spacing == GainTableMap.RelativePoint(down: 0.5, across: 0.75))
    }

    @Test func invalidOpcodeListsAreReported() throws {
        let whole = opcodes([(9, 0, gainMapOpcode)])
        for count in 0..<whole.count {
            var dng = picture()
            dng.tags[51_009] = .undefined(Array(whole.prefix(count)))
            let file = try DNGFile(bytes: dng.file)
            #expect(file.metadata.lens.isEmpty)
            #expect(file.verify().contains { $0.severity == .error && $0.message.contains("OpcodeList2") })
        }
        // Opcode lists are big-endian in every file.
        var swapped = picture(isBigEndian: false)
        let words = stride(from: 0, to: whole.count, by: 4)
        swapped.tags[51_009] = .undefined(words.flatMap { whole[$0..<$0 + 4].reversed() })
        #expect(try DNGFile(bytes: swapped.file).tagProblems.first?.message.contains("big-endian") == true)
    }

    // MARK: Mattes and depth

    private func part(_ photometric: UInt16, subFileType: UInt32, width: Int, _ bytes: [UInt8]) -> HandmadeDNG {
        var dng = HandmadeDNG.bayer(width: width, height: bytes.count / width, bits: 8, isBigEndian: true)
        dng.tags[254] = .longs([subFileType])
        dng.tags[262] = .shorts([photometric])
        (dng.tags[33_421], dng.tags[33_422], dng.tags[50_706]) = (nil, nil, nil)
        dng.parts = [bytes]
        return dng
    }

    @Test func mattesAreReadAndPlaced() throws {
        var sky = part(52_527, subFileType: 65_540, width: 2, [1, 2, 3, 4])
        sky.tags[52_526] = .text(Matte.Kind.sky.rawValue)
        var person = part(52_527, subFileType: 65_540, width: 2, [5, 6])
        person.tags[52_526] = .text(Matte.Kind.person.rawValue)
        person.tags[52_528] = .text("2")
        // The sub-area starts at row 1, column 2 of a 4×3 mask.
        person.tags[52_536] = .longs([1, 2, 4, 3])
        var dng = picture()
        dng.children[330] = [sky, person]
        let mattes = try DNGFile(bytes: dng.file).mattes()
        #expect(mattes.map(\.kind) == [.sky, .person])
        #expect(mattes.map(\.instance) == ["", "2"])
        #expect(mattes[0].shares == [1, 2, 3, 4])
        #expect((mattes[1].width, mattes[1].height) == (4, 3))
        #expect(mattes[1].shares == [0, 0, 0, 0, 0, 0, 5, 6, 0, 0, 0, 0])
        for area in [[3, 2, 4, 3], [0, 3, 4, 3], [0, 0, 60_000, 60_000]] as [[UInt32]] {
            person.tags[52_536] = .longs(area)
            dng.children[330] = [person]
            let error = #expect(throws: DNGError.self) { try DNGFile(bytes: dng.file).mattes() }
            #expect(error?.message.contains("MaskSubArea") == true)
        }
    }

    @Test func depthIsReadWithItsScale() throws {
        var dng = picture()
        dng.children[330] = [part(51_177, subFileType: 8, width: 3, [0, 100, 255])]
        #expect(try DNGFile(bytes: dng.file).depthMap()?.near == nil)
        dng.tags[51_177] = .shorts([2])
        dng.tags[51_178] = .rationals([1, 2])
        dng.tags[51_179] = .rationals([1, 0])
        dng.tags[51_180] = .shorts([1])
        dng.tags[51_181] = .shorts([1])
        let depth = try #require(try DNGFile(bytes: dng.file).depthMap())
        #expect(depth.codes == [0, 100, 255])
        #expect((depth.width, depth.height, depth.bitDepth) == (3, 1, 8))
        #expect((depth.scale, depth.measure) == (.inverse, .opticalAxis))
        #expect((depth.near, depth.far) == (0.5, .infinity))
        #expect(try DNGFile(bytes: picture().file).depthMap() == nil)
    }
}
