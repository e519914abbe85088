package import KernelTypes

// Kernels of the fusion of a wide and a tele photo: positions in the tele photo, and its samples there.

/// Interpolates positions between grid points linearly: pixel i of a row is at `start + i * step` in units of the grid.
/// `points` are the positions at the grid points of the row; they are stored as `x` and `y`. Up to one unit before the
/// first grid point, positions are extrapolated.
package func telePositions(
    _ x: UnsafeMutablePointer<Float>, _ y: UnsafeMutablePointer<Float>, count: Int, points: UnsafePointer<SIMD2<Float>>,
    start: Float, step: Float
) {
    var index = 0
    while index < count {
        let place = start + Float(index) * step
        let cell = Int(place)
        let part = place - Float(cell)
        let point = points[cell] + (points[cell &+ 1] - points[cell]) * part
        x[index] = point.x
        y[index] = point.y
        index &+= 1
    }
}

/// Returns the weights of four neighbouring samples for a position `part` of the way from the second to the third
/// (Catmull-Rom).
@inline(__always)
private func cubic(_ part: Float) -> SIMD4<Float> {
    let square = part * part
    let cube = square * part
    var ends = SIMD4<Float>(-part, 0, part, 0)
    ends += SIMD4<Float>(2, -5, 4, -1) * square
    let middle = SIMD4<Float>(-1, 3, -3, 1) * cube
    let whole = SIMD4<Float>(0, 1, 0, 0)
    return (ends + middle) * 0.5 + whole
}

/// Loads the four samples of a pixel.
@inline(__always)
private func pixel(_ codes: UnsafePointer<UInt16>) -> SIMD4<Float> {
    SIMD4<Float>(Float(codes[0]), Float(codes[1]), Float(codes[2]), Float(codes[3]))
}

/// Adds samples of the tele photo at fractional positions to `sums`, and their squared grey values to `energies`.
/// Samples are within the range of the nearest four pixels. The last component of a sum counts the samples; positions
/// outside the photo and saturated ones reduce it by 1000.
package func addTeleSamples(
    _ sums: UnsafeMutablePointer<SIMD4<Float>>, _ energies: UnsafeMutablePointer<Float>, count: Int,
    x: UnsafePointer<Float>, y: UnsafePointer<Float>, photo: TelePhoto
) {
    let (right, bottom) = (Float(photo.width &- 2), Float(photo.height &- 2))
    var index = 0
    while index < count {
        let (across, down) = (x[index], y[index])
        // Written so that a position that is not a number is outside.
        guard across >= 1, across < right, down >= 1, down < bottom else {
            sums[index] += SIMD4(0, 0, 0, -1000)
            index &+= 1
            continue
        }
        let (column, row) = (Int(across), Int(down))
        let (columns, rows) = (cubic(across - Float(column)), cubic(down - Float(row)))
        let first: Int = (row &- 1) &* photo.stride &+ (column &- 1) &* 4
        var codes = photo.codes + first
        var sum = SIMD4<Float>(repeating: 0)
        var most = SIMD4<Float>(repeating: 0)
        var least = SIMD4<Float>(repeating: 65_535)
        var line = 0
        while line < 4 {
            let (first, second, third, fourth) = (pixel(codes), pixel(codes + 4), pixel(codes + 8), pixel(codes + 12))
            var mixed = first * columns[0]
            mixed += second * columns[1]
            mixed += third * columns[2]
            mixed += fourth * columns[3]
            sum += mixed * rows[line]
            if line == 1 || line == 2 {
                let larger = second.replacing(with: third, where: third .> second)
                most = most.replacing(with: larger, where: larger .> most)
                let smaller = second.replacing(with: third, where: third .< second)
                least = least.replacing(with: smaller, where: smaller .< least)
            }
            codes += photo.stride
            line &+= 1
        }
        let clip = Float(photo.clip)
        let isSaturated = most.x >= clip || most.y >= clip || most.z >= clip
        sum = sum.replacing(with: least, where: sum .< least).replacing(with: most, where: sum .> most)
        var value: SIMD4<Float> = (sum - photo.black) * photo.scale
        value.w = isSaturated ? -1000 : 1
        sums[index] += value
        let grey = grey(value)
        energies[index] += grey * grey
        index &+= 1
    }
}

/// Returns the grey value of a colour: half its green, a quarter of red and blue.
@inline(__always)
func grey(_ color: SIMD4<Float>) -> Float { color.x * 0.25 + color.y * 0.5 + color.z * 0.25 }

/// Divides sums of `samples` samples each. The last component becomes the variance of the grey values within the pixel,
/// or −1 where a sample was outside or saturated.
package func finishTeleSamples(
    _ sums: UnsafeMutablePointer<SIMD4<Float>>, _ energies: UnsafePointer<Float>, count: Int, samples: Int
) {
    let part = 1 / Float(samples)
    var index = 0
    while index < count {
        var mean = sums[index] * part
        let isUsable = sums[index].w == Float(samples)
        let grey = grey(mean)
        let variance = energies[index] * part - grey * grey
        mean.w = isUsable ? (variance > 0 ? variance : 0) : -1
        sums[index] = mean
        index &+= 1
    }
}

/// Stores the grey values of tele pixels, or `none` where the last component is negative.
package func teleGrey(
    _ target: UnsafeMutablePointer<Float>, _ pixels: UnsafePointer<SIMD4<Float>>, count: Int, none: Float
) {
    var index = 0
    while index < count {
        target[index] = pixels[index].w < 0 ? none : grey(pixels[index])
        index &+= 1
    }
}

/// Converts codes of a photo to linear values in red, green and blue, with `last` as the fourth component.
package func teleLinear(
    _ target: UnsafeMutablePointer<SIMD4<Float>>, _ codes: UnsafePointer<UInt16>, count: Int, black: Float,
    scale: Float, last: Float
) {
    var index = 0
    while index < count {
        var value: SIMD4<Float> = (pixel(codes + index &* 4) - black) * scale
        value.w = last
        target[index] = value
        index &+= 1
    }
}

/// Converts the tele's colours to those of the wide photo, in place: by a matrix, and by gains that change linearly
/// from `first` by `change` per pixel. The last component is multiplied with the square of the mean gain, and keeps its
/// sign.
package func matchTeleColors(
    _ pixels: UnsafeMutablePointer<SIMD4<Float>>, count: Int, colors: TeleColors, first: SIMD4<Float>,
    change: SIMD4<Float>
) {
    var index = 0
    while index < count {
        let pixel = pixels[index]
        let gain: SIMD4<Float> = first + change * Float(index)
        let mixed: SIMD4<Float> = colors.red * pixel.x + colors.green * pixel.y + colors.blue * pixel.z
        var result: SIMD4<Float> = mixed * gain
        let factor = grey(gain) * grey(colors.red + colors.green + colors.blue)
        result.w = pixel.w < 0 ? -1 : pixel.w * factor * factor
        pixels[index] = result
        index &+= 1
    }
}
