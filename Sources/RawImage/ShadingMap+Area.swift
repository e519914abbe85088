extension ShadingMap {
    /// Samples radial gains as a shading map for all colours of an image. `gain` receives the square of the distance
    /// from `center`, which is 1 at the farthest corner.
    package init(
        width: Int, height: Int, center: GainTableMap.RelativePoint, gain: (Double) -> Double
    ) throws(GscapError) {
        let (across, down) = (center.across * Double(width), center.down * Double(height))
        let (farAcross, farDown) = (max(across, Double(width) - across), max(down, Double(height) - down))
        let maximumSquare = farAcross * farAcross + farDown * farDown
        // Radial gains are smooth enough for linear interpolation between 65 points per side.
        let side = 65
        let gains = (0..<side * side).map { index in
            let x = Double(index % side) / Double(side - 1) * Double(width) - across
            let y = Double(index / side) / Double(side - 1) * Double(height) - down
            return Float(gain((x * x + y * y) / maximumSquare))
        }
        let spacing = 1 / Double(side - 1)
        try self.init(
            area: PixelGrid(top: 0, left: 0, bottom: height, right: width), planeCount: 3, rows: side,
            columns: side, spacing: GainTableMap.RelativePoint(down: spacing, across: spacing),
            origin: GainTableMap.RelativePoint(down: 0, across: 0), gains: gains)
    }

    /// The map for the averaged pixels of a quad mosaic; nil if its gains are not those of all pixels.
    package var binned: ShadingMap? {
        guard area.rowPitch == 1, area.columnPitch == 1 else { return nil }
        var map = self
        map.area = PixelGrid(
            top: area.top / 2, left: area.left / 2, bottom: (area.bottom + 1) / 2, right: (area.right + 1) / 2)
        return map
    }

    /// Converts the map from coordinates relative to `area`, as files store them, to those of the whole picture.
    package func moved(from area: PixelRectangle, toPictureOf width: Int, _ height: Int) -> ShadingMap {
        var map = self
        map.area.top += area.top
        map.area.bottom += area.top
        map.area.left += area.left
        map.area.right += area.left
        let (down, across) = (Double(area.height) / Double(height), Double(area.width) / Double(width))
        map.spacing.down *= down
        map.spacing.across *= across
        map.origin.down = (Double(area.top) / Double(height)) + map.origin.down * down
        map.origin.across = (Double(area.left) / Double(width)) + map.origin.across * across
        return map
    }
}
