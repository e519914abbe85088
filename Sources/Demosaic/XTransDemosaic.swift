internal import PixelMemory
public import RawImage

/// Demosaics an X-Trans mosaic into a linear photo in camera-native colour, as `Demosaic` does with Bayer mosaics.
public enum XTransDemosaic {
    /// The rows of a band.
    private static let bandHeight = 96

    /// Returns the linear photo of a mosaic of at least 6×6 pixels.
    public static func linear(_ mosaic: XTransMosaic) throws(GscapError) -> LinearImage {
        guard mosaic.width >= 6, mosaic.height >= 6 else {
            throw GscapError(
                .badFormat, "an X-Trans mosaic of \(mosaic.width)×\(mosaic.height) pixels is less than a cell of 6×6")
        }
        let balance = try BalancedLevels(linear: mosaic.metadata)
        let gains = [balance.gain.x, balance.gain.y, balance.gain.z]
        let scale = Demosaic.photoScale(mosaic.metadata)
        let (grid, width, height, black) = (XTransGrid(mosaic.pattern), mosaic.width, mosaic.height, balance.black.x)
        let format = LinearFormat(width: width, height: height)
        let cellGains = grid.planes.map { gains[$0] }
        var values = [UInt16].largeZeros(format.valueCount)
        mosaic.codes.withView { codes in
            values.withMutableView { values in
                // Each band writes only its own rows.
                concurrentBands(rows: height, of: bandHeight) { rows in
                    var band = XTransBand(grid, rows: rows, width: width, height: height) { row, column in
                        let value = (Float(codes[row * width + column]) - black) * cellGains[row % 6 * 6 + column % 6]
                        return max(0, value + XTransBand.offset).squareRoot()
                    }
                    band.demosaic()
                    for row in rows {
                        band.store(row: row, scale: scale, to: values + row * format.stride)
                    }
                }
            }
        }
        return try LinearImage(
            format: format,
            metadata: Demosaic.linearMetadata(for: mosaic.metadata, plane: mosaic.pattern.plane), values: values)
    }
}

extension XTransBand {
    /// A constant that is added to linear samples before the square root: it limits the slope near black, and keeps
    /// noise below black.
    static let offset: Float = 0.0005

    /// Stores a row of the mosaic as codes of a linear photo; `scale` is the factor of each colour.
    func store(row: Int, scale: SIMD3<Float>, to pixels: MutableMemoryView<UInt16>) {
        forEachPixel(ofRow: row) { column, red, green, blue in
            let roots = pointwiseMax(SIMD3(red, green, blue), .zero)
            let codes = (roots * roots - Self.offset) * scale + 0.5
            let limited = codes.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 65_535))
            let target = column * LinearFormat.channels
            pixels[target] = UInt16(limited.x)
            pixels[target + 1] = UInt16(limited.y)
            pixels[target + 2] = UInt16(limited.z)
            pixels[target + 3] = .max
        }
    }

    private func forEachPixel(ofRow row: Int, _ body: (Int, Float, Float, Float) -> Void) {
        let start = area.start(ofRow: row)
        green.withView { green in
            differences[0].withView { reds in
                differences[1].withView { blues in
                    for column in 0..<area.width {
                        let value = green[start + column]
                        body(column, value + reds[start + column], value, value + blues[start + column])
                    }
                }
            }
        }
    }
}
