package import KernelTypes

// Kernels of the fusion of a wide and a tele photo: how far they agree, and their blend.
//
// Pixels are red, green and blue; the last component of the tele's is the variance of the grey values within the pixel,
// or −1 where the tele has no value.

/// Returns a variance at each component of a colour.
@inline(__always)
private func variance(_ color: SIMD4<Float>, _ shot: SIMD4<Float>, _ read: SIMD4<Float>) -> SIMD4<Float> {
    let zero = SIMD4<Float>(repeating: 0)
    return color.replacing(with: zero, where: color .< zero) * shot + read
}

/// Compares pixels of the two photos. Stores the difference of each colour in units of its noise, and as a fourth
/// component that of the grey values squared, which is large where the tele has no value. `structures` become the
/// variance within the pixel, the grey value and its square.
package func compareTelePixels(
    _ differences: UnsafeMutablePointer<SIMD4<Float>>, _ structures: UnsafeMutablePointer<SIMD4<Float>>,
    _ wide: UnsafePointer<SIMD4<Float>>, _ tele: UnsafePointer<SIMD4<Float>>, count: Int, noise: TeleNoise
) {
    var index = 0
    while index < count {
        let (own, other) = (wide[index], tele[index])
        let random: SIMD4<Float> =
            variance(own, noise.wideShot, noise.wideRead)
            + variance(own, noise.teleShot, noise.teleRead) * noise.kept
        let spread: SIMD4<Float> = random + own * own * noise.rendition
        let isMissing = other.w < 0
        var difference: SIMD4<Float> = (own - other) / spread.squareRoot()
        let level = grey(own)
        let deviation = level - grey(other)
        let light = level > 0 ? level : 0
        let wideVariance = noise.wideShot.w * light + noise.wideRead.w
        let teleVariance = (noise.teleShot.w * light + noise.teleRead.w) * noise.kept
        difference.w = deviation * deviation / (wideVariance + teleVariance + noise.rendition * light * light)
        differences[index] = isMissing ? SIMD4(0, 0, 0, 1e6) : difference
        structures[index] = SIMD4(isMissing ? 0 : other.w, level, level * level, 0)
        index &+= 1
    }
}

/// Adds `count` pixels of a row to sums.
package func addTeleRow(
    _ sums: UnsafeMutablePointer<SIMD4<Float>>, _ row: UnsafePointer<SIMD4<Float>>, count: Int, weight: Float
) {
    var index = 0
    while index < count {
        sums[index] += row[index] * weight
        index &+= 1
    }
}

/// Computes means of 2·`reach` + 1 neighbours in a row; at its ends the outermost values are repeated.
package func meanOfTeleRow(
    _ target: UnsafeMutablePointer<SIMD4<Float>>, _ row: UnsafePointer<SIMD4<Float>>, count: Int, reach: Int
) {
    let part = 1 / Float(2 &* reach &+ 1)
    var index = 0
    while index < count {
        var sum = SIMD4<Float>(repeating: 0)
        var offset = -reach
        while offset <= reach {
            let place = index &+ offset
            sum += row[place < 0 ? 0 : place >= count ? count &- 1 : place]
            offset &+= 1
        }
        target[index] = sum * part
        index &+= 1
    }
}

/// Computes how far the photos agree at each pixel, 0…1, and the fraction of the tele's fine structure that is not
/// noise, from local means of what `compareTelePixels` stored. They are the first and the second component. The third
/// is the difference relative to that up to which the photos agree, and the fourth the contrast of the wide photo: its
/// local variance relative to that of noise.
///
/// Both the mean difference of the colours and the mean squared difference of the grey values must be small. The first
/// finds other objects and is not affected by aliasing, whose mean is 0; the second finds shifted structure.
package func teleAgreement(
    _ target: UnsafeMutablePointer<SIMD4<Float>>, _ differences: UnsafePointer<SIMD4<Float>>,
    _ structures: UnsafePointer<SIMD4<Float>>, count: Int, noise: TeleNoise
) {
    var index = 0
    while index < count {
        let (mean, structure) = (differences[index], structures[index])
        let level = structure.y > 0 ? structure.y : 0
        let wide = noise.wideShot.w * level + noise.wideRead.w
        let tele = noise.teleShot.w * level + noise.teleRead.w
        let across = structure.z - structure.y * structure.y
        let spread = wide + tele * noise.kept + noise.rendition * level * level
        let contrast = (across > 0 ? across : 0) / spread
        let fine = structure.x - tele * (1 - noise.kept)
        let aliasing = (fine > 0 ? fine : 0) / spread
        let square: SIMD4<Float> = mean * mean
        let bias =
            (square.x + square.y + square.z) / (noise.bias + noise.slack * contrast + noise.aliasing * 0.1 * aliasing)
        let shifted = mean.w / (noise.patience + noise.slack * contrast + noise.aliasing * aliasing)
        let ratio = bias > shifted ? bias : shifted
        let excess = 2 - ratio
        let agreement = excess < 0 ? 0 : excess > 1 ? 1 : excess
        let detail = fine > 0 ? fine / structure.x : 0
        target[index] = SIMD4(agreement, detail, ratio, contrast)
        index &+= 1
    }
}

/// Blends the tele's pixels into the wide's, in place, weighted by the agreement and by the noise of both. The last
/// component becomes the weight of the tele's detail. `tele` stays as it is, without its last component.
///
/// `differences` are the local means of what `compareTelePixels` stored. As far as the lenses may render the same light
/// differently, they are errors of the tele, which count against the noise of the wide's local mean: in a smooth area
/// that mean is nearly exact.
package func blendTelePixels(
    _ wide: UnsafeMutablePointer<SIMD4<Float>>, _ tele: UnsafePointer<SIMD4<Float>>,
    _ agreement: UnsafePointer<SIMD4<Float>>, _ differences: UnsafePointer<SIMD4<Float>>, count: Int, noise: TeleNoise
) {
    var index = 0
    while index < count {
        let (own, other) = (wide[index], tele[index])
        let ownVariance = variance(own, noise.wideShot, noise.wideRead)
        let otherVariance = variance(own, noise.teleShot, noise.teleRead) * noise.kept
        let random: SIMD4<Float> = ownVariance + otherVariance
        let rendition: SIMD4<Float> = own * own * noise.rendition
        let most = rendition.squareRoot()
        let mean: SIMD4<Float> = (random + rendition).squareRoot() * differences[index] * -1
        let bounded = mean.replacing(with: most, where: mean .> most)
        let common = bounded.replacing(with: -most, where: bounded .< -most)
        let share: SIMD4<Float> = ownVariance / random
        let commonShare: SIMD4<Float> = ownVariance / (random + rendition * noise.neighbours)
        let change: SIMD4<Float> = (other - own - common) * share + common * commonShare
        let weight = other.w < 0 ? 0 : agreement[index].x
        var result: SIMD4<Float> = own + change * weight
        result.w = weight * agreement[index].y
        wide[index] = result
        index &+= 1
    }
}

/// Adds the tele's detail, the difference of its samples and its resampled means, to pixels whose last component is its
/// weight. The result lies between the pixel and the sample. Otherwise the difference could leave black outlines beside
/// lights.
package func addTeleDetail(
    _ pixels: UnsafeMutablePointer<SIMD4<Float>>, _ samples: UnsafePointer<SIMD4<Float>>,
    _ means: UnsafePointer<SIMD4<Float>>, count: Int
) {
    var index = 0
    while index < count {
        let (pixel, sample) = (pixels[index], samples[index])
        let weight = sample.w < 0 ? 0 : pixel.w
        if weight > 0 {
            let isRising = pixel .< sample
            let least = sample.replacing(with: pixel, where: isRising)
            let most = pixel.replacing(with: sample, where: isRising)
            let result = pixel + (sample - means[index]) * (weight > 1 ? 1 : weight)
            let bounded = result.replacing(with: least, where: result .< least)
            pixels[index] = bounded.replacing(with: most, where: bounded .> most)
        }
        index &+= 1
    }
}

/// Converts linear values to codes, with opaque alpha.
package func teleCodes(
    _ codes: UnsafeMutablePointer<UInt16>, _ pixels: UnsafePointer<SIMD4<Float>>, count: Int, black: Float, scale: Float
) {
    var index = 0
    while index < count {
        let value: SIMD4<Float> = pixels[index] * scale + (black + 0.5)
        var channel = 0
        while channel < 3 {
            let code = value[channel]
            codes[index &* 4 &+ channel] = UInt16(code > 0 ? (code < 65_535 ? code : 65_535) : 0)
            channel &+= 1
        }
        codes[index &* 4 &+ 3] = 65_535
        index &+= 1
    }
}
