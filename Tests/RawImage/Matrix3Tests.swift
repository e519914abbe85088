import RawImage
import Testing

@Suite struct Matrix3Tests {
    @Test func matricesInvert() throws {
        let matrix = Matrix3(SIMD3(2, 1, 0), SIMD3(0, 3, 1), SIMD3(1, 0, 4))
        let product = matrix * (try #require(matrix.inverse))
        for (value, expected) in zip(product.values, Matrix3.identity.values) { #expect(abs(value - expected) < 1e-12) }
        #expect(Matrix3(diagonal: SIMD3(1, 0, 1)).inverse == nil)
    }
}
