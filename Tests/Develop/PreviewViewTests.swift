import Develop
import RawImage
import Testing

/// Tests of previews that show a part of the frame.
@Suite struct PreviewViewTests {
    private static let (width, height) = (120, 80)

    private func mosaic() throws -> Mosaic {
        try TestCamera.mosaic(Self.width, Self.height) { row, column in
            SIMD3(0.2, 0.3, 0.4) * (1 + 0.5 * wave(Double(row) / 23) * wave(Double(column) / 31))
        }
    }

    private func shown(
        _ mosaic: Mosaic, _ view: PixelRectangle?, _ width: Int, _ height: Int, recipe: Recipe = Recipe()
    ) throws -> [SIMD3<Double>] {
        let output = DisplayFormat(width: width, height: height, layout: .rgb)
        var bytes = [UInt8](repeating: 0, count: output.byteCount)
        var span = bytes.mutableSpan
        try PreviewRenderer(metadata: mosaic.metadata, recipe: recipe).preview(
            mosaic.codes.span, format: mosaic.format, into: &span, output: output, view: view)
        return DisplayPicture(format: output, bytes: bytes).pixels
    }

    /// A part is shown as it is in the whole picture, with the local gains of its place.
    @Test(arguments: [false, true]) func aPartIsThatOfTheWholePicture(hasGains: Bool) throws {
        let mosaic = try mosaic()
        var recipe = Recipe()
        if hasGains { recipe = try RecipeMaker().recipe(for: mosaic) }
        let view = PixelRectangle(left: 40, top: 20, width: 60, height: 40)
        let whole = try shown(mosaic, nil, Self.width / 2, Self.height / 2, recipe: recipe)
        let part = try shown(mosaic, view, 30, 20, recipe: recipe)
        // Averages at the edges of the part lack the samples outside it.
        for row in 1..<19 {
            for column in 1..<29 {
                let expected = whole[(row + 10) * (Self.width / 2) + column + 20]
                #expect(distance(part[row * 30 + column], expected) <= 1.5)
            }
        }
    }

    /// An enlargement interpolates: it is the smooth scene, without steps.
    @Test func aSmallPartIsEnlarged() throws {
        let view = PixelRectangle(left: 40, top: 20, width: 30, height: 20)
        let large = try shown(mosaic(), view, 120, 80)
        let small = try shown(mosaic(), view, 30, 20)
        for row in 4..<76 {
            for column in 4..<115 {
                #expect(distance(large[row * 120 + column], small[row / 4 * 30 + column / 4]) <= 7)
                #expect(distance(large[row * 120 + column], large[row * 120 + column + 1]) <= 4)
            }
        }
    }

    @Test(arguments: [
        PixelRectangle(left: 1, top: 0, width: 8, height: 8), PixelRectangle(left: 0, top: 3, width: 8, height: 8),
        PixelRectangle(left: 0, top: 0, width: 122, height: 8), PixelRectangle(left: -2, top: 0, width: 8, height: 8),
        PixelRectangle(left: 0, top: 0, width: 1, height: 8),
    ]) func partsThatAreNotInTheMosaicAreRefused(view: PixelRectangle) throws {
        #expect(throws: DevelopError.self) { _ = try shown(mosaic(), view, 8, 8) }
    }
}
