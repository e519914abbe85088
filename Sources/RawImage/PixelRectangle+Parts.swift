extension PixelRectangle {
    /// Creates the central part of a picture that a zoom by `factor` shows, in the picture's aspect ratio. Its origin
    /// and its sides are even, so that it begins with a whole cell of a mosaic.
    package init(width: Int, height: Int, zoomedBy factor: Double) {
        func side(_ length: Int) -> (origin: Int, length: Int) {
            if factor <= 1 || length < 2 { return (0, length) }
            let shown = min(length, max(2, Int((Double(length) / factor / 2).rounded()) * 2))
            return ((length - shown) / 4 * 2, shown)
        }
        let (across, down) = (side(width), side(height))
        self.init(left: across.origin, top: down.origin, width: across.length, height: down.length)
    }

    /// Whether the rectangle has pixels, all of them in a picture of this size.
    package func isWithin(width: Int, height: Int) -> Bool {
        left >= 0 && top >= 0 && self.width > 0 && self.height > 0 && left + self.width <= width
            && top + self.height <= height
    }
}
