import Develop
import RawImage
import Testing

/// Tests of `.cube` looks: the text, the interpolation and the rendered picture.
@Suite(.timeLimit(.minutes(10))) struct CubeLookTests {
    private func look(_ text: String) throws -> CubeLook { try CubeLook(text: Array(text.utf8)) }

    /// Returns a 3D table of `side` samples along each axis; red varies fastest.
    private func cube(_ side: Int, header: String = "", _ color: (SIMD3<Double>) -> SIMD3<Double>) -> String {
        var lines = [header + "LUT_3D_SIZE \(side)"]
        let last = Double(side - 1)
        for blue in 0..<side {
            for green in 0..<side {
                for red in 0..<side {
                    let result = color(SIMD3(Double(red), Double(green), Double(blue)) / last)
                    lines.append("\(result.x) \(result.y) \(result.z)")
                }
            }
        }
        return lines.joined(separator: "\n")
    }

    @Test("a linear table is exact everywhere", arguments: [2, 5, 17])
    func linearTable(side: Int) throws {
        let look = try look(cube(side, header: "TITLE \"Swap\"\n# comment\n\n") { SIMD3($0.z, $0.x, 1 - $0.y) })
        #expect(look.title == "Swap")
        for color in [SIMD3<Float>(0.1, 0.7, 0.3), SIMD3(0.9, 0.2, 0.21), SIMD3(0, 1, 0.5), SIMD3(1, 1, 1)] {
            let difference = look.color(for: color) - SIMD3(color.z, color.x, 1 - color.y)
            #expect(abs(difference).max() < 1e-5)
        }
    }

    /// In a cell with one corner of 1, only the tetrahedra at that corner are above 0: blue alone above red and green.
    @Test func interpolatesInTetrahedra() throws {
        let look = try look(cube(2) { $0 == SIMD3(0, 0, 1) ? SIMD3(repeating: 1) : SIMD3() })
        #expect(look.color(for: SIMD3(0.2, 0.1, 0.7)).x == 0.5)
        #expect(look.color(for: SIMD3(0.3, 0.6, 0.5)).x == 0)
    }

    @Test func readsCurvesDomainsAndBothTables() throws {
        let curves = try look("\u{FEFF}LUT_1D_SIZE 3\r\n0 0 1\r\n.25 0.5 5e-1\r\n1 1 0\r\n")
        #expect(curves.color(for: SIMD3(0.25, 0.75, 1)) == SIMD3(0.125, 0.75, 0))
        let wide = try look("LUT_1D_SIZE 2\nDOMAIN_MIN -1 -1 -1\nDOMAIN_MAX 1 1 1\n0 0 0\n1 1 1")
        #expect(wide.color(for: SIMD3(0, 0.5, 1)) == SIMD3(0.5, 0.75, 1))
        let both = try look(
            "LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 0 2\nLUT_3D_SIZE 2\n0 0 0\n1 1 1\n"
                + cube(2) { 1 - $0 }.split(separator: "\n").dropFirst().joined(separator: "\n"))
        #expect(both.color(for: SIMD3(repeating: 1)) == SIMD3(repeating: 0.5))
    }

    @Test(
        "errors name the line",
        arguments: [
            ("hello", "line 1: there is no LUT_3D_SIZE"), ("LUT_3D_SIZE 257", "line 1: LUT_3D_SIZE must be"),
            ("LUT_1D_SIZE 2\n\n0 0 x", "line 3: a colour needs three numbers"), ("0 0 0", "line 1: a colour comes"),
            ("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n2 2 2", "line 4: there are more colours"),
            ("LUT_1D_SIZE 2\n0 0 0", "line 2: the table has 1 colours, but its size needs 2"),
            ("LUT_1D_SIZE 2\nDOMAIN_MAX 0 1 1\n0 0 0", "line 3: the lowest input"),
            ("LUT_1D_SIZE 2\n0 0 nan", "line 2: a colour"), ("LUT_1D_SIZE 2\n0 0 1e9", "line 2: a colour"),
            ("LUT_IN_VIDEO_RANGE\nLUT_1D_SIZE 2", "line 1: the keyword LUT_IN_VIDEO_RANGE"),
        ])
    func errors(_ text: String, _ beginning: String) throws {
        let error = try #require(throws: DevelopError.self) { try look(text) }
        #expect(error.code == .badLook && error.message.hasPrefix(beginning), "\(error.message)")
    }

    @Test func appliesToPicturesInSRGB() throws {
        var filter = try RAWFilter(TestCamera.mosaic(24, 16) { _, _ in SIMD3(0.4, 0.3, 0.2) })
        let plain = try filter.picture(depth: .sixteen)
        filter.cubeLook = try look(cube(2) { 1 - $0 })
        guard case .words(let before) = plain.samples,
            case .words(let after) = try filter.picture(depth: .sixteen).samples,
            case .bytes(let bytes) = try filter.picture().samples
        else { throw DevelopError(.badPicture, "unexpected samples") }
        #expect(before.indices.allSatisfy { abs(65_535 - Int(before[$0]) - Int(after[$0])) <= 1 })
        #expect(bytes.indices.allSatisfy { abs(Double(bytes[$0]) - Double(after[$0]) / 257) <= 0.51 })
        filter.cubeLookAmount = 0
        guard case .words(let none) = try filter.picture(depth: .sixteen).samples else { return }
        #expect(none == before)
        #expect(throws: DevelopError.self) { try filter.picture(color: PictureColor(.rec2020, .pq)) }
        filter.cubeLookAmount = 2
        #expect(throws: DevelopError.self) { try filter.picture() }
    }
}

private func abs(_ vector: SIMD3<Float>) -> SIMD3<Float> {
    vector.replacing(with: -vector, where: vector .< 0)
}
