/// A progress bar drawn with characters.
enum ProgressBar {
    private static let width = 24

    /// Returns the bar for `done` of `count` steps, with a label: "[############------------]  50 %  fusing 4/8".
    static func text(_ done: Int, of count: Int, _ label: String) -> String {
        let filled = count > 0 ? min(width, done * width / count) : 0
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
        let percent = count > 0 ? done * 100 / count : 0
        return "[\(bar)] \(String(repeating: " ", count: max(0, 3 - "\(percent)".count)))\(percent) %  \(label)"
    }
}
