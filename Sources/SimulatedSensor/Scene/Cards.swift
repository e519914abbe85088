internal import Glibc

/// A flat card that stands on the table and throws a soft shadow.
struct Card: SceneItem {
    let body: SceneArea
    let color: SceneLight
    private let reach: Float = 0.09

    var area: SceneArea { body.grown(by: reach * 1.5) }

    func light(over behind: SceneLight, x: Float, y: Float, pixel: Float) -> SceneLight {
        let inside = coverage(body.distance(x, y), pixel)
        if inside == 1 { return color }
        let away = min(max(1 - max(body.distance(x - 0.035, y - 0.03), 0) / reach, 0), 1)
        return mix(behind * (1 - 0.55 * away * away), color, inside)
    }
}

/// A patch of one colour, exact to its edge.
struct Patch: SceneItem {
    let area: SceneArea
    let color: SceneLight

    func light(over behind: SceneLight, x: Float, y: Float, pixel: Float) -> SceneLight {
        mix(behind, color, coverage(area.distance(x, y), pixel))
    }
}

/// A star of black and white sectors, finer towards its middle than any pixel.
struct SiemensStar: SceneItem {
    let x: Float
    let y: Float
    let radius: Float
    private let sectors: Float = 72

    var area: SceneArea {
        SceneArea(left: x - radius, top: y - radius, right: x + radius, bottom: y + radius).grown(by: 0.01)
    }

    func light(over behind: SceneLight, x: Float, y: Float, pixel: Float) -> SceneLight {
        let (dx, dy) = (x - self.x, y - self.y)
        let distance = (dx * dx + dy * dy).squareRoot()
        let inside = coverage(distance - radius, pixel)
        if inside == 0 { return behind }
        let phase = atan2f(dy, dx) / (2 * Float.pi) * sectors
        let sector = phase.rounded(.down)
        let toEdge = min(phase - sector, sector + 1 - phase) * 2 * Float.pi * distance / sectors
        let white = Int(sector) & 1 == 0
        let share = coverage(white ? -toEdge : toEdge, pixel)
        return mix(behind, mix(lit(0.022, 0.022, 0.022), lit(0.88, 0.88, 0.87), share), inside)
    }
}

/// A strip that runs smoothly from one end to the other: greys, or all hues.
struct Ramp: SceneItem {
    let area: SceneArea
    let hues: Bool

    func light(over behind: SceneLight, x: Float, y: Float, pixel: Float) -> SceneLight {
        let place = min(max((x - area.left) / (area.right - area.left), 0), 1)
        let color = hues ? Self.hue(place) : lit(place, place, place)
        return mix(behind, color, coverage(area.distance(x, y), pixel))
    }

    private static func hue(_ place: Float) -> SceneLight {
        let channels = SceneLight(place, place - 1 / 3, place - 2 / 3, 0) * 6
        func level(_ value: Float) -> Float {
            let turned = value < -3 ? value + 6 : value > 3 ? value - 6 : value
            return 0.03 + 0.72 * min(max(2 - abs(turned), 0), 1)
        }
        return lit(level(channels.x), level(channels.y), level(channels.z))
    }
}
