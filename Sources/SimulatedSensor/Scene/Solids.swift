internal import Glibc

/// Unit vector towards the sun, which is to the left, above and in front of the scene.
private let sun = SIMD3<Float>(-0.48, -0.62, 0.62)

/// A ball on the table.
struct Ball: SceneItem {
    let x: Float
    let y: Float
    let radius: Float
    let color: SceneColor
    /// Strength of the specular highlight.
    let gloss: Float

    var area: SceneArea {
        SceneArea(left: x - radius, top: y - radius, right: x + radius * 2.4, bottom: y + radius * 1.4)
    }

    func shade(over behind: SceneColor, x: Float, y: Float, pixel: Float) -> SceneColor {
        let (dx, dy) = ((x - self.x) / radius, (y - self.y) / radius)
        let square = dx * dx + dy * dy
        let inside = coverage((square.squareRoot() - 1) * radius, pixel)
        let ground = behind * (1 - shadow(dx, dy))
        if inside == 0 { return ground }
        let normal = SIMD3(dx, dy, max(1 - square, 0).squareRoot())
        let facing = max((normal * sun).sum(), 0)
        let half = max((normal * SIMD3(-0.267, -0.345, 0.9)).sum(), 0)
        let bounce = opaque(0.09, 0.05, 0.03) * max(normal.y, 0)
        let shine = gloss * powf(half, 60)
        let body = color * (0.22 + 0.9 * facing + 0.06 * normal.z) + bounce + opaque(shine, shine, shine)
        return mix(ground, opaque(body.x, body.y, body.z), inside)
    }

    private func shadow(_ dx: Float, _ dy: Float) -> Float {
        let (sx, sy) = ((dx - 0.75) / 1.5, (dy - 0.86) / 0.42)
        let away = max(1 - (sx * sx + sy * sy), 0)
        return 0.7 * away
    }
}

/// A lit street lamp: the brightest object of the scene.
struct Lamp: SceneItem {
    private let x: Float = 1.86
    private let y: Float = 1.14
    private let radius: Float = 0.075
    private let foot: Float = 2.24
    private let reach: Float = 0.55

    var area: SceneArea {
        SceneArea(left: x - reach, top: y - reach, right: x + reach, bottom: foot + 0.03)
    }

    func shade(over behind: SceneColor, x: Float, y: Float, pixel: Float) -> SceneColor {
        let (dx, dy) = (x - self.x, y - self.y)
        var light = mix(behind, metal(dx), coverage(pole(dx, y), pixel))
        let distance = (dx * dx + dy * dy).squareRoot()
        let far = max(1 - distance / reach, 0)
        let glow = 0.5 * far * far * far
        light += opaque(glow, glow * 0.86, glow * 0.6)
        let inside = coverage(distance - radius, pixel)
        let hot = 16 - 10 * min(distance / radius, 1)
        return mix(light, opaque(hot, hot * 0.9, hot * 0.68), inside)
    }

    private func metal(_ dx: Float) -> SceneColor {
        let round = max(0.25, 1 - abs(dx + 0.004) * 60)
        return opaque(0.045, 0.05, 0.055) * round
    }

    /// Returns the distance of a point from the lamp's pole in scene units, negative inside. The pole widens to a
    /// collar below the globe and to a foot on the table.
    private func pole(_ dx: Float, _ y: Float) -> Float {
        let half: Float =
            if y < self.y + radius + 0.035 { 0.03 } else if y > foot - 0.02 { 0.085 } else { 0.011 }
        return max(abs(dx) - half, max(self.y + radius * 0.9 - y, y - foot))
    }
}

/// A striped balloon with a basket: the moving object, in coordinates relative to the balloon's centre.
struct Balloon: SceneItem {
    let area = SceneArea(left: -0.25, top: -0.27, right: 0.25, bottom: 0.42)

    func shade(over behind: SceneColor, x: Float, y: Float, pixel: Float) -> SceneColor {
        let ropes = mix(behind, opaque(0.05, 0.04, 0.03), rope(x, y, pixel))
        let basket = SceneArea(left: -0.04, top: 0.32, right: 0.04, bottom: 0.385)
        let weave = 0.75 + 0.25 * sinf(y * 700) * min(0.004 / pixel, 1)
        let lower = mix(ropes, opaque(0.22 * weave, 0.12 * weave, 0.05 * weave), coverage(basket.distance(x, y), pixel))
        return mix(lower, envelope(x, y), coverage(outline(x, y), pixel))
    }

    /// Returns the distance of a point from the balloon's envelope, a sphere that tapers downwards, in scene units;
    /// negative inside.
    private func outline(_ x: Float, _ y: Float) -> Float {
        let radius: Float = 0.22
        if y < 0.07 { return (x * x + y * y).squareRoot() - radius }
        let width = 0.2086 - (y - 0.07) * 0.92
        return max((abs(x) - width) * 0.74, y - 0.24)
    }

    private func envelope(_ x: Float, _ y: Float) -> SceneColor {
        let width = max(y < 0.07 ? max(0.0484 - y * y, 1e-4).squareRoot() : 0.2086 - (y - 0.07) * 0.92, 0.01)
        let across = min(max(x / width, -1), 1)
        let stripe = Int((asinf(across) / Float.pi * 7 + 20).rounded(.down)) % 3
        let color = [opaque(0.62, 0.055, 0.035), opaque(0.80, 0.52, 0.06), opaque(0.78, 0.76, 0.70)][stripe]
        let normal = SIMD3(across * 0.9, y / 0.24, max(1 - across * across, 0).squareRoot())
        let shade = 0.3 + 0.8 * max((normal * sun).sum(), 0)
        return opaque(color.x * shade, color.y * shade, color.z * shade)
    }

    private func rope(_ x: Float, _ y: Float, _ pixel: Float) -> Float {
        guard y > 0.2, y < 0.33 else { return 0 }
        return coverage(abs(abs(x) - 0.035 - (0.33 - y) * 0.12) - 0.0018, pixel)
    }
}
