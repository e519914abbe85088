// The background of the still life, from back to front. It extends to both sides beyond any frame.

/// A coordinate beyond any frame, in scene units.
private let farAway: Float = 1e6
/// The nearness of the landscape: its objects are farther away by these factors than the still life.
private let (skyNearness, mountainNearness, hillNearness, treeNearness): (Float, Float, Float, Float) =
    (0, 0.001, 0.005, 0.05)

/// A summer sky with clouds.
struct Sky: SceneItem {
    let area = SceneArea(left: -farAway, top: -farAway, right: farAway, bottom: 1.45)
    let nearness = skyNearness
    private let noise = ValueNoise(seed: 11)

    func shade(over behind: SceneColor, x: Float, y: Float, pixel: Float) -> SceneColor {
        let height = min(max(y / 1.45, 0), 1)
        let blue = mix(opaque(0.085, 0.22, 0.56), opaque(0.56, 0.72, 0.88), height * (0.35 + 0.65 * height))
        let thick = cloud(x, y, layers: 6, pixel)
        let cover = smoothStep(0.02, 0.55, thick) * (1 - 0.55 * height)
        if cover == 0 { return blue }
        let towardsSun = cloud(x - 0.05, y - 0.07, layers: 4, pixel)
        let bright = min(max(0.9 + 0.55 * (thick - towardsSun) - 0.16 * thick, 0.55), 1.15)
        return mix(blue, opaque(bright, bright * 1.005, bright * 1.03), cover)
    }

    private func cloud(_ x: Float, _ y: Float, layers: Int, _ pixel: Float) -> Float {
        noise.layers(x * 0.85 + 3.1, y * 2.1 + 0.4, count: layers, fall: 0.52, pixel: pixel * 2) - 0.05
    }
}

/// A range of mountains in the haze, with snow on the summits.
struct Mountains: SceneItem {
    let area = SceneArea(left: -farAway, top: 1.02, right: farAway, bottom: 1.45)
    let nearness = mountainNearness
    private let noise = ValueNoise(seed: 23)

    func shade(over behind: SceneColor, x: Float, y: Float, pixel: Float) -> SceneColor {
        let cover = coverage(summit(x, pixel) - y, pixel)
        if cover == 0 { return behind }
        let slope = relief(x, y, pixel) - relief(x - 0.012, y - 0.012, pixel)
        let crease = min(max(slope * 3.2, -0.9), 0.9)
        let rock = mix(opaque(0.13, 0.17, 0.25), opaque(0.36, 0.38, 0.41), 0.5 + 0.55 * crease)
        let snow = smoothStep(0.0, 0.12, 1.13 + 0.06 * crease - y)
        let stone = mix(rock, opaque(0.80, 0.84, 0.92) * (0.85 + 0.3 * crease), snow)
        let haze = 0.15 + smoothStep(1.0, 1.5, y) * 0.6
        return mix(behind, mix(stone, opaque(0.42, 0.53, 0.62), haze), cover)
    }

    /// Returns the height of the rock, 0…1, whose gradient determines the shading.
    private func relief(_ x: Float, _ y: Float, _ pixel: Float) -> Float {
        let gully = noise.layers(x * 4.5 + y * 1.5, y * 3.1, count: 5, fall: 0.56, pixel: pixel * 5)
        return 1 - abs(gully)
    }

    private func summit(_ x: Float, _ pixel: Float) -> Float {
        let rough = noise.layers(x * 1.1 + 4.2, 0.5, count: 9, fall: 0.48, pixel: pixel * 1.1)
        return 1.17 - 0.24 * (1 - abs(rough)) + 0.1
    }
}

/// Rolling meadows.
struct Hills: SceneItem {
    let area = SceneArea(left: -farAway, top: 1.28, right: farAway, bottom: 1.84)
    let nearness = hillNearness
    private let noise = ValueNoise(seed: 37)

    func shade(over behind: SceneColor, x: Float, y: Float, pixel: Float) -> SceneColor {
        let far = coverage(1.36 + 0.07 * noise.value(x * 1.3, 7) - y, pixel)
        let near = coverage(1.47 + 0.06 * noise.value(x * 0.9 + 5, 2) - y, pixel)
        if far == 0, near == 0 { return behind }
        let grass = noise.layers(x * 20, y * 70, count: 5, fall: 0.7, pixel: pixel * 60)
        let farMeadow = opaque(0.19, 0.28, 0.13) * (1 + 0.16 * grass)
        let nearMeadow = mix(opaque(0.20, 0.27, 0.065), opaque(0.30, 0.29, 0.08), 0.5 + 0.5 * noise.value(x * 2, y * 9))
        return mix(mix(behind, farMeadow, far), nearMeadow * (1 + 0.22 * grass), near)
    }
}

/// Bushes and trees with leaves down to the size of a pixel.
struct Trees: SceneItem {
    let area = SceneArea(left: -farAway, top: 1.26, right: farAway, bottom: 1.9)
    let nearness = treeNearness
    private let noise = ValueNoise(seed: 41)

    func shade(over behind: SceneColor, x: Float, y: Float, pixel: Float) -> SceneColor {
        let leaf = noise.layers(x * 34, y * 34, count: 5, fall: 0.75, pixel: pixel * 34)
        let edge = crown(x) + 0.018 * leaf
        let cover = coverage((edge - y) * 0.5, pixel)
        if cover == 0 { return behind }
        let clump = noise.layers(x * 9 + 2, y * 11, count: 3, pixel: pixel * 10)
        let depth = smoothStep(0, 0.35, y - edge)
        let bright = min(max(0.42 + 0.34 * clump + 0.33 * leaf - 0.3 * depth, 0.02), 1)
        let leaves = mix(opaque(0.010, 0.022, 0.006), opaque(0.21, 0.29, 0.06), bright)
        return mix(behind, leaves, cover)
    }

    private func crown(_ x: Float) -> Float {
        let wood = 1.56 - 0.17 * noise.value(x * 0.75 + 3.4, 9)
        return wood - 0.05 * abs(noise.value(x * 4, 3)) - 0.03 * noise.value(x * 9, 5)
    }
}

/// A table of wooden boards.
struct Table: SceneItem {
    let area = SceneArea(left: -farAway, top: Self.edge - 0.02, right: farAway, bottom: farAway)
    private static let edge: Float = 1.86
    private let noise = ValueNoise(seed: 53)

    func shade(over behind: SceneColor, x: Float, y: Float, pixel: Float) -> SceneColor {
        let board = ((y - Self.edge) / 0.19).rounded(.down)
        let across = y - Self.edge - board * 0.19
        let bend = 0.012 * noise.value(x * 1.5, board * 5)
        let grain = noise.layers(x * 2.2 + board * 31, (y + bend) * 60, count: 4, fall: 0.75, pixel: pixel * 60)
        let pore = noise.layers(x * 14 + board * 7, y * 260, count: 2, fall: 0.7, pixel: pixel * 260)
        let tone = 0.9 + 0.12 * noise.value(board * 3.7, 1) + 0.17 * grain + 0.07 * pore
        let groove = 1 - 0.75 * coverage(min(across, 0.19 - across) - 0.003, max(pixel, 0.002))
        let wood = opaque(0.33, 0.185, 0.092) * (tone * groove * (0.8 + 0.2 * min((y - Self.edge) * 2, 1)))
        return mix(behind, opaque(wood.x, wood.y, wood.z), coverage(Self.edge - y, pixel))
    }
}
