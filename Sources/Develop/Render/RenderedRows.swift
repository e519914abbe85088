internal import RawImage

/// An 8-bit rendering that is never held in memory as a whole: rows are computed on demand.
///
/// *Reentrant*: several threads may request rows.
package struct RenderedRows: Sendable {
    private let plan: RenderPlan
    private let source: CroppedRows

    /// Width in pixels.
    package var width: Int { plan.frame.width }
    /// Height in pixels.
    package var height: Int { plan.frame.height }

    /// Returns nil unless the output has 8 bits and orientation 1: rows of a rotated picture are columns of the raw
    /// image.
    init?(_ renderer: Renderer, _ output: Renderer.Output, cores: Int?) throws(GscapError) {
        plan = try RenderPlan(renderer, output)
        guard plan.frame.orientation == 1, output.depth == .eight else { return nil }
        source = try CroppedRows(renderer, plan, cores: cores)
    }

    /// Computes `rows` and calls `body` from the top down with interleaved RGB bytes of `pieceHeight` rows at a time.
    ///
    /// Request many rows at once: neighbouring rows are computed along with them.
    package func forEach(in rows: Range<Int>, pieceHeight: Int, _ body: (Span<UInt8>) -> Void) {
        withoutActuallyEscaping(body) { body in
            let buffer = StripBuffer(rows, width: width, height: pieceHeight, source.memory, body)
            Renderer.render(rows, plan, source, BandRenderer(plan, .strip(buffer), source.memory))
        }
    }
}
