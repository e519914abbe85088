internal import RawImage

/// A finished picture of bytes that is never whole in memory: its rows are made when they are wanted.
///
/// *Reentrant*: rows may be asked for on several threads.
package struct RenderedRows: Sendable {
    private let plan: RenderPlan
    private let feed: RowFeed

    /// Pixels in a row.
    package var width: Int { plan.frame.width }
    /// Rows.
    package var height: Int { plan.frame.height }
    /// Rows that are best asked for together: enough that the few computed twice where bands meet do not count.
    package var bandHeight: Int { Renderer.bandHeight(plan) }

    /// Nil for a picture that is turned: its rows are columns of the photo.
    init?(_ renderer: Renderer, _ output: Renderer.Output, cores: Int?) throws(DevelopError) {
        plan = try RenderPlan(renderer, output)
        guard plan.frame.orientation == 1, output.depth == .eight else { return nil }
        feed = try RowFeed(renderer, plan, cores: cores)
    }

    /// Red, green and blue of the pixels of some rows.
    package func bytes(_ rows: Range<Int>) -> [UInt8] {
        unsafe [UInt8](large: rows.count * width * Picture.channels) { base in
            unsafe Renderer.render(rows, plan, feed, RenderBand(plan, .bytes(base), firstRow: rows.lowerBound))
        }
    }
}
