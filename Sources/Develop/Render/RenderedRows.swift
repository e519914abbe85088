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

    /// Nil for a picture that is turned: its rows are columns of the photo.
    init?(_ renderer: Renderer, _ output: Renderer.Output, cores: Int?) throws(DevelopError) {
        plan = try RenderPlan(renderer, output)
        guard plan.frame.orientation == 1, output.depth == .eight else { return nil }
        feed = try RowFeed(renderer, plan, cores: cores)
    }

    /// Calls `body` with red, green and blue of some rows, in pieces of so many, from the top down. It is best asked for many:
    /// rows around are computed, too.
    package func forEach(in rows: Range<Int>, pieceHeight: Int, _ body: (Span<UInt8>) -> Void) {
        withoutActuallyEscaping(body) { body in
            let strip = PixelStrip(rows, width: width, height: pieceHeight, feed.memory, body)
            unsafe Renderer.render(rows, plan, feed, RenderBand(plan, .strip(strip), feed.memory))
        }
    }
}
