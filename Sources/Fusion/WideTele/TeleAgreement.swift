internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

/// Measures how far the two photos agree at each pixel of a field, in means over 5×5 pixels.
struct TeleAgreement {
    let field: TeleField
    let noise: TeleNoise
    /// Where the flow jumps, and the tele is not used.
    let outlines: TeleOutlines

    /// The reach of the means: 2 for 5×5 pixels.
    private static let reach = 2
    /// The number of pixels in a mean.
    static let neighbours = (2 * reach + 1) * (2 * reach + 1)

    /// Returns the weight of the tele's pixels, 0…1, and the fraction of its detail to use, as first and second
    /// components of `values`. Both fall smoothly towards areas of no agreement and tiles that are not trusted, and the
    /// weight towards outlines. The third is the weight without regard to outlines, and the fourth the contrast.
    /// `differences` are the mean differences of the colours in units of their noise.
    func measured() -> (values: [SIMD4<Float>], differences: [SIMD4<Float>]) {
        var structures = Array(repeating: SIMD4<Float>(), count: field.wide.count)
        var differences = structures.withMutableView { structures in
            map { target, range in
                field.wide.withView { wide in
                    field.tele.withView { tele in
                        unsafe compareTelePixels(
                            target.pointer(range.count), (structures + range.lowerBound).pointer(range.count),
                            (wide + range.lowerBound).pointer(range.count),
                            (tele + range.lowerBound).pointer(range.count), count: range.count, noise: noise)
                    }
                }
            }
        }
        structures = means(of: structures)
        differences = means(of: differences)
        let agreement = map { target, range in
            differences.withView { differences in
                structures.withView { structures in
                    unsafe teleAgreement(
                        target.pointer(range.count), (differences + range.lowerBound).pointer(range.count),
                        (structures + range.lowerBound).pointer(range.count), count: range.count, noise: noise)
                }
            }
        }
        let smooth = self.means(of: agreement)
        let trust = TeleTrust(agreement, field)
        let width = field.area.width
        let values = map { target, range in
            for index in range {
                var value = pointwiseMin(agreement[index], smooth[index])
                value.x *= trust.factor(index % width, index / width)
                value.z = value.x
                value.w = agreement[index].w
                value.x *= outlines.factor(index % width, index / width)
                target[index - range.lowerBound] = value
            }
        }
        return (values, differences)
    }

    /// Computes values for the pixels of the field, on all cores.
    private func map(_ body: (MutableMemoryView<SIMD4<Float>>, Range<Int>) -> Void) -> [SIMD4<Float>] {
        let area = field.area
        return [SIMD4<Float>](filling: area.width * area.height) { target in
            concurrentBands(rows: area.height, of: TeleField.bandHeight, cores: field.cores) { band in
                let range = band.lowerBound * area.width..<band.upperBound * area.width
                body(target + range.lowerBound, range)
            }
        }
    }

    /// Returns the means over the neighbours of each pixel.
    private func means(of values: [SIMD4<Float>]) -> [SIMD4<Float>] {
        let (width, height) = (field.area.width, field.area.height)
        return map { target, range in
            let sums = OwnedMemory(repeating: SIMD4<Float>(), count: width)
            for row in range.lowerBound / width..<range.upperBound / width {
                sums.view.update(repeating: SIMD4(), count: width)
                for neighbour in row - Self.reach...row + Self.reach {
                    let start = min(max(neighbour, 0), height - 1) * width
                    values.withView { values in
                        unsafe addTeleRow(
                            sums.view.pointer(width), (values + start).pointer(width), count: width,
                            weight: 1 / Float(2 * Self.reach + 1))
                    }
                }
                unsafe meanOfTeleRow(
                    (target + (row * width - range.lowerBound)).pointer(width), sums.view.pointer(width), count: width,
                    reach: Self.reach)
            }
        }
    }
}
