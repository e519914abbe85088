internal import Glibc

extension ShadingMap {
    /// Returns the map of a crop of a picture of `size`.
    func cropped(from size: (width: Int, height: Int), to crop: PixelRectangle) -> ShadingMap {
        var map = self
        map.area = area.cropped(to: crop)
        let (down, across) = (Double(size.height) / Double(crop.height), Double(size.width) / Double(crop.width))
        map.spacing.down *= down
        map.spacing.across *= across
        map.origin.down = map.origin.down * down - Double(crop.top) / Double(crop.height)
        map.origin.across = map.origin.across * across - Double(crop.left) / Double(crop.width)
        return map
    }

    /// Returns the map of an enlarged picture of three planes.
    package func enlarged(by factor: Double) -> ShadingMap {
        func edge(_ place: Int) -> Int { Int((Double(place) * factor).rounded()) }
        var map = self
        (map.area.top, map.area.left) = (edge(area.top), edge(area.left))
        (map.area.bottom, map.area.right) = (edge(area.bottom), edge(area.right))
        return map
    }

    /// Returns the maps that correct a demosaiced photo as this map corrects its mosaic, whose colour planes `plane`
    /// returns.
    ///
    /// In a mosaic a map often concerns one position of the CFA cell, such as that of red or one of two greens. Where
    /// it concerns a fraction of a colour's pixels, the colour has the gains raised to the power of that fraction: the
    /// maps of two greens give their geometric mean.
    package func demosaiced(_ plane: (_ row: Int, _ column: Int) -> Int) -> [ShadingMap] {
        // A mosaic has one plane.
        guard self.plane == 0 else { return [] }
        let parts = partsOfColors(plane)
        if parts == [1, 1, 1] { return [ofPlanes(0, 3, power: 1)] }
        return parts.indices.filter { parts[$0] > 0 }.map { ofPlanes($0, 1, power: parts[$0]) }
    }

    /// Returns for red, green and blue the part of their pixels that the map concerns.
    private func partsOfColors(_ plane: (_ row: Int, _ column: Int) -> Int) -> [Float] {
        // A multiple of the sizes of all CFA cells and of the usual pitches.
        let span = 12
        var (all, own): ([Float], [Float]) = ([0, 0, 0], [0, 0, 0])
        for row in 0..<span {
            for column in 0..<span {
                let color = plane(area.top + row, area.left + column)
                all[color] += 1
                if row % area.rowPitch == 0, column % area.columnPitch == 0 { own[color] += 1 }
            }
        }
        return zip(own, all).map { $0 / $1 }
    }

    /// Returns the map of all pixels of some planes, without gains for single planes.
    private func ofPlanes(_ plane: Int, _ count: Int, power: Float) -> ShadingMap {
        var map = self
        // The pixels before the first of each pitch belong to the same cells.
        map.area = PixelGrid(
            top: area.top - area.top % area.rowPitch, left: area.left - area.left % area.columnPitch,
            bottom: area.bottom, right: area.right)
        (map.plane, map.planeCount, map.gainPlanes) = (plane, count, 1)
        map.gains = stride(from: 0, to: gains.count, by: gainPlanes).map { powf(gains[$0], power) }
        return map
    }
}

extension PixelGrid {
    /// Returns the selected pixels in a crop of the picture.
    fileprivate func cropped(to crop: PixelRectangle) -> PixelGrid {
        /// The first selected row or column that is not before the crop's edge.
        func first(_ place: Int, _ pitch: Int) -> Int { place >= 0 ? place : (place % pitch + pitch) % pitch }
        var grid = self
        (grid.top, grid.left) = (first(top - crop.top, rowPitch), first(left - crop.left, columnPitch))
        grid.bottom = min(max(bottom - crop.top, grid.top), max(crop.height, grid.top))
        grid.right = min(max(right - crop.left, grid.left), max(crop.width, grid.left))
        return grid
    }
}
