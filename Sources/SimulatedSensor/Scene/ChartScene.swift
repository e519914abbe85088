/// The built-in scene: a still life on a table in front of a landscape, with a dynamic range of more than 14 stops.
struct ChartScene: Sendable {
    private let items: [any SceneItem]

    init() {
        items =
            [Sky(), Mountains(), Hills(), Trees(), Table(), Lamp()] + Self.chart + Self.star + Self.text + Self.strips
            + Self.balls
    }

    /// Paints all items over a row, from back to front.
    func paint(_ row: inout SceneRow) {
        for item in items { item.paint(over: &row) }
    }

    private static var chart: [any SceneItem] {
        let patches = ColorChart.patches.indices.map { index in
            let color = ColorChart.color(of: index)
            return Patch(
                area: ColorChart.area(of: index), color: opaque(Float(color.x), Float(color.y), Float(color.z)))
        }
        return [Card(body: ColorChart.card, color: opaque(0.018, 0.018, 0.018))] + patches
    }

    private static var star: [any SceneItem] {
        let card = SceneArea(left: 2.90, top: 1.52, right: 3.78, bottom: 2.40)
        return [
            Card(body: card, color: opaque(0.86, 0.86, 0.85)), SiemensStar(x: 3.34, y: 1.96, radius: 0.4),
        ]
    }

    private static var text: [any SceneItem] {
        [
            Card(body: SceneArea(left: 2.0, top: 1.74, right: 2.78, bottom: 2.40), color: opaque(0.80, 0.78, 0.72)),
            TextLine("GSCAP", left: 2.06, top: 1.80, dot: 0.0215),
            TextLine("RAW STILL PHOTOGRAPHY", left: 2.06, top: 1.98, dot: 0.0052),
            TextLine("THE QUICK BROWN FOX JUMPS", left: 2.06, top: 2.045, dot: 0.0044),
            TextLine("OVER THE LAZY DOG 0123456789", left: 2.06, top: 2.10, dot: 0.0036),
            TextLine("SPHINX OF BLACK QUARTZ - JUDGE MY VOW", left: 2.06, top: 2.15, dot: 0.0029),
            TextLine("PACK MY BOX WITH FIVE DOZEN LIQUOR JUGS 1/60", left: 2.06, top: 2.195, dot: 0.0023),
            TextLine("HOW VEXINGLY QUICK DAFT ZEBRAS JUMP 1234567890", left: 2.06, top: 2.235, dot: 0.0018),
            TextLine("FINE PRINT IS FOR THOSE WHO LOOK CLOSELY ENOUGH 0.5", left: 2.06, top: 2.27, dot: 0.0014),
            TextLine("AND THE FINEST PRINT IS FOR MORE MEGAPIXELS 42", left: 2.06, top: 2.30, dot: 0.001),
        ]
    }

    /// The step wedge, which falls by one stop per step from 8 times white, and two gradients below it.
    private static var strips: [any SceneItem] {
        let (left, right): (Float, Float) = (0.26, 3.74)
        let card = SceneArea(left: left - 0.04, top: 2.655, right: right + 0.04, bottom: 2.95)
        let width = (right - left) / Float(wedgeSteps)
        // Each step of the wedge extends to the right end, and the next one covers it: no gap can show between them.
        let steps = (0..<wedgeSteps).map { step -> any SceneItem in
            let light = wedgeLight(step)
            return Patch(
                area: SceneArea(left: left + Float(step) * width, top: 2.69, right: right, bottom: 2.80),
                color: opaque(light, light, light))
        }
        let greys = Ramp(area: SceneArea(left: left, top: 2.815, right: right, bottom: 2.86), hues: false)
        let hues = Ramp(area: SceneArea(left: left, top: 2.875, right: right, bottom: 2.92), hues: true)
        return [Card(body: card, color: opaque(0.006, 0.006, 0.006))] + steps + [greys, hues]
    }

    private static let wedgeSteps = 16

    private static func wedgeLight(_ step: Int) -> Float {
        8 / Float(1 << step)
    }

    /// Balls with three skin tones, then with fruit colours.
    private static var balls: [any SceneItem] {
        let colors: [(SceneColor, Float)] = [
            (opaque(0.66, 0.40, 0.29), 0.12), (opaque(0.38, 0.19, 0.115), 0.14), (opaque(0.135, 0.065, 0.04), 0.16),
            (opaque(0.46, 0.035, 0.03), 0.7), (opaque(0.72, 0.27, 0.02), 0.25), (opaque(0.72, 0.56, 0.05), 0.3),
            (opaque(0.20, 0.36, 0.05), 0.5), (opaque(0.05, 0.08, 0.33), 0.9),
        ]
        return colors.enumerated().map { index, ball in
            Ball(x: 2.03 + Float(index) * 0.236, y: 2.525, radius: 0.094, color: ball.0, gloss: ball.1)
        }
    }
}
