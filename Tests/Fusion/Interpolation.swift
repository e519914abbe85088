import Glibc
import RawImage

/// A sine of period 1.
func wave(_ turns: Double) -> Double { sin(2 * .pi * turns) }

/// The decimal logarithm.
func log10(_ value: Double) -> Double { Glibc.log10(value) }

/// The mean of a mosaic's nearest neighbours of each colour, as camera response: what any demosaic must beat.
func bilinear(_ mosaic: Mosaic) -> [Double] {
    let format = mosaic.format
    var result: [Double] = []
    for row in 0..<format.height {
        for column in 0..<format.width {
            let own = format.pattern.plane(row: row, column: column)
            for plane in 0..<3 {
                var (sum, count) = (0.0, 0.0)
                let reach = plane == own ? 0 : 1
                for y in max(0, row - reach)...min(format.height - 1, row + reach) {
                    for x in max(0, column - reach)...min(format.width - 1, column + reach)
                    where format.pattern.plane(row: y, column: x) == plane {
                        let black = mosaic.metadata.blackLevel[2 * (y & 1) + x & 1]
                        sum +=
                            (Double(mosaic.codes[y * format.stride + x]) - black) / (mosaic.metadata.whiteLevel - black)
                        count += 1
                    }
                }
                result.append(sum / count)
            }
        }
    }
    return result
}
