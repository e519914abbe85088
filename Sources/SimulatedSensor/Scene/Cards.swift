internal import Glibc

/// A flat card on the table with a soft shadow.
struct Card: SceneItem {
    let body: SceneArea
    let color: SceneColor
    private let reach: Float = 0.09

    var area: SceneArea { body.grown(by: reach * 1.5) }

    func shade(over behind: SceneColor, x: Float, y: Float, pixel: Float) -> SceneColor {
        let inside = coverage(body.distance(x, y), pixel)
        if inside == 1 { return color }
        let away = min(max(1 - max(body.distance(x - 0.035, y - 0.03), 0) / reach, 0), 1)
        return mix(behind * (1 - 0.55 * away * away), color, inside)
    }
}

/// A rectangle of uniform colour.
struct Patch: SceneItem {
    let area: SceneArea
    let color: SceneColor

    func shade(over behind: SceneColor, x: Float, y: Float, pixel: Float) -> SceneColor {
        mix(behind, color, coverage(area.distance(x, y), pixel))
    }
}

/// A Siemens star: black and white sectors, whose spatial frequency exceeds the pixel grid near the centre.
struct SiemensStar: SceneItem {
    let x: Float
    let y: Float
    let radius: Float
    private let sectors: Float = 72

    var area: SceneArea {
        SceneArea(left: x - radius, top: y - radius, right: x + radius, bottom: y + radius).grown(by: 0.01)
    }

    func shade(over behind: SceneColor, x: Float, y: Float, pixel: Float) -> SceneColor {
        let (dx, dy) = (x - self.x, y - self.y)
        let distance = (dx * dx + dy * dy).squareRoot()
        let inside = coverage(distance - radius, pixel)
        if inside == 0 { return behind }
        let phase = atan2f(dy, dx) / (2 * Float.pi) * sectors
        let sector = phase.rounded(.down)
        let toEdge = min(phase - sector, sector + 1 - phase) * 2 * Float.pi * distance / sectors
        let white = Int(sector) & 1 == 0
        let whiteCoverage = coverage(white ? -toEdge : toEdge, pixel)
        return mix(behind, mix(opaque(0.022, 0.022, 0.022), opaque(0.88, 0.88, 0.87), whiteCoverage), inside)
    }
}

/// A horizontal gradient: from black to white, or through all hues.
struct Ramp: SceneItem {
    let area: SceneArea
    let hues: Bool

    func shade(over behind: SceneColor, x: Float, y: Float, pixel: Float) -> SceneColor {
        let fraction = min(max((x - area.left) / (area.right - area.left), 0), 1)
        let color = hues ? Self.hue(fraction) : opaque(fraction, fraction, fraction)
        return mix(behind, color, coverage(area.distance(x, y), pixel))
    }

    private static func hue(_ fraction: Float) -> SceneColor {
        let channels = SceneColor(fraction, fraction - 1 / 3, fraction - 2 / 3, 0) * 6
        func level(_ value: Float) -> Float {
            let turned = value < -3 ? value + 6 : value > 3 ? value - 6 : value
            return 0.03 + 0.72 * min(max(2 - abs(turned), 0), 1)
        }
        return opaque(level(channels.x), level(channels.y), level(channels.z))
    }
}
