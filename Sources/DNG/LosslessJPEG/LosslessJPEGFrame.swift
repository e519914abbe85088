/// What a lossless JPEG says of its samples: the shape of the picture and how it was predicted.
package struct LosslessJPEGFrame: Sendable, Hashable {
    /// Pixels in a row; a pixel is one sample of each component. A Bayer tile has two components and half as many pixels as columns.
    package var width: Int
    /// Rows.
    package var height: Int
    /// Samples in a pixel, which lie side by side: 1 to 4.
    package var components: Int
    /// Bits in a sample: 2 to 16.
    package var precision: Int
    /// Which neighbours a sample is predicted from, by the standard's number: 1 to 7.
    package var predictor: Int

    /// A frame; it is checked where it is used.
    package init(width: Int, height: Int, components: Int, precision: Int, predictor: Int = 1) {
        self.width = width
        self.height = height
        self.components = components
        self.precision = precision
        self.predictor = predictor
    }

    /// Samples in a row.
    package var samplesInRow: Int { width * components }
    /// Samples in all.
    package var sampleCount: Int { width * height * components }

    /// What is wrong with it, if anything.
    var complaint: String? {
        if !(1...65_535 ~= width && 1...65_535 ~= height) {
            return "\(width)×\(height) pixels; each side is 1 to 65535"
        }
        if !(1...4 ~= components) { return "\(components) components; there are 1 to 4" }
        if !(2...16 ~= precision) { return "\(precision) bits a sample; there are 2 to 16" }
        if !(1...7 ~= predictor) { return "predictor \(predictor); they are numbered 1 to 7" }
        return nil
    }
}
