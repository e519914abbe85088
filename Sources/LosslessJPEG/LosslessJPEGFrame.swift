/// The frame header of a lossless JPEG: dimensions, components, precision and predictor.
package struct LosslessJPEGFrame: Sendable, Hashable {
    /// Pixels per row, where a pixel is one sample of each component; a Bayer tile with two components has half as many
    /// as columns.
    package var width: Int
    /// The number of rows.
    package var height: Int
    /// The number of components, that is of samples per pixel, 1 to 4.
    package var components: Int
    /// Bits per sample, 2 to 16.
    package var precision: Int
    /// The predictor selection value of ITU-T T.81, table H.1: 1 to 7.
    package var predictor: Int

    /// Creates a frame header without validation; encoder and parser validate it.
    package init(width: Int, height: Int, components: Int, precision: Int, predictor: Int = 1) {
        self.width = width
        self.height = height
        self.components = components
        self.precision = precision
        self.predictor = predictor
    }

    /// Samples per row, of all components.
    package var samplesInRow: Int { width * components }
    /// The total number of samples.
    package var sampleCount: Int { width * height * components }

    /// A description of an invalid parameter for error messages; nil if all are valid.
    var complaint: String? {
        if !(1...65_535 ~= width && 1...65_535 ~= height) {
            return "\(width)×\(height) pixels; each side must be 1 to 65535"
        }
        if !(1...4 ~= components) { return "\(components) components; there must be 1 to 4" }
        if !(2...16 ~= precision) { return "\(precision) bits a sample; there must be 2 to 16" }
        if !(1...7 ~= predictor) { return "predictor \(predictor); it must be 1 to 7" }
        return nil
    }
}
