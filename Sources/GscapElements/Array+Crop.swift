internal import RawImage

extension Array {
    /// Returns the rows of a rectangle of a picture, one after another; `stride` is the number of elements from row to
    /// row of the picture, `pixel` that of a pixel.
    func rows(of area: PixelRectangle, stride: Int, pixel: Int) -> [Element] {
        var result: [Element] = []
        result.reserveCapacity(area.width * area.height * pixel)
        for row in area.top..<area.top + area.height {
            let start = row * stride + area.left * pixel
            result += self[start..<start + area.width * pixel]
        }
        return result
    }
}
