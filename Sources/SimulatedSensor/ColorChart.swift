/// A patch of the colour chart: its true colour and its position in the frame.
package struct ChartPatch: Sendable, Hashable {
    /// The traditional English name of the patch, such as "dark skin".
    package let name: String
    /// True colour in linear sRGB; the scene's white is (1, 1, 1).
    package let color: SIMD3<Double>
    /// Columns of the frame that show only this patch, whatever the camera shake; empty when the frame is too small.
    package let columns: Range<Int>
    /// Rows of the frame that show only this patch, whatever the camera shake; empty when the frame is too small.
    package let rows: Range<Int>
}

extension SensorSettings {
    /// The 24 patches of the colour chart in the built-in scene, in reading order.
    ///
    /// Their positions do not account for distortion and rotation of the lens.
    package var chartPatches: [ChartPatch] {
        let frame = SceneFrame(self)
        return ColorChart.patches.indices.map { index in
            let area = ColorChart.area(of: index)
            let margin = shake * lens.zoom * 1.25 + 2
            return ChartPatch(
                name: ColorChart.patches[index].name, color: ColorChart.color(of: index),
                columns: Self.inside(frame.column(area.left), frame.column(area.right), margin),
                rows: Self.inside(frame.row(area.top), frame.row(area.bottom), margin))
        }
    }

    /// Returns the indices of the whole pixels between two edges, `margin` pixels away from both.
    private static func inside(_ start: Float, _ end: Float, _ margin: Double) -> Range<Int> {
        let first = Int((Double(start) + margin).rounded(.up))
        return first..<max(first, Int((Double(end) - margin).rounded(.down)))
    }
}

/// The colour chart of the built-in scene: the 24 patches of the classic chart, with their 8-bit sRGB values.
enum ColorChart {
    static let patches: [(name: String, red: Int, green: Int, blue: Int)] = [
        ("dark skin", 115, 82, 68), ("light skin", 194, 150, 130), ("blue sky", 98, 122, 157),
        ("foliage", 87, 108, 67), ("blue flower", 133, 128, 177), ("bluish green", 103, 189, 170),
        ("orange", 214, 126, 44), ("purplish blue", 80, 91, 166), ("moderate red", 193, 90, 99),
        ("purple", 94, 60, 108), ("yellow green", 157, 188, 64), ("orange yellow", 224, 163, 46),
        ("blue", 56, 61, 150), ("green", 70, 148, 73), ("red", 175, 54, 60),
        ("yellow", 231, 199, 31), ("magenta", 187, 86, 149), ("cyan", 8, 133, 161),
        ("white", 243, 243, 242), ("neutral 8", 200, 200, 200), ("neutral 6.5", 160, 160, 160),
        ("neutral 5", 122, 122, 121), ("neutral 3.5", 85, 85, 85), ("black", 52, 52, 52),
    ]

    /// The card behind the patches, in scene units.
    static let card = SceneArea(left: 0.22, top: 1.46, right: 1.72, bottom: 2.48)
    private static let pitch: Float = 0.24
    private static let gap: Float = 0.03

    /// Returns the linear sRGB colour of a patch.
    static func color(of index: Int) -> SIMD3<Double> {
        let patch = patches[index]
        return SIMD3(linear(patch.red), linear(patch.green), linear(patch.blue))
    }

    /// Returns the area of a patch, in scene units.
    static func area(of index: Int) -> SceneArea {
        let left = card.left + gap * 1.5 + Float(index % 6) * pitch
        let top = card.top + gap * 1.5 + Float(index / 6) * pitch
        return SceneArea(left: left, top: top, right: left + pitch - gap, bottom: top + pitch - gap)
    }

    private static func linear(_ code: Int) -> Double {
        SRGBCurve.linear(Double(code) / 255)
    }
}
